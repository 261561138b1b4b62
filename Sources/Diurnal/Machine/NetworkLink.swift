#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// Whether a machine has a way to the network, by the routes and links that the kernel tells of.
///
/// There is a network where a default route leads over a link that is up. A link that does not know
/// (tunnels, and drivers that never say) counts as up. Where there are no such files nothing is known, and what
/// is not known is no network. A link without a default route, such as the bridge of a
/// container, leads nowhere.
///
/// Source: `operstate` in the kernel's `Documentation/ABI/testing/sysfs-class-net`, and `proc_pid_net(5)`
/// for the routes.
public struct NetworkLink: Hashable, Sendable {
  /// Whether there is a way out; nil where that is not known.
  public let isThere: Bool?
  /// What that was concluded from, in words, such as `eth0 is up and has the default route`.
  public let evidence: String

  /// Reads `proc/net/route`, `proc/net/ipv6_route` and `sys/class/net` below `root`.
  ///
  /// - Complexity: a handful of small reads.
  public static func read(root: String = "/") -> NetworkLink {
    let base = root.hasSuffix("/") ? root : root + "/"
    let tables = [
      lines(base + "proc/net/route").map { $0.dropFirst().compactMap(defaultLink) },
      lines(base + "proc/net/ipv6_route").map { $0.compactMap(defaultLink6) },
    ].compactMap(\.self)
    guard !tables.isEmpty else {
      return NetworkLink(isThere: nil, evidence: "the system tells of no routes")
    }
    let links = tables.flatMap(\.self)
    guard let first = links.first else {
      return NetworkLink(isThere: false, evidence: "there is no default route")
    }
    for link in links {
      let state = lines(base + "sys/class/net/\(link)/operstate")?.first ?? "unknown"
      if state == "up" || state == "unknown" {
        let words = state == "up" ? "is up" : "does not tell whether it is up"
        return NetworkLink(isThere: true, evidence: "\(link) \(words) and has the default route")
      }
    }
    return NetworkLink(isThere: false, evidence: "\(first) has the default route and is not up")
  }

  /// The interface of a default route of version 4, in use and no refusal; the columns are interface,
  /// destination, gateway, flags, three counters, mask, and more.
  private static func defaultLink(_ line: String) -> String? {
    let columns = line.split { $0 == "\t" || $0 == " " }
    guard columns.count >= 8, isZero(columns[1]), isZero(columns[7]), isInUse(columns[3]) else {
      return nil
    }
    return String(columns[0])
  }

  /// The same of version 6: destination, its prefix length, source, its length, gateway, metric, two
  /// counters, flags, interface. The kernel keeps one on `lo` that refuses everything.
  private static func defaultLink6(_ line: String) -> String? {
    let columns = line.split { $0 == "\t" || $0 == " " }
    guard columns.count >= 10, isZero(columns[0]), isZero(columns[1]), isInUse(columns[8]),
      columns[9] != "lo"
    else { return nil }
    return String(columns[9])
  }

  private static func isZero(_ text: Substring) -> Bool { text.utf8.allSatisfy { $0 == 48 } }

  /// Up (0x1) and not a route that refuses (0x200).
  private static func isInUse(_ flags: Substring) -> Bool {
    guard let bits = UInt32(flags, radix: 16) else { return false }
    return bits & 0x1 != 0 && bits & 0x200 == 0
  }

  private static func lines(_ path: String) -> [String]? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
  }
}
