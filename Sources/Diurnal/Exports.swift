// An app that imports Diurnal calls these rooms by their own names (a `Metric`, a `LoopHost`'s `TimeSource`):
// one import is enough for all of them.
@_exported public import DayLog
@_exported public import HealthImport
@_exported public import Personalisation
@_exported public import Scheduling
@_exported public import Storage
@_exported public import Time
