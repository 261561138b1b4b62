import DayLog
import Storage

#if canImport(Glibc)
  import Glibc
#else
  import Darwin
#endif

// A process that writes to a store and is killed by itself, without warning, in the middle of it: after so
// many statements and pieces of statements that SQLite has begun. Each line of its output acknowledges
// what a call has returned from.
//
// storewriter STORE KILL-AFTER NAME COUNT

let arguments = CommandLine.arguments
let name = arguments[3]

func acknowledge(_ line: String) {
  let bytes = Array((line + "\n").utf8)
  _ = unsafe bytes.withUnsafeBytes { unsafe write(1, $0.baseAddress, $0.count) }
}

KillSwitch.arm(after: Int(arguments[2]) ?? 0)
let store = try LogStore(path: arguments[1], patience: 60)
for number in 0..<(Int(arguments[4]) ?? 0) {
  try await store.type(
    Double(number), .mood, on: CalendarDay(number: number), source: name,
    now: Instant(seconds: Int64(number)))
  acknowledge("typed \(number)")
  let payload =
    #"{"id":"\#(name)-\#(number)","kind":"symptom","at":"2024-01-01T00:00:00Z","name":"\#(name) \#(number)","severity":1}"#
  try await store.enqueue([QueuedPayload(Array(payload.utf8))])
  acknowledge("queued \(number)")
  if number % 3 == 2 {
    let summary = try await store.drain(.symptom)
    acknowledge("drained \(summary.applied)")
  }
}
await store.close()
acknowledge("done")
