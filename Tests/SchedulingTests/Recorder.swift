import Synchronization

/// What happened, in order, on whatever thread it did.
final class Recorder<Element: Sendable>: Sendable {
  private let list = Mutex<[Element]>([])

  func append(_ element: Element) { list.withLock { $0.append(element) } }

  var elements: [Element] { list.withLock { $0 } }
}
