internal import Dispatch

/// A thread for the work of one run, so that work which never yields blocks that thread and nothing else: neither
/// the loop, nor its own expiration, nor the end of the process.
///
/// The only file of this module with unsafe code: a job is handed to a queue of the system.
final class WorkQueue: TaskExecutor {
  private let queue: DispatchQueue

  init(_ identifier: TaskIdentifier) { queue = DispatchQueue(label: identifier.name) }

  func enqueue(_ job: consuming ExecutorJob) {
    let job = UnownedJob(job)
    queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
  }
}
