/// The samples of one type and one source, in the order of the file.
///
/// They lie in pieces that are never moved: an array that doubles would hold them one and a half times
/// over while it grows.
struct HealthSeries {
  let source: Int
  private(set) var pieces: [ContiguousArray<Sample>] = []

  /// 96 KiB; the first pieces are smaller, so that a thousand sources of one sample each cost little.
  private static let pieceLimit = 4096
  private static let firstPiece = 4

  init(source: Int) { self.source = source }

  @inline(__always)
  mutating func append(_ sample: Sample) {
    if pieces.isEmpty || pieces[pieces.count &- 1].count == pieces[pieces.count &- 1].capacity {
      addPiece()
    }
    pieces[pieces.count &- 1].append(sample)
  }

  private mutating func addPiece() {
    let before = pieces.last?.count ?? 0
    var piece = ContiguousArray<Sample>()
    piece.reserveCapacity(min(Self.pieceLimit, max(Self.firstPiece, 2 * before)))
    pieces.append(piece)
  }

  /// The sum of all values.
  var total: Double {
    var total = 0.0
    for piece in pieces { for sample in piece { total += sample.value } }
    return total
  }
}

/// The series of an export by type and source.
struct HealthSeriesTable {
  private var series: [HealthSeries] = []
  /// The place in ``series`` by source and type; -1 where there is none.
  private var places: [Int32] = []

  @inline(__always)
  mutating func append(_ sample: Sample, type: Int) {
    let slot = Int(sample.source) &* HealthType.all.count &+ type
    if slot < places.count, places[slot] >= 0 {
      series[Int(places[slot])].append(sample)
    } else {
      add(slot, source: Int(sample.source))
      series[series.count - 1].append(sample)
    }
  }

  private mutating func add(_ slot: Int, source: Int) {
    let typeCount = HealthType.all.count
    let missing = (source + 1) * typeCount - places.count
    if missing > 0 { places.append(contentsOf: repeatElement(-1, count: missing)) }
    places[slot] = Int32(series.count)
    series.append(HealthSeries(source: source))
  }

  /// Gives up the series of a type, in order of source number.
  mutating func take(_ type: Int) -> [HealthSeries] {
    var taken: [HealthSeries] = []
    for slot in stride(from: type, to: places.count, by: HealthType.all.count)
    where places[slot] >= 0 {
      let place = Int(places[slot])
      taken.append(series[place])
      series[place] = HealthSeries(source: series[place].source)
      places[slot] = -1
    }
    return taken
  }
}
