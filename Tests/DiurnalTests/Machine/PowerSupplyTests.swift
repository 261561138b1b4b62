import Diurnal
import FoundationEssentials
import Testing

@Suite struct `External power` {
  private func read(_ files: [String: String]) throws -> PowerSupply {
    let root = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    defer {
      // Left-over files of a test harm nobody.
      try? FileManager.default.removeItem(at: root)
    }
    for (path, text) in files {
      let file = root.appending(path: path)
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data((text + "\n").utf8).write(to: file)
    }
    return PowerSupply.read(root: root.path)
  }

  @Test func `is there where the kernel has no supply to tell of: desktops and servers`() throws {
    #expect(try read(["uevent": ""]).isExternal == true)
  }

  @Test func `is unknown where nothing tells of it`() throws {
    #expect(try read([:]).isExternal == nil)
    #expect(PowerSupply.read(root: "/nowhere/at/all").isExternal == nil)
  }

  @Test func `is there while an adapter is online, whatever the battery does`() throws {
    let laptop = [
      "AC/type": "Mains", "AC/online": "1", "BAT0/type": "Battery", "BAT0/status": "Not charging",
    ]
    #expect(try read(laptop).evidence == "AC is online")
    #expect(try read(laptop.merging(["BAT0/status": "Discharging"]) { $1 }).isExternal == true)
    #expect(
      try read(laptop.merging(["AC/online": "2", "BAT0/status": "Discharging"]) { $1 })
        .isExternal == true)
  }

  @Test func `is gone when no adapter is online and a battery of the machine discharges`() throws {
    let unplugged = [
      "AC/type": "Mains", "AC/online": "0", "BAT0/type": "Battery",
      "BAT0/status": "Discharging", "BAT0/present": "1",
    ]
    #expect(
      try read(unplugged)
        == read(unplugged.merging(["BAT1/type": "Battery", "BAT1/status": "Full"]) { $1 }))
    #expect(try read(unplugged).isExternal == false)
    #expect(try read(unplugged.merging(["BAT0/status": "Full"]) { $1 }).isExternal == true)
    #expect(try read(unplugged.merging(["BAT0/present": "0"]) { $1 }).isExternal == true)
  }

  @Test func `does not go by the battery of a mouse`() throws {
    #expect(
      try read([
        "hid-mouse/type": "Battery", "hid-mouse/scope": "Device",
        "hid-mouse/status": "Discharging",
      ]).isExternal == true)
  }

  @Test func `does not come from a port that gives power to something else`() throws {
    let port = [
      "BAT0/type": "Battery", "BAT0/status": "Discharging", "ucsi/type": "USB",
      "ucsi/online": "1", "ucsi/device/typec/port0/power_role": "[source] sink",
    ]
    #expect(try read(port).isExternal == false)
    #expect(
      try read(port.merging(["ucsi/device/typec/port0/power_role": "source [sink]"]) { $1 })
        .isExternal == true)
    #expect(
      try read(port.filter { !$0.key.hasSuffix("power_role") }).isExternal == true)
  }
}
