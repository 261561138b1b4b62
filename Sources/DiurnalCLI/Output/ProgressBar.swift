/// How far a long import is, drawn over itself on standard error where a person watches it.
enum ProgressBar {
  private static let width = 30

  /// A callback that draws the share done, or nothing where nobody watches.
  static func drawing(_ name: String) -> @Sendable (_ done: Int, _ total: Int?) -> Bool {
    guard Terminal.isWatched else { return { _, _ in true } }
    let began = ContinuousClock.now
    return { done, total in
      let seconds = began.duration(to: .now) / .seconds(1)
      guard let total, total > 0, seconds > 0.3 else { return true }
      let share = min(1, Double(done) / Double(total))
      let full = Int(share * Double(width))
      let bar = String(repeating: "#", count: full) + String(repeating: "-", count: width - full)
      let rate = Decimal.fixed(Double(done) / seconds / 1e6, 0)
      let left = Decimal.fixed(share > 0 ? seconds * (1 - share) / share : 0, 0)
      Terminal.progress(
        "\r[\(bar)] \(Decimal.fixed(100 * share, 0)) % \(rate) MB/s, \(left) s left ")
      return true
    }
  }

  /// Wipes the line, so that what follows begins at its start.
  static func clear() {
    if Terminal.isWatched { Terminal.progress("\r" + String(repeating: " ", count: 70) + "\r") }
  }
}
