import LinearAlgebra

/// Prepares the BLAS library when the test process is loaded, as the tool does in its first line.
///
/// A kernel must not change under a call, and no suite knows whether another one has already called the
/// library. Every test target is linked with this module (see `Package.swift`), so no suite can forget it.
/// What is kept in this section is run before `main`, after the libraries that the process was linked with.
#if os(Linux)
  @section(".init_array") @used
  private let prepareAtLoad: @convention(c) () -> Void = prepare
#else
  @section("__DATA,__mod_init_func") @used
  private let prepareAtLoad: @convention(c) () -> Void = prepare
#endif

private func prepare() { BLASRuntime.prepare() }
