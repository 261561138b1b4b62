/// Counts of several sources on one line of time: each moment counts for one source only.
///
/// Sources are taken in order of trust. A sample counts by the share of its time that no more trusted
/// source covers; the total of each source alone is kept whole. A sample without length counts unless
/// its moment is covered.
///
/// - Complexity: O(log *k*) for a sample that overlaps *k* spans, so that no record of a year costs more
///   than one of a minute.
struct CountTimeline {
  /// What more trusted sources cover: disjoint spans in ascending order.
  private var covered: ContiguousArray<Span> = []
  /// What is covered together with the source that is being added.
  private var joined: ContiguousArray<Span> = []
  /// The first span that ends after the samples so far, and the first that is not joined yet.
  private var first = 0
  private var next = 0

  private struct Span {
    let start: Int64
    var end: Int64
    /// Seconds covered by all spans before it.
    let before: Int64
  }

  /// Takes the next sample of a source, in order of time; how much of it counts.
  mutating func add(_ sample: Sample) -> Double {
    // Samples ascend by start, so spans that end before this one matter to no later one.
    while first < covered.count, covered[first].end <= sample.start { first += 1 }
    defer { if sample.duration > 0 { join(sample) } }
    return sample.value * freeShare(of: sample)
  }

  /// Ends a source: what follows is of a less trusted one.
  mutating func endSource() {
    while next < covered.count { joinNext() }
    (covered, joined) = (joined, [])
    (first, next) = (0, 0)
  }

  private func freeShare(of sample: Sample) -> Double {
    guard first < covered.count else { return 1 }
    let next = covered[first]
    if sample.duration == 0 { return next.start <= sample.start ? 0 : 1 }
    if next.start >= sample.end { return 1 }
    let last = covered[lastSpan(before: sample.end)]
    let toEnd = last.before + min(last.end, sample.end) - last.start
    let toStart = next.before + max(0, sample.start - next.start)
    return Double(Int64(sample.duration) - (toEnd - toStart)) / Double(sample.duration)
  }

  /// The last span from ``first`` on, which does, that begins before a moment: found by doubling steps.
  private func lastSpan(before moment: Int64) -> Int {
    var step = 1
    while first + step < covered.count, covered[first + step].start < moment { step *= 2 }
    var (low, high) = (first + step / 2, min(first + step, covered.count))
    while high - low > 1 {
      let middle = (low + high) / 2
      if covered[middle].start < moment { low = middle } else { high = middle }
    }
    return low
  }

  private mutating func join(_ sample: Sample) {
    while next < covered.count, covered[next].start <= sample.start { joinNext() }
    join(sample.start, sample.end)
  }

  private mutating func joinNext() {
    join(covered[next].start, covered[next].end)
    next += 1
  }

  private mutating func join(_ start: Int64, _ end: Int64) {
    if let last = joined.last, start <= last.end {
      joined[joined.count - 1].end = max(last.end, end)
    } else {
      let before = joined.last.map { $0.before + $0.end - $0.start } ?? 0
      joined.append(Span(start: start, end: end, before: before))
    }
  }
}
