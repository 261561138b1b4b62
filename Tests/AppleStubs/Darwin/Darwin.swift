// The C library as Apple's systems have it, to type-check our sources: Glibc, but for what differs there.
@_exported public import CDarwin
@_exported public import Glibc

/// <sys/resource.h>: limits are plain numbers, without an enumeration around them.
// swift-format-ignore: AlwaysUseLowerCamelCase
public let RLIMIT_AS: Int32 = 5
// swift-format-ignore: AlwaysUseLowerCamelCase
public let RLIMIT_NOFILE: Int32 = 8

@unsafe public func getrlimit(_ resource: Int32, _ limit: UnsafeMutablePointer<rlimit>) -> Int32 {
  -1
}
