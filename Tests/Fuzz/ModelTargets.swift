import DayLog
import Learning
import LinearAlgebra
import Personalisation
import Time

extension FuzzTarget {
  /// Saved models, each a blob with a checksum. An input is a list of edits to a genuine one, and the
  /// checksums are made right again, or nothing behind them would be reached.
  static var modelTargets: [FuzzTarget] {
    [
      FuzzTarget(name: "model") { bytes in
        let blob = sealed(edited(genuineModel, bytes))
        if let model = try? PersonalModel(decoding: blob) {
          let written = model.encoded()
          precondition((try? PersonalModel(decoding: written).encoded()) == written, "to the bit")
        }
        if let progress = try? TrainingProgress(decoding: blob) {
          let written = progress.encoded()
          precondition(
            (try? TrainingProgress(decoding: written).encoded()) == written, "to the bit")
        }
      },
      FuzzTarget(name: "regression") { bytes in
        for genuine in genuineRegressions {
          let blob = sealed(edited(genuine, bytes))
          if let model = try? LinearModel(decoding: blob) {
            precondition(model.encoded() == blob, "to the bit")
          }
          if var model = try? StreamingRidge(decoding: blob) { _ = model.encoded() }
          if let sums = try? KeyedMoments(decoding: blob) {
            precondition(sums.encoded() == blob, "to the bit")
          }
        }
      },
    ]
  }

  /// A model of hrv, trained on 40 made-up days.
  private static let genuineModel: [UInt8] = {
    let values = (0..<80).map { day in Double(day * 7919 % 97) + (day < 40 ? 20 : 5000) }
    let table = DayTable(
      firstDay: CalendarDay(number: 19_800), dayCount: 40, metrics: [.hrv, .steps],
      values: ContiguousArray(values))
    guard
      case .trained(let model, _, _)? = try? trainPersonalisedModel(
        from: PersonalLog(table), target: Target(.hrv))
    else { preconditionFailure("40 days are enough") }
    return model.encoded()
  }()

  private static let genuineRegressions: [[UInt8]] = {
    let columns: ContiguousArray<Double> = [0, 1, 2, 3, 4, 5, 6, 7, 1, 4, 2, 0, 2, 4, 1, 3]
    guard var keyed = try? KeyedMoments(featureCount: 2),
      let features = try? Matrix(columns: [
        ContiguousArray(columns[..<8]), ContiguousArray(columns[8...]),
      ]),
      var stream = try? StreamingRidge(
        RidgeRegression(), features, target: [1, 0, 2, 4, 3, 5, 7, 6])
    else { preconditionFailure("finite rows are allowed") }
    for row in 0..<8 where (try? keyed.set(row, features.row(row), target: columns[row])) == nil {
      preconditionFailure("finite rows are allowed")
    }
    return [stream.model.encoded(), stream.encoded(), keyed.encoded()]
  }()

  /// Applies edits of four bytes and more: a place in two bytes, what to do, a value or a length.
  private static func edited(_ genuine: [UInt8], _ edits: ContiguousArray<UInt8>) -> [UInt8] {
    var bytes = genuine
    var at = 0
    while at + 4 <= edits.count {
      let place = (Int(edits[at]) << 8 | Int(edits[at + 1])) % max(1, bytes.count)
      let value = edits[at + 3]
      at += 4
      switch edits[at - 2] % 4 {
      case 0: bytes[place] = value
      case 1: bytes[place] ^= 1 << (value % 8)
      case 2: bytes.removeSubrange(place..<min(bytes.count, place + Int(value)))
      default:
        let end = min(edits.count, at + Int(value % 32))
        bytes.insert(contentsOf: edits[at..<end], at: place)
        at = end
      }
      if bytes.isEmpty { return bytes }
    }
    return bytes
  }

  private static let kinds = ["DPer", "DPro", "DRdg", "DStr", "DKey"].map { Array($0.utf8) }

  /// The bytes with the length and checksum of each blob in them made right, inner ones first.
  private static func sealed(_ input: [UInt8]) -> [UInt8] {
    var bytes = input
    guard bytes.count >= 24 else { return bytes }
    write(UInt64(bytes.count - 24), to: &bytes, at: 8)
    for start in stride(from: bytes.count - 24, through: 0, by: -1)
    where bytes[start] == UInt8(ascii: "D") && kinds.contains(Array(bytes[start..<start + 4])) {
      let length = (0..<8).reduce(UInt64(0)) { $0 | UInt64(bytes[start + 8 + $1]) << (8 * $1) }
      guard length <= UInt64(bytes.count - start - 24) else { continue }
      let end = start + 16 + Int(length)
      write(CRC64.checksum(bytes[start..<end]), to: &bytes, at: end)
    }
    return bytes
  }

  private static func write(_ value: UInt64, to bytes: inout [UInt8], at place: Int) {
    for index in 0..<8 { bytes[place + index] = UInt8(truncatingIfNeeded: value >> (8 * index)) }
  }
}
