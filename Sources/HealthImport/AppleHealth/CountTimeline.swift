/// Counts of several sources on one line of time: each moment counts for one source only.
///
/// Sources are taken in order of trust. A sample counts by the share of its time that no more trusted
/// source covers; the total of each source alone is kept whole. A sample without length counts unless
/// its moment is covered.
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
  }

  /// Takes the next sample of a source, in order of time; how much of it counts.
  mutating func add(_ sample: HealthSample) -> Double {
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

  private func freeShare(of sample: HealthSample) -> Double {
    guard first < covered.count else { return 1 }
    if sample.duration == 0 { return covered[first].start <= sample.start ? 0 : 1 }
    var taken: Int64 = 0
    var index = first
    while index < covered.count, covered[index].start < sample.end {
      taken += min(covered[index].end, sample.end) - max(covered[index].start, sample.start)
      index += 1
    }
    return taken == 0 ? 1 : Double(Int64(sample.duration) - taken) / Double(sample.duration)
  }

  private mutating func join(_ sample: HealthSample) {
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
      joined.append(Span(start: start, end: end))
    }
  }
}
