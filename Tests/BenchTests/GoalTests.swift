import Testing

@testable import bench

@Suite struct `A goal` {
  private let rivals = [
    Peers.Rival(
      workload: "W2", shape: "S", rival: "scikit-learn RidgeCV(svd)", threads: 1, medianUs: 900,
      minUs: 900, samples: 3),
    Peers.Rival(
      workload: "W2", shape: "S", rival: "scikit-learn RidgeCV(eigen)", threads: 1, medianUs: 1200,
      minUs: 1200, samples: 3),
  ]

  private func outcome() -> Outcome {
    var outcome = Outcome(suite: .core, workload: "W2", shape: "S")
    outcome.medianUs = 100
    outcome.wallUs = 100
    outcome.limitUs = 80
    outcome.ratioToLimit = 1.25
    outcome.addedBytes = 2e6
    outcome.allocations = 0
    outcome.error = 1e-12
    return outcome
  }

  private func isReached(_ bound: Goal.Bound, _ outcome: Outcome?) -> Bool? {
    let curve = Growth(name: "W2", sizes: [1, 10], costs: [1, 10])
    return GoalTable.judge(Goal("W2", "S", bound), outcome, rivals, curve).isReached
  }

  @Test(arguments: [
    (Goal.Bound.seconds(1e-4), true), (.seconds(0.9e-4), false), (.timesRawWork(1.25), true),
    (.timesRawWork(1.2), false), (.addedBytes(2e6), true), (.addedBytes(1e6), false),
    (.allocations(0), true), (.error(0), false), (.error(1e-10), true), (.exponent(1.1), true),
    (.exponent(0.9), false),
    // The fastest of a rival's ways counts.
    (.fasterThan("scikit-learn RidgeCV", times: 9), true),
    (.fasterThan("scikit-learn RidgeCV", times: 10), false),
    (.fasterThan("scikit-learn RidgeCV(eigen)", times: 12), true),
  ])
  func `is reached or not by what was measured`(bound: Goal.Bound, isReached reached: Bool) {
    #expect(isReached(bound, outcome()) == reached)
  }

  @Test func `that was not measured is neither reached nor missed`() {
    for bound in [Goal.Bound.seconds(1), .timesRawWork(1), .fasterThan("polars", times: 1)] {
      #expect(isReached(bound, nil) == nil)
    }
    #expect(isReached(.fasterThan("polars", times: 1), outcome()) == nil)
    #expect(isReached(.peakBytes(1), outcome()) == nil)
  }

  @Test func `speaks of a workload that there is`() throws {
    let names = SuiteName.allCases.flatMap { suite in suite.workloads.map(\.name) }
    // Some are named together, such as `W4 remove, W4 change`.
    for goal in Goal.all(try Options([])) {
      #expect(names.contains { $0 == goal.workload || $0.contains(goal.workload) })
    }
  }
}

@Suite struct `A page` {
  private let page = """
    # Title

    <!-- bench: core -->
    old
    <!-- end -->
    between
    <!-- bench: peers -->
    kept
    <!-- end -->

    """

  @Test func `takes the tables of a run and keeps the rest`() {
    let filled = Page.filled(page, ["core": "a  b\n1  2", "other": "x"])
    #expect(
      filled.text == """
        # Title

        <!-- bench: core -->

        ```
        a  b
        1  2
        ```

        <!-- end -->
        between
        <!-- bench: peers -->
        kept
        <!-- end -->

        """)
    #expect(filled.kept == ["peers"])
    #expect(Page.filled(filled.text, ["core": "a  b\n1  2"]).text == filled.text)
  }

  @Test func `names the command without the files that it wrote`() throws {
    let options = try Options(
      ["--json", "a.json", "--peers", "--suite=core", "--window", "300", "--python", "p"])
    #expect(options.decisive == ["--suite", "core", "--peers", "--window", "300.0"])
    #expect(try Options([]).decisive.isEmpty)
  }
}
