internal import Scheduling
package import Storage

#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

extension StoreWorld {
  /// Simulates so many days of a seed on a new store, in memory-backed storage where there is some, and removes
  /// it.
  ///
  /// - Throws: `StorageError` where the store cannot be made.
  package static func simulate(
    seed: UInt64, days: Int, training: Training = .standIn, fault: SimulatedFault? = nil,
    keepsTrace: Bool = false
  ) async throws(StorageError) -> SimulationReport {
    let path = "\(folder)/diurnal-simulation-\(UUID().uuidString).sqlite"
    defer {
      for ending in ["", "-wal", "-shm"] {
        do { try FileManager.default.removeItem(atPath: path + ending) } catch {
          // Not there: what SQLite keeps beside a file comes and goes.
        }
      }
    }
    let world = try StoreWorld(path: path, training: training, fault: fault)
    var simulation = Simulation(
      seed: seed, fault: fault, world: world, keepsTrace: keepsTrace)
    let report = await simulation.run(days: days)
    await simulation.world.close()
    return report
  }

  private static var folder: String {
    let shared = "/dev/shm"
    return FileManager.default.isWritableFile(atPath: shared)
      ? shared : FileManager.default.temporaryDirectory.path
  }
}
