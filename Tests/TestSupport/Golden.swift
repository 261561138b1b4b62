internal import FoundationEssentials

/// Numbers from independent software, with the script that made them beside them.
public enum Golden {
  /// A file below `Tests/Golden`, such as `ridge/ridge.json`.
  public static func read<Content: Decodable>(
    _ path: String, as type: Content.Type = Content.self
  ) throws -> Content {
    let file = SharedData.checkout.appending(path: "Tests/Golden/\(path)")
    return try JSONDecoder().decode(type, from: Data(contentsOf: file))
  }
}
