import LinearAlgebra
import TestSupport
import Testing

@testable import Learning

@Suite struct `A blob` {
  /// One of each kind, with what reads it.
  private func samples() throws -> [(bytes: [UInt8], read: ([UInt8]) throws(BlobError) -> [UInt8])]
  {
    let rows = try RandomRows(seed: 1, rowCount: 20, featureCount: 3)
    var stream = try StreamingRidge(RidgeRegression(), rows.features, target: rows.target)
    let log = try KeyedMoments(keys: Array(0..<20), rows.features, target: rows.target)
    let labels = ContiguousArray((0..<20).map { $0 % 3 == 0 ? 1.0 : 0 })
    var logistic = try StreamingLogistic(
      LogisticRegression(), keys: Array(0..<20), rows.features, labels: labels)
    try logistic.set(20, rows.row(3), label: 1)
    try logistic.remove(5)
    return [
      (
        stream.model.encoded(),
        { bytes throws(BlobError) in try LinearModel(decoding: bytes).encoded() }
      ),
      (
        stream.encoded(),
        { bytes throws(BlobError) in
          var state = try StreamingRidge(decoding: bytes)
          return state.encoded()
        }
      ),
      (
        logistic.model.encoded(),
        { bytes throws(BlobError) in try LinearModel(decoding: bytes).encoded() }
      ),
      (
        logistic.encoded(),
        { bytes throws(BlobError) in try StreamingLogistic(decoding: bytes).encoded() }
      ),
      (log.encoded(), { bytes throws(BlobError) in try KeyedMoments(decoding: bytes).encoded() }),
    ]
  }

  @Test func `is read back to the same bytes`() throws {
    for sample in try samples() { #expect(try sample.read(sample.bytes) == sample.bytes) }
  }

  @Test func `that was altered anywhere is a named error`() throws {
    for sample in try samples() {
      var random = SplitMix64(seed: UInt64(sample.bytes.count))
      for _ in 0..<4000 {
        var bytes = sample.bytes
        for _ in 0..<Int.random(in: 1...4, using: &random) {
          let at = Int.random(in: 0..<bytes.count, using: &random)
          bytes[at] ^= UInt8.random(in: 1...255, using: &random)
        }
        if bytes != sample.bytes { #expect(throws: BlobError.self) { try sample.read(bytes) } }
      }
    }
  }

  @Test func `that was cut short anywhere is a named error`() throws {
    for sample in try samples() {
      for count in 0..<sample.bytes.count {
        #expect(throws: BlobError.self) { try sample.read(Array(sample.bytes.prefix(count))) }
      }
      #expect(throws: BlobError.truncated(expected: sample.bytes.count, actual: 40)) {
        try sample.read(Array(sample.bytes.prefix(40)))
      }
      #expect(throws: BlobError.altered) { try sample.read(sample.bytes + [0]) }
    }
  }

  @Test func `NUM_14: of a newer version or another kind says so`() throws {
    for sample in try samples() {
      var bytes = sample.bytes
      bytes[4] = 9
      let supported = Int(sample.bytes[4])
      #expect(throws: BlobError.newerVersion(found: 9, supported: supported)) {
        try sample.read(bytes)
      }
      bytes[0] = UInt8(ascii: "X")
      #expect(throws: BlobError.self) { try sample.read(bytes) }
    }
    #expect(throws: BlobError.notOfThisKind(expected: "DLin")) {
      try LinearModel(decoding: Array("DStr".utf8))
    }
  }

  @Test func `whose checksum fits but whose content does not is a named error`() {
    var writer = BlobWriter(kind: "DKey", version: 1)
    writer.write(3)
    writer.write([5, 4])
    let blob = writer.finish()
    #expect(throws: BlobError.malformed("keys out of order")) {
      var blob = BlobWriter(kind: "DKey", version: 1)
      blob.write(1)
      blob.write([5, 4])
      for _ in 0..<6 { blob.write(1.0) }
      return try KeyedMoments(decoding: blob.finish())
    }
    #expect(throws: BlobError.malformed("a number beyond the end")) {
      try KeyedMoments(decoding: blob)
    }
    #expect(throws: BlobError.malformed("a feature count")) {
      var blob = BlobWriter(kind: "DKey", version: 1)
      blob.write(16_000_000)
      blob.write([Int]())
      return try KeyedMoments(decoding: blob.finish())
    }
    #expect(throws: BlobError.malformed("a list beyond the end")) {
      var blob = BlobWriter(kind: "DRdg", version: 1)
      blob.write(1.0)
      blob.write(Int.max)
      return try LinearModel(decoding: blob.finish())
    }
  }

  @Test func `has the checksum that its catalogue gives for the digits`() {
    #expect(CRC64.checksum(Array("123456789".utf8)[...]) == 0x995D_C9BB_DF19_39FA)
  }
}
