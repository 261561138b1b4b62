import DayLog
import Storage
import Time

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// A process of its own for what a test cannot do in its own: be killed, and be nobody.
//
// storewriter write STORE KILL-AFTER NAME COUNT
//   writes to a store and is killed by itself, without warning, in the middle of it: after so many
//   statements and pieces of statements that SQLite has begun. Each line of its output acknowledges what
//   a call has returned from.
// storewriter forget STORE KILL-AFTER DAY
//   forgets a day and is killed by itself in the same way.
// storewriter read STORE
//   gives up the rights of the superuser where it has them, opens the store to read it and then to write
//   to it, and says what came of either.

let arguments = CommandLine.arguments
let path = arguments[2]

func say(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = unsafe bytes.withUnsafeBytes { unsafe write(1, $0.baseAddress, $0.count) }
}

switch arguments[1] {
case "write":
  try await write(name: arguments[4], count: Int(arguments[5]) ?? 0)
case "forget":
  KillSwitch.arm(after: Int(arguments[3]) ?? 0)
  let store = try LogStore(path: path, patience: 60)
  try await store.forget(
    CalendarDay(number: Int(arguments[4]) ?? 0), now: Instant(seconds: 4_000_000_000))
  say("forgotten")
  await store.close()
  say("done")
default:
  await readAsNobody()
}

func write(name: String, count: Int) async throws {
  KillSwitch.arm(after: Int(arguments[3]) ?? 0)
  let store = try LogStore(path: path, patience: 60)
  for number in 0..<count {
    try await store.type(
      Double(number), .mood, on: CalendarDay(number: number), source: name,
      now: Instant(seconds: Int64(number)))
    say("typed \(number)")
    let payload =
      #"{"id":"\#(name)-\#(number)","kind":"symptom","at":"2024-01-01T00:00:00Z","name":"\#(name) \#(number)","severity":1}"#
    try await store.enqueue([QueuedPayload(Array(payload.utf8))])
    say("queued \(number)")
    if number % 3 == 2 {
      let summary = try await store.drain(.symptom, now: nil)
      say("drained \(summary.applied)")
    }
  }
  await store.close()
  say("done")
}

func readAsNobody() async {
  let nobody: uid_t = 65_534
  if getuid() == 0, setgid(nobody) != 0 || setuid(nobody) != 0 {
    say("cannot become nobody")
    return
  }
  do {
    let store = try LogStore(path: path, access: .read)
    say("days \(try await store.days().count)")
    await store.close()
  } catch {
    say("read: \(error)")
  }
  do {
    let store = try LogStore(path: path)
    try await store.merge([
      Entry(
        key: EntryKey(day: CalendarDay(number: 1), metric: .mood, source: Source(.typed, "x")),
        asOf: Instant(seconds: 1), value: 1)
    ])
    say("written")
  } catch {
    say("write: \(error)")
  }
}
