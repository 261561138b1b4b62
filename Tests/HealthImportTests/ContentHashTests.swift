import HealthImport
import Testing

@Suite struct `The hash of a file` {
  /// From mmh3 5 for Python, `hash64(data, seed=0, x64arch=True, signed=False)` over the bytes
  /// `(7 i + 3) mod 256`.
  @Test(arguments: [
    (1, "726ac6dd306a3e594e711127c5b5a8e4"), (7, "becbbf54236ce3a12b3ba492e39cef50"),
    (8, "a5ee2a9a9132d3bd259e7f3a617e003a"), (15, "ba6a4b5e80ade4f4e00e5a8ff7e8f26d"),
    (16, "c4b099c52f8f4ea17d670219d92afe48"), (17, "d4ae4b39fe53b1276602453b6681dbe9"),
    (100, "176a52a2b675a4d3a2ac0b70381c282a"),
  ])
  func `is MurmurHash3 in 128 bits`(count: Int, digits: String) throws {
    let body = (0..<count).map { UInt8(truncatingIfNeeded: $0 * 7 + 3) }
    let hash = ContentHash(of: ContiguousArray(body))
    #expect(hash.description == "\(digits)-\(count)")
  }
}
