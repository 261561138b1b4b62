import Foundation
import Learning
import LinearAlgebra
import TestSupport
import Testing

/// The example of `README.md` for the numeric core, compiled with the imports that it shows, and run.
@Suite struct `The example of the README for a matrix and a target` {
  @Test func `fit, update, forget and predict in ten lines`() throws {
    let features = try Matrix(rows: [[0, 5], [1, 7], [2, 11], [3, 13]])
    let target: ContiguousArray<Double> = [17, 19, 23, 29]
    let settings = RidgeRegression(penalty: 0.1)
    let fit = try settings.fit(features, target: target).model.predict([4, 17])

    var stream = try StreamingRidge(settings, features, target: target)
    try stream.add([4, 17], target: 31)
    try stream.remove([0, 5], target: 17)
    let updated = try stream.model.predict([5, 19])

    #expect(fit.isFinite && updated.isFinite)
    // Removing what was added leaves the first fit.
    try stream.add([0, 5], target: 17)
    try stream.remove([4, 17], target: 31)
    #expect(try abs(stream.model.predict([4, 17]) - fit) <= 1e-9 * abs(fit))
  }
}

@Suite struct `The README` {
  /// `ReadmeApp.swift` is compiled with these tests; only what makes it a program of its own is left out there.
  @Test func `shows an app that compiles as it stands`() throws {
    let checkout = SharedData.checkout
    let app = try String(
      contentsOf: checkout.appending(path: "Tests/DiurnalTests/ReadmeApp.swift"), encoding: .utf8)
    let readme = try String(contentsOf: checkout.appending(path: "README.md"), encoding: .utf8)
    #expect(readme.contains(app.replacing("struct Example", with: "@main struct Example")))
  }
}
