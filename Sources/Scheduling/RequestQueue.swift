/// The requests that wait, at most one for an identifier: a value without clock, file or handler.
package struct RequestQueue: Codable, Hashable, Sendable {
  /// The waiting requests, by identifier.
  package private(set) var requests: [TaskRequest] = []

  /// A queue in which nothing waits.
  package init() {}

  /// The request that waits for a task, if any.
  package subscript(identifier: TaskIdentifier) -> TaskRequest? {
    requests.first { $0.identifier == identifier }
  }

  /// Makes the request wait, in place of one that waits for the same task.
  package mutating func submit(_ request: TaskRequest) {
    remove(request.identifier)
    let place = requests.firstIndex { $0.identifier > request.identifier } ?? requests.endIndex
    requests.insert(request, at: place)
  }

  /// Takes out and returns the request that waits for a task: it runs at most once.
  @discardableResult
  package mutating func remove(_ identifier: TaskIdentifier) -> TaskRequest? {
    guard let place = requests.firstIndex(where: { $0.identifier == identifier }) else {
      return nil
    }
    return requests.remove(at: place)
  }
}
