#if canImport(Glibc)
  internal import Glibc
#elseif canImport(Darwin)
  internal import Darwin
#endif

/// How long one operation took.
struct Sample {
  /// Seconds of the monotonic clock.
  var wall: Double
  /// Seconds of processor time of all threads.
  var cpu: Double
}

/// One side of a race: work that can be timed again and again.
struct Contender {
  /// Does the work and tells how long each of its operations took.
  let sample: () throws -> Sample

  init(sample: @escaping () throws -> Sample) { self.sample = sample }

  /// Work that leaves nothing behind. Short work is repeated within a sample, so that the clock does not count.
  init(_ work: @escaping () throws -> Void) {
    let repetitions = Repetitions()
    self.init {
      let sample = try Stopwatch.time(operations: repetitions.count) {
        for _ in 0..<repetitions.count { try work() }
      }
      repetitions.fit(sample)
      return sample
    }
  }

  /// `count` operations in a row, after a preparation that is not timed.
  init(
    count: Int, before prepare: @escaping () throws -> Void, _ work: @escaping (Int) throws -> Void
  ) {
    self.init {
      try prepare()
      return try Stopwatch.time(operations: count) {
        for i in 0..<count { try work(i) }
      }
    }
  }

  /// How often to repeat the work in one sample.
  private final class Repetitions {
    private(set) var count = 1

    /// Enough for a fifth of a millisecond.
    func fit(_ sample: Sample) {
      guard count == 1, sample.wall > 0 else { return }
      count = max(1, min(100_000, Int(2e-4 / sample.wall)))
    }
  }
}

enum Stopwatch {
  /// Waits until this process is at rest: a BLAS that has just been loaded may let its idle threads spin, and
  /// processor time counts all threads.
  static func settle() {
    for _ in 0..<20 {
      let cpu = Raw.cpuSeconds
      usleep(20_000)
      if Raw.cpuSeconds - cpu < 1e-3 { return }
    }
  }

  /// Times a body of some operations, per operation.
  static func time(operations: Int = 1, _ body: () throws -> Void) rethrows -> Sample {
    let cpu = Raw.cpuSeconds
    let wall = Raw.wallSeconds
    try body()
    let wallTaken = Raw.wallSeconds - wall
    let cpuTaken = Raw.cpuSeconds - cpu
    return Sample(wall: wallTaken / Double(operations), cpu: cpuTaken / Double(operations))
  }

  /// Times work that waits for an actor.
  static func time(_ body: () async throws -> Void) async rethrows -> Sample {
    let cpu = Raw.cpuSeconds
    let wall = Raw.wallSeconds
    try await body()
    let wallTaken = Raw.wallSeconds - wall
    return Sample(wall: wallTaken, cpu: Raw.cpuSeconds - cpu)
  }

  /// Runs contenders in turn until each has had its share of `seconds` and at least `least` samples, after two
  /// samples each that warm up and are not counted.
  static func race(_ contenders: [Contender], seconds: Double, least: Int = 5) throws -> [Samples] {
    var samples = contenders.map { _ in Samples() }
    for contender in contenders {
      let first = try contender.sample()
      if first.wall < seconds / 4 { _ = try contender.sample() }
    }
    let start = Raw.wallSeconds
    while (samples.first?.count ?? least) < least || Raw.wallSeconds - start < seconds {
      if (samples.first?.count ?? 0) >= 400 { break }
      for i in contenders.indices { samples[i].add(try contenders[i].sample()) }
    }
    return samples
  }
}

/// The samples of one contender, and what they say.
struct Samples {
  private(set) var wall: [Double] = []
  private(set) var cpu: [Double] = []

  var count: Int { cpu.count }

  mutating func add(_ sample: Sample) {
    wall.append(sample.wall)
    cpu.append(sample.cpu)
  }

  /// The value below which this share of the samples lies, between neighbours by proportion.
  static func quantile(_ share: Double, of samples: [Double]) -> Double {
    guard !samples.isEmpty else { return .nan }
    let sorted = samples.sorted()
    let place = share * Double(sorted.count - 1)
    let below = Int(place)
    let above = min(below + 1, sorted.count - 1)
    return sorted[below] + (place - Double(below)) * (sorted[above] - sorted[below])
  }

  func cpu(_ share: Double) -> Double { Self.quantile(share, of: cpu) }
  func wall(_ share: Double) -> Double { Self.quantile(share, of: wall) }
}
