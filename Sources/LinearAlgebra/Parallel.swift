#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Darwin
#endif

/// Work over numbered parts on several threads; the parts and their order do not depend on how many.
package enum Parallel {
  /// One result per part, in the order of the parts.
  package static func map<Result: Sendable>(
    _ count: Int, threads: Int, _ body: @escaping @Sendable (Int) -> Result
  ) -> [Result] {
    let workers = max(1, min(threads, count))
    guard workers > 1 else { return (0..<count).map(body) }
    let jobs = (1..<workers).map { first in
      Job { stride(from: first, to: count, by: workers).map(body) }
    }
    let running = jobs.map { job in
      let thread = job.start()
      // Without another thread the work is done here, with the same result.
      if thread == nil { job.run() }
      return thread
    }
    var parts = [stride(from: 0, to: count, by: workers).map(body)]
    for case let thread? in running { pthread_join(thread, nil) }
    for job in jobs { parts.append(job.results) }
    return (0..<count).map { parts[$0 % workers][$0 / workers] }
  }

  private final class Job<Result>: ThreadedWork {
    private let body: () -> [Result]
    private(set) var results: [Result] = []
    init(body: @escaping () -> [Result]) { self.body = body }
    override func run() { results = body() }
  }
}
