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
    let running = jobs.filter { job in
      if job.start() { return true }
      // Without another thread the work is done here, with the same result.
      job.run()
      return false
    }
    var parts = [stride(from: 0, to: count, by: workers).map(body)]
    for job in running { job.join() }
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
