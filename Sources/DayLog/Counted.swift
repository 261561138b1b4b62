/// A number with its noun: `1 day`, `2 days`.
///
/// - Parameter plural: the noun of any number but 1, where that is not the noun with an s.
package func counted(_ number: Int, _ noun: String, plural: String? = nil) -> String {
  "\(number) \(number == 1 ? noun : plural ?? noun + "s")"
}
