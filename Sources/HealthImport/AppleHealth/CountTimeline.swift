/// Counts of several sources on one line of time: each moment counts for one source only.
///
/// Sources are taken in order of trust. A sample counts by the share of its time that no more trusted
/// source covers; the total of each source alone is kept whole. A sample without length counts unless
/// its moment is covered.
struct CountTimeline {
  /// What a more trusted source covers: disjoint spans in ascending order.
  private var covered: ContiguousArray<(start: Int64, end: Int64)> = []

  /// Adds the samples of the next source, in order of time, and tells how much of each counts.
  mutating func add(
    _ samples: ArraySlice<HealthSample>, count: (HealthSample, Double) -> Void
  ) {
    var first = 0
    for sample in samples {
      // Samples ascend by start, so spans that end before this one matter to no later one.
      while first < covered.count, covered[first].end <= sample.start { first += 1 }
      count(sample, sample.value * freeShare(of: sample, from: first))
    }
    cover(samples)
  }

  private func freeShare(of sample: HealthSample, from first: Int) -> Double {
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

  /// Joins the samples' spans to what is covered.
  private mutating func cover(_ samples: ArraySlice<HealthSample>) {
    var joined: ContiguousArray<(start: Int64, end: Int64)> = []
    joined.reserveCapacity(covered.count + samples.count)
    func append(_ start: Int64, _ end: Int64) {
      if let last = joined.last, start <= last.end {
        joined[joined.count - 1].end = max(last.end, end)
      } else {
        joined.append((start, end))
      }
    }
    var index = 0
    for sample in samples where sample.duration > 0 {
      while index < covered.count, covered[index].start <= sample.start {
        append(covered[index].start, covered[index].end)
        index += 1
      }
      append(sample.start, sample.end)
    }
    while index < covered.count {
      append(covered[index].start, covered[index].end)
      index += 1
    }
    covered = joined
  }
}
