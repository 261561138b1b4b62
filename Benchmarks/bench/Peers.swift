/// The rivals, in the same run.
enum Peers {
  static func race(_ run: inout Run, machine: Machine) throws -> String { "" }
}
