/// The model of an app's own store that CloudKit syncs, declared as data so that a test can hold it to
/// CloudKit's rules. An app that keeps its log in SwiftData declares its classes after this.
///
/// *Setting Up Core Data with CloudKit*, Apple: no unique constraints; attributes optional or with a
/// default; relationships optional, with an inverse, unordered and without the deny rule.
package struct SyncedModel: Sendable, Equatable {
  /// What kind of value an attribute has.
  package enum AttributeType: String, Sendable {
    case text, integer, real, date, data
    /// No type, or a reference to an object: neither can be synced.
    case undefined, objectID
  }

  /// One value that the objects of an entity have.
  package struct Attribute: Sendable, Equatable {
    /// What it is called.
    package var name: String
    /// What kind of value it is.
    package var type: AttributeType
    /// Whether an object may be without it.
    package var isOptional = false
    /// Whether there is a value for objects that were made without one.
    package var hasDefault = false
    /// Whether no two objects may have the same; CloudKit cannot hold that.
    package var isUnique = false

    /// An attribute that is neither optional nor unique and has no default, unless said otherwise.
    package init(
      _ name: String, _ type: AttributeType, isOptional: Bool = false, hasDefault: Bool = false,
      isUnique: Bool = false
    ) {
      self.name = name
      self.type = type
      self.isOptional = isOptional
      self.hasDefault = hasDefault
      self.isUnique = isUnique
    }
  }

  /// What becomes of the objects at the other end when one is deleted.
  package enum DeleteRule: String, Sendable { case nullify, cascade, deny }

  /// What leads from the objects of one entity to those of another.
  package struct Relationship: Sendable, Equatable {
    /// What it is called.
    package var name: String
    /// The entity to which it leads.
    package var destination: String
    /// The relationship of that entity that leads back.
    package var inverse: String?
    /// Whether an object may be without it.
    package var isOptional = true
    /// Whether the objects at the other end have an order; CloudKit keeps none.
    package var isOrdered = false
    /// What becomes of them when this object is deleted.
    package var deleteRule = DeleteRule.nullify

    /// A relationship to `destination`.
    package init(
      _ name: String, to destination: String, inverse: String?, isOptional: Bool = true,
      isOrdered: Bool = false, deleteRule: DeleteRule = .nullify
    ) {
      self.name = name
      self.destination = destination
      self.inverse = inverse
      self.isOptional = isOptional
      self.isOrdered = isOrdered
      self.deleteRule = deleteRule
    }
  }

  /// A kind of object.
  package struct Entity: Sendable, Equatable {
    /// What it is called.
    package var name: String
    /// The values that its objects have.
    package var attributes: [Attribute]
    /// What leads from its objects to others.
    package var relationships: [Relationship] = []
    /// Attributes that together may not be the same in two objects.
    package var uniqueness: [[String]] = []

    /// An entity with these attributes.
    package init(
      _ name: String, attributes: [Attribute], relationships: [Relationship] = [],
      uniqueness: [[String]] = []
    ) {
      self.name = name
      self.attributes = attributes
      self.relationships = relationships
      self.uniqueness = uniqueness
    }
  }

  /// The kinds of objects that the model has.
  package var entities: [Entity]

  /// A model of these entities.
  package init(_ entities: [Entity]) { self.entities = entities }

  /// The log as an app declares it. The day is a day number and no date; that a day has one row is held
  /// by find-or-create and by folding (`Merge.fold`).
  package static let log = SyncedModel([
    Entity(
      "Day",
      attributes: [
        Attribute("id", .text, hasDefault: true), Attribute("number", .integer, hasDefault: true),
      ],
      relationships: [
        Relationship("entries", to: "Entry", inverse: "day", deleteRule: .cascade)
      ]),
    Entity(
      "Entry",
      attributes: [
        Attribute("metric", .text, hasDefault: true),
        Attribute("origin", .text, hasDefault: true),
        Attribute("source", .text, hasDefault: true),
        Attribute("asOf", .integer, hasDefault: true),
        Attribute("value", .real, isOptional: true),
      ],
      relationships: [Relationship("day", to: "Day", inverse: "entries")]),
    Entity(
      "ForgetMark",
      attributes: [
        Attribute("dayNumber", .integer, hasDefault: true),
        Attribute("metric", .text, isOptional: true),
        Attribute("asOf", .integer, hasDefault: true),
      ]),
    Entity(
      "Payload",
      attributes: [
        Attribute("id", .text, hasDefault: true), Attribute("kind", .text, hasDefault: true),
        Attribute("bytes", .data, isOptional: true),
        Attribute("isApplied", .integer, hasDefault: true),
      ]),
  ])

  /// One way in which a model breaks the rules; ``description`` says where and what to do.
  package enum Breach: Hashable, Sendable, CustomStringConvertible {
    /// An attribute is neither optional nor has it a default.
    case requiredAttribute(entity: String, attribute: String)
    /// An attribute is unique.
    case uniqueAttribute(entity: String, attribute: String)
    /// Attributes are unique together.
    case uniqueness(entity: String, attributes: [String])
    /// An attribute has a type that cannot be synced.
    case unsupportedType(entity: String, attribute: String)
    /// A relationship is not optional.
    case requiredRelationship(entity: String, relationship: String)
    /// A relationship has no inverse, or one that does not point back.
    case missingInverse(entity: String, relationship: String)
    /// A relationship is ordered.
    case orderedRelationship(entity: String, relationship: String)
    /// A relationship keeps objects from being deleted.
    case denyRule(entity: String, relationship: String)
    /// A relationship leads to an entity that the model has not.
    case unknownDestination(entity: String, relationship: String)

    /// Where the model breaks the rule, and what to do.
    package var description: String {
      switch self {
      case .requiredAttribute(let entity, let name):
        "\(entity).\(name) is required and has no default: make it optional or give it a default."
      case .uniqueAttribute(let entity, let name):
        "\(entity).\(name) is unique, which CloudKit cannot hold: find or create, and fold after a sync."
      case .uniqueness(let entity, let names):
        "\(entity) is unique by \(names.joined(separator: ", ")), which CloudKit cannot hold: find or create, and fold after a sync."
      case .unsupportedType(let entity, let name):
        "\(entity).\(name) has a type that CloudKit cannot hold: give it a plain type."
      case .requiredRelationship(let entity, let name):
        "\(entity).\(name) is required: make the relationship optional."
      case .missingInverse(let entity, let name):
        "\(entity).\(name) has no inverse that points back: declare one."
      case .orderedRelationship(let entity, let name):
        "\(entity).\(name) is ordered: keep a position as an attribute instead."
      case .denyRule(let entity, let name):
        "\(entity).\(name) denies deletion: use nullify or cascade."
      case .unknownDestination(let entity, let name):
        "\(entity).\(name) leads to an entity that is not in the model: declare it."
      }
    }
  }

  /// Every breach of the rules, in the order of the model; empty for a model that can be synced.
  package func breaches() -> [Breach] {
    var found: [Breach] = []
    for entity in entities {
      for attribute in entity.attributes {
        let place = (entity.name, attribute.name)
        if !attribute.isOptional && !attribute.hasDefault {
          found.append(.requiredAttribute(entity: place.0, attribute: place.1))
        }
        if attribute.isUnique {
          found.append(.uniqueAttribute(entity: place.0, attribute: place.1))
        }
        if attribute.type == .undefined || attribute.type == .objectID {
          found.append(.unsupportedType(entity: place.0, attribute: place.1))
        }
      }
      found += entity.uniqueness.map { .uniqueness(entity: entity.name, attributes: $0) }
      for relationship in entity.relationships {
        found += breaches(of: relationship, in: entity.name)
      }
    }
    return found
  }

  private func breaches(of relationship: Relationship, in entity: String) -> [Breach] {
    let name = relationship.name
    var found: [Breach] = []
    if !relationship.isOptional {
      found.append(.requiredRelationship(entity: entity, relationship: name))
    }
    if relationship.isOrdered {
      found.append(.orderedRelationship(entity: entity, relationship: name))
    }
    if relationship.deleteRule == .deny {
      found.append(.denyRule(entity: entity, relationship: name))
    }
    guard let destination = entities.first(where: { $0.name == relationship.destination }) else {
      return found + [.unknownDestination(entity: entity, relationship: name)]
    }
    let pointsBack = destination.relationships.contains {
      $0.name == relationship.inverse && $0.destination == entity && $0.inverse == name
    }
    return pointsBack ? found : found + [.missingInverse(entity: entity, relationship: name)]
  }
}
