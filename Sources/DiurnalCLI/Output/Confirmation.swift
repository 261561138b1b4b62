/// A question before something that cannot be undone, or that is rather a slip of the hand.
struct Confirmation {
  /// Whether the person has answered beforehand, with --yes.
  let isGiven: Bool

  /// Goes on where the person says so: asks on a terminal, and refuses elsewhere with what would have been asked.
  func require(_ question: String, _ syntax: CommandSyntax) throws(Failure) {
    if isGiven { return }
    guard Terminal.canAsk else {
      throw Failure(.failed, "\(question)\nNothing was changed. To do it: add --yes")
    }
    guard Terminal.asks(question + " Go on? [y/N] ") else {
      throw Failure(.failed, "nothing was changed")
    }
  }
}
