/// What a service manager is told so that the loop runs: a service that runs what is eligible, once, and a
/// timer that starts it every quarter of an hour.
///
/// Everything here is text; writing it to its place is up to the caller.
package struct ServiceUnits: Hashable, Sendable {
  /// The full path of the program.
  package let program: String
  /// Its arguments, such as `--store FILE tasks run`.
  package let arguments: [String]
  /// How long a start of the service may take before it is told to stop: all runs together.
  package let allowance: Duration
  /// How long it may then take to stop.
  package let gracePeriod: Duration

  /// Units that run this program.
  package init(
    program: String, arguments: [String], allowance: Duration = .minutes(14),
    gracePeriod: Duration = .seconds(20)
  ) {
    self.program = program
    self.arguments = arguments
    self.allowance = allowance
    self.gracePeriod = gracePeriod
  }

  /// The name of the units, without their endings.
  package static let name = "diurnal"

  /// The service, for `~/.config/systemd/user/diurnal.service`.
  ///
  /// `RuntimeMaxSec=` is ignored for a service of type oneshot, so the start is limited instead; SIGTERM is
  /// the warning, the time to stop the grace period. The program looks at the power itself: a condition
  /// on it would spend the firing of the timer. What it says to the person holds their values, and the
  /// system's journal keeps what it gets where no forgetting reaches: only errors, which hold none, go there.
  package var systemdService: String {
    """
    [Unit]
    Description=Diurnal: run the background tasks that are due
    Documentation=man:systemd.timer(5)

    [Service]
    Type=oneshot
    ExecStart=\(([program] + arguments).map(Self.systemdWord).joined(separator: " "))
    TimeoutStartSec=\(allowance.components.seconds)
    KillSignal=SIGTERM
    TimeoutStopSec=\(gracePeriod.components.seconds)
    Nice=10
    IOSchedulingClass=idle
    StandardOutput=null

    """
  }

  /// The timer, for `~/.config/systemd/user/diurnal.timer`.
  package var systemdTimer: String {
    """
    [Unit]
    Description=Diurnal: look every quarter of an hour for background tasks that are due

    [Timer]
    OnCalendar=*:0/15
    Persistent=true

    [Install]
    WantedBy=timers.target

    """
  }

  /// The agent, for `~/Library/LaunchAgents/diurnal.plist`: firings missed in sleep become one at wake.
  package var launchdPropertyList: String {
    let words = ([program] + arguments).map { "    <string>\(Self.xml($0))</string>" }
    let quarters = [0, 15, 30, 45].map { minute in
      "    <dict><key>Minute</key><integer>\(minute)</integer></dict>"
    }
    return """
      <?xml version="1.0" encoding="UTF-8"?>
      <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" \
      "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
      <plist version="1.0">
      <dict>
        <key>Label</key>
        <string>\(Self.name)</string>
        <key>ProgramArguments</key>
        <array>
      \(words.joined(separator: "\n"))
        </array>
        <key>StartCalendarInterval</key>
        <array>
      \(quarters.joined(separator: "\n"))
        </array>
        <key>RunAtLoad</key>
        <true/>
        <key>ProcessType</key>
        <string>Background</string>
        <key>LowPriorityIO</key>
        <true/>
        <key>ExitTimeOut</key>
        <integer>\(gracePeriod.components.seconds)</integer>
      </dict>
      </plist>

      """
  }

  /// A word of a command line in a unit file: quoted, with what systemd would expand or unescape written
  /// so that it does not.
  private static func systemdWord(_ word: String) -> String {
    var text = ""
    for character in word.unicodeScalars {
      switch character {
      case "\\": text += "\\\\"
      case "\"": text += "\\\""
      case "%": text += "%%"
      case "$": text += "$$"
      case "\n": text += "\\n"
      case "\t": text += "\\t"
      // A line end of any kind would end the word, and systemd refuses what else controls.
      case _ where character.properties.generalCategory == .control:
        for byte in String(character).utf8 {
          text += "\\x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
      default: text.unicodeScalars.append(character)
      }
    }
    return "\"\(text)\""
  }

  /// The text of an element. Of what controls, XML knows line ends and tabs alone: the rest has no way in, and is
  /// left as the mark of what cannot be shown.
  private static func xml(_ text: String) -> String {
    var escaped = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      case "\t", "\n", "\r": escaped += "&#\(character.value);"
      case _ where character.properties.generalCategory == .control: escaped += "\u{FFFD}"
      default: escaped.unicodeScalars.append(character)
      }
    }
    return escaped
  }
}
