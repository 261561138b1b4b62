internal import DayLog

/// The tables of a MyFitnessPal export: meals, exercise and measurements, by day.
enum MyFitnessPalTables {
  static let all: [VendorTable] = [
    VendorTable(
      titles: ["date", "meal", "calories"], when: .day("date"),
      columns: [
        "calories": .init(.named("dietary_energy"), fold: .sum),
        "fat_g": .init(.named("fat_g"), fold: .sum),
        "carbohydrates_g": .init(.named("carbohydrates_g"), fold: .sum),
        "protein_g": .init(.named("protein_g"), fold: .sum),
        "sugar": .init(.named("sugar_g"), fold: .sum),
        "fiber": .init(.named("fiber_g"), fold: .sum),
        "sodium_mg": .init(.named("sodium_mg"), fold: .sum),
        "cholesterol": .init(.named("cholesterol_mg"), fold: .sum),
      ], isOfEvents: true),
    VendorTable(
      titles: ["date", "exercise", "exercise_minutes", "exercise_calories"], when: .day("date"),
      columns: [
        "exercise_minutes": .init(.exerciseMinutes), "exercise_calories": .init(.activeEnergy),
      ], isOfEvents: true),
  ]
}
