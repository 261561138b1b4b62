import FoundationEssentials
import Testing

@testable import Diurnal

@Suite struct `A way to the network` {
  private static let header =
    "Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT\n"
  private static let viaCable =
    header + "eth0\t00000000\t0101A8C0\t0003\t0\t0\t100\t00000000\t0\t0\t0\n"
    + "eth0\t0001A8C0\t00000000\t0001\t0\t0\t100\t00FFFFFF\t0\t0\t0\n"
  private static let zeros = String(repeating: "0", count: 32)

  private static func route6(flags: String, over link: String) -> String {
    "\(zeros) 00 \(zeros) 00 fe800000000000000000000000000001 00000400 00000002 00000000 \(flags)     \(link)\n"
  }

  private func read(_ files: [String: String]) throws -> NetworkLink {
    let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer {
      // Left-over files of a test harm nobody.
      try? FileManager.default.removeItem(at: root)
    }
    for (path, text) in files {
      let file = root.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    return NetworkLink.read(root: root.path)
  }

  @Test func `is there over a link that is up and has the default route`() throws {
    let files = ["proc/net/route": Self.viaCable, "sys/class/net/eth0/operstate": "up\n"]
    #expect(
      try read(files)
        == NetworkLink(isThere: true, evidence: "eth0 is up and has the default route"))
    #expect(
      try read(files.merging(["sys/class/net/eth0/operstate": "lowerlayerdown\n"]) { $1 })
        == NetworkLink(isThere: false, evidence: "eth0 has the default route and is not up"))
  }

  @Test func `is unknown where the system tells of no routes`() throws {
    #expect(try read([:]).isThere == nil)
  }

  @Test func `is there where the link with the default route does not tell`() throws {
    #expect(try read(["proc/net/route": Self.viaCable]).isThere == true)
    #expect(
      try read([
        "proc/net/route": Self.viaCable, "sys/class/net/eth0/operstate": "unknown\n",
      ]).isThere == true)
  }

  @Test func `is none where no route leads out, whatever links are up`() throws {
    let bridge = Self.header + "docker0\t000011AC\t00000000\t0001\t0\t0\t0\t0000FFFF\t0\t0\t0\n"
    #expect(
      try read(["proc/net/route": bridge, "sys/class/net/docker0/operstate": "up\n"])
        == NetworkLink(isThere: false, evidence: "there is no default route"))
    let half = Self.header + "tun0\t00000000\t00000000\t0001\t0\t0\t0\t00000080\t0\t0\t0\n"
    #expect(try read(["proc/net/route": half]).isThere == false)
  }

  @Test func `may be of version 6 alone, and a route that refuses is none`() throws {
    let up = ["sys/class/net/wlan0/operstate": "up\n", "proc/net/route": Self.header]
    let refusing = Self.route6(flags: "00200200", over: "lo")
    #expect(try read(up.merging(["proc/net/ipv6_route": refusing]) { $1 }).isThere == false)
    let open = refusing + Self.route6(flags: "00450003", over: "wlan0")
    #expect(
      try read(up.merging(["proc/net/ipv6_route": open]) { $1 }).evidence
        == "wlan0 is up and has the default route")
    let refused = Self.route6(flags: "00200201", over: "wlan0")
    #expect(try read(up.merging(["proc/net/ipv6_route": refused]) { $1 }).isThere == false)
  }
}
