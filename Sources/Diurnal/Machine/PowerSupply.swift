#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif
#if os(macOS)
  internal import IOKit.ps
#endif

/// Whether a machine runs on external power, by the rule of systemd, read from the files of the kernel's
/// power supply class.
///
/// A supply that is no battery and is online means external power (a USB-C port that feeds others is none);
/// else a battery of the machine that discharges means battery; else external power: desktops and servers
/// have no supply at all. "Charging" would be the wrong question: a full laptop on the mains
/// is not. On a Mac the power sources of IOKit are asked. Where neither tells, nothing is known, and what is not known
/// is no external power.
///
/// Source: `on_ac_power` in systemd's `src/shared/battery-util.c`, and the kernel's
/// `Documentation/ABI/testing/sysfs-class-power`.
public struct PowerSupply: Hashable, Sendable {
  /// Whether there is external power; nil where that is not known.
  public let isExternal: Bool?
  /// What that was concluded from, in words, such as `AC is online`.
  public let evidence: String

  /// Reads the supplies below `root`; a supply whose type cannot be read is passed over.
  ///
  /// - Complexity: some ten small reads; takes well under a millisecond, but for hardware that answers
  ///   slowly.
  public static func read(root: String = "/sys/class/power_supply") -> PowerSupply {
    guard let names = contents(of: root) else {
      #if os(macOS)
        return mac(remaining: IOPSGetTimeRemainingEstimate())
      #else
        return unknown(root)
      #endif
    }
    return read(names, below: root)
  }

  private static func unknown(_ root: String) -> PowerSupply {
    PowerSupply(isExternal: nil, evidence: "there is no \(root) to tell")
  }

  /// What a Mac's estimate of the time until its battery is empty means: -2 stands for a power source without end, -1
  /// for a battery that has just come into use, and anything else is seconds of a battery.
  ///
  /// Source: `IOPSGetTimeRemainingEstimate` in IOKit's `IOPowerSources.h`.
  static func mac(remaining: Double) -> PowerSupply {
    remaining == -2
      ? PowerSupply(isExternal: true, evidence: "the power source has no end")
      : PowerSupply(isExternal: false, evidence: "a battery is in use")
  }

  private static func read(_ names: [String], below root: String) -> PowerSupply {
    var discharging: String?
    for name in names {
      let supply = root + "/" + name
      switch line(supply + "/type") {
      case nil: continue
      case "Battery":
        if isDischarging(supply) { discharging = discharging ?? name }
      default:
        if isSource(supply) { continue }
        // 0 is off; 1 and 2 (a supply whose voltage can be programmed) are on.
        if let online = line(supply + "/online"), online != "0" {
          return PowerSupply(isExternal: true, evidence: "\(name) is online")
        }
      }
    }
    if let discharging {
      return PowerSupply(isExternal: false, evidence: "\(discharging) is discharging")
    }
    return PowerSupply(isExternal: true, evidence: "no battery is discharging")
  }

  private static func isDischarging(_ supply: String) -> Bool {
    line(supply + "/scope") != "Device" && line(supply + "/present") != "0"
      && line(supply + "/status") == "Discharging"
  }

  /// A USB-C port in the role of a source gives power to what is plugged in: the role that holds is the one
  /// in brackets, `[source] sink`. Where no role is told, the port takes power.
  private static func isSource(_ supply: String) -> Bool {
    guard line(supply + "/type") == "USB" else { return false }
    let ports = supply + "/device/typec"
    let roles = (contents(of: ports) ?? []).compactMap { line(ports + "/" + $0 + "/power_role") }
    return roles.contains { $0.contains("[source]") } && !roles.contains { $0.contains("[sink]") }
  }

  private static func contents(of folder: String) -> [String]? {
    do {
      return try FileManager.default.contentsOfDirectory(atPath: folder).sorted()
    } catch {
      return nil
    }
  }

  private static func line(_ path: String) -> String? {
    guard let data = FileManager.default.contents(atPath: path) else { return nil }
    let text = String(decoding: data, as: UTF8.self)
    return text.split(separator: "\n", omittingEmptySubsequences: false).first.map(String.init)
  }
}
