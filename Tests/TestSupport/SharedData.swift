public import FoundationEssentials

/// Real logs that lie beside a checkout and never in it.
///
/// A test that reads them is enabled by ``isPresent`` with ``whyAbsent`` as its comment, so that a
/// checkout without them skips it with a line that says so.
public enum SharedData {
  /// The root of this checkout.
  public static let checkout = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// Where the real logs are looked for.
  public static let folder = checkout.deletingLastPathComponent().appending(path: "shared/datasets")

  /// Whether they are there.
  public static let isPresent = FileManager.default.fileExists(atPath: folder.path)

  /// What a skipped test says.
  public static let whyAbsent =
    "the folder ../shared/datasets with real logs is not beside this checkout"

  /// The path of one file of them, such as `series/person-a/daily.csv`.
  public static func path(_ relative: String) -> String { folder.appending(path: relative).path }
}
