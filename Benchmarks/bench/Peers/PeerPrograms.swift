#if canImport(FoundationEssentials)
  internal import FoundationEssentials
#else
  internal import Foundation
#endif

/// The package glmnet of R, which runs with one thread.
enum GLMNet {
  static func run(_ data: PeerData, _ run: Run) -> Peers.Answer? {
    let script = ReleaseBuild.checkout.appending(path: "Benchmarks/peers/glmnet.R").path
    let output = "\(run.folder)/glmnet.txt"
    let shapes = data.shapes.filter { $0.name != "L" || data.everything }.map { shape in
      let wanted = ["W1", "W2", "W5", "W6"].filter { data.measured.contains("\($0) \(shape.name)") }
      return "\(shape.name):\(shape.rows):\(shape.columns):" + wanted.joined(separator: ",")
    }
    let child = Raw.run(
      Peers.untouchedEnvironment(run.options) + ["Rscript", script, run.folder] + shapes,
      output: output)
    guard child?.exitCode == 0,
      let text = OptionalText.read(output)
    else { return nil }
    var answer = Peers.Answer(imports: [:], missing: [], results: [])
    for line in text.split(separator: "\n") {
      let words = line.split(separator: "\t", omittingEmptySubsequences: false)
        .map(String.init)
      if words.count == 1, let seconds = line.split(separator: " ").last.flatMap({ Double($0) }) {
        answer.imports["glmnet"] = seconds
      }
      guard words.count == 9,
        let median = Double(words[3]), let least = Double(words[4]), let cpu = Double(words[5]),
        let count = Int(words[6])
      else { continue }
      answer.results.append(
        Peers.Rival(
          workload: words[0], shape: words[1], rival: words[2], threads: 1, medianUs: median * 1e6,
          minUs: least * 1e6, cpuUs: cpu * 1e6, samples: count,
          note: words[7] == "-" ? nil : words[7],
          found: words[8].isEmpty ? nil : words[8].split(separator: " ").compactMap { Double($0) },
          within: 5e-2))
    }
    return answer
  }
}

/// A C program over an XML library that sums records by type and day.
struct XMLProgram {
  let name: String
  let source: String
  let flags: String

  static let all = [
    XMLProgram(
      name: "libxml2 SAX (C)", source: "libxml2.c",
      flags: "$(pkg-config --cflags --libs libxml-2.0)"),
    XMLProgram(name: "expat (C)", source: "expat.c", flags: "-lexpat"),
  ]

  /// Builds and runs it three times; nil where that does not work.
  func run(_ export: PeerData.Export, folder: String) -> Peers.Rival? {
    let path = ReleaseBuild.checkout.appending(path: "Benchmarks/peers/\(source)").path
    let program = "\(folder)/\(source).out"
    let build = Raw.run(["sh", "-c", "cc -O2 '\(path)' \(flags) -o '\(program)' 2>/dev/null"])
    guard build?.exitCode == 0 else { return nil }
    var samples = Samples()
    for _ in 0..<3 {
      guard let child = Raw.run([program, export.path], output: "\(program).txt"),
        child.exitCode == 0
      else { return nil }
      samples.add(child.time)
    }
    guard let text = OptionalText.read("\(program).txt") else { return nil }
    let found = text.split(separator: " ").compactMap { Double($0.filter { !$0.isWhitespace }) }
    return Peers.Rival(
      workload: "W10 sums", shape: export.shape, rival: name, threads: 1,
      medianUs: samples.wall(0.5) * 1e6,
      minUs: samples.wall(0) * 1e6, cpuUs: samples.cpu(0.5) * 1e6, samples: samples.count,
      note: "a process of its own", found: found, within: 1e-9)
  }
}
