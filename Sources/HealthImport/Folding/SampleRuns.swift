/// Samples of one type in order of time, out of pieces that are in the order of the file.
///
/// An export is in order of time for long stretches: by source, or within each day. Stretches that ascend
/// are found and merged as they are needed, so that what is in order is only walked through; a piece that
/// is in no order is sorted first.
struct SampleRuns {
  private var pieces: [ContiguousArray<Sample>]
  /// Stretches that ascend, in order of their first sample.
  private var runs: [Run] = []

  /// The next sample of a stretch, and where it ends.
  private struct Run {
    let piece: Int
    var at: Int
    let end: Int
  }

  /// A piece with more stretches than one in so many samples is sorted.
  private static let leastLength = 32

  init(_ pieces: [ContiguousArray<Sample>]) {
    self.pieces = pieces
    for index in pieces.indices { addRuns(index) }
    let all = self.pieces
    runs.sort { Sample.precedes(all[$0.piece][$0.at], all[$1.piece][$1.at]) }
  }

  private mutating func addRuns(_ index: Int) {
    let count = pieces[index].count
    var starts = [0]
    for at in 1..<max(1, count)
    where Sample.precedes(pieces[index][at], pieces[index][at - 1]) {
      starts.append(at)
    }
    if starts.count > 1 + count / Self.leastLength {
      pieces[index].sort(by: Sample.precedes)
      starts = [0]
    }
    for (start, end) in zip(starts, starts.dropFirst() + [count]) where end > start {
      runs.append(Run(piece: index, at: start, end: end))
    }
  }

  /// Calls `body` with each sample in order, exact repeats once; how many repeats there were.
  @inline(__always)
  func each(_ body: (Sample) -> Void) -> Int {
    var heap = RunHeap()
    var next = 0
    var last: Sample?
    var repeats = 0
    while next < runs.count || !heap.runs.isEmpty {
      if heap.runs.isEmpty || next < runs.count && precedes(runs[next], heap.runs[0]) {
        heap.push(runs[next], precedes)
        next += 1
        continue
      }
      // The first stretch goes on until another has the next sample.
      var run = heap.runs[0]
      let piece = pieces[run.piece]
      let bound = bound(heap.second(precedes), next)
      repeat {
        let sample = piece[run.at]
        run.at += 1
        if let last, sample.isRepeat(of: last) {
          repeats += 1
        } else {
          body(sample)
          last = sample
        }
        if let bound, run.at < run.end, Sample.precedes(bound, piece[run.at]) { break }
      } while run.at < run.end
      heap.replaceFirst(run, precedes)
    }
    return repeats
  }

  /// The earlier of the first samples of a stretch that has begun and of the next that has not.
  private func bound(_ begun: Run?, _ next: Int) -> Sample? {
    let waiting = next < runs.count ? first(runs[next]) : nil
    guard let begun = begun.map(first) else { return waiting }
    if let waiting, Sample.precedes(waiting, begun) { return waiting }
    return begun
  }

  private func first(_ run: Run) -> Sample { pieces[run.piece][run.at] }

  private func precedes(_ a: Run, _ b: Run) -> Bool {
    Sample.precedes(first(a), first(b))
  }

  /// Stretches that have begun, the one with the next sample first.
  private struct RunHeap {
    private(set) var runs: [Run] = []

    /// The stretch that would be first without the first.
    func second(_ precedes: (Run, Run) -> Bool) -> Run? {
      guard runs.count > 1 else { return nil }
      return runs.count > 2 && precedes(runs[2], runs[1]) ? runs[2] : runs[1]
    }

    mutating func push(_ run: Run, _ precedes: (Run, Run) -> Bool) {
      runs.append(run)
      var at = runs.count - 1
      while at > 0, precedes(runs[at], runs[(at - 1) / 2]) {
        runs.swapAt(at, (at - 1) / 2)
        at = (at - 1) / 2
      }
    }

    /// Puts the first stretch back, further on, or takes it out at its end.
    mutating func replaceFirst(_ run: Run, _ precedes: (Run, Run) -> Bool) {
      if run.at < run.end {
        runs[0] = run
      } else {
        let last = runs.removeLast()
        guard !runs.isEmpty else { return }
        runs[0] = last
      }
      var at = 0
      while true {
        var least = at
        for child in [2 * at + 1, 2 * at + 2] where child < runs.count {
          if precedes(runs[child], runs[least]) { least = child }
        }
        guard least != at else { return }
        runs.swapAt(at, least)
        at = least
      }
    }
  }
}
