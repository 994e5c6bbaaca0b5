// The platforms that a tarball can be made for: what npm calls them, and the names under which the native packages have their parts.

/**
 * By `<os>-<cpu>`, as Node names them. `parsers` is the directory of a grammar's prebuilt parser, `natives` the packages with the bindings
 * of ast-grep and DuckDB.
 */
export const PLATFORMS = {
  'linux-x64': of('linux', 'x64', 'Linux-X64', 'linux-x64-gnu', 'linux-x64'),
  'linux-arm64': of('linux', 'arm64', 'Linux-ARM64', 'linux-arm64-gnu', 'linux-arm64'),
  'darwin-x64': of('darwin', 'x64', 'macOS-X64', 'darwin-x64', 'darwin-x64'),
  'darwin-arm64': of('darwin', 'arm64', 'macOS-ARM64', 'darwin-arm64', 'darwin-arm64'),
  'win32-x64': of('win32', 'x64', 'Windows-X64', 'win32-x64-msvc', 'win32-x64'),
}

/** The bindings are built against glibc: on a system with musl they do not load. */
function of(os, cpu, parsers, astGrep, duckdb) {
  return {
    os,
    cpu,
    ...(os === 'linux' && { libc: 'glibc' }),
    parsers: `prebuild-${parsers}`,
    natives: [`@ast-grep/napi-${astGrep}`, `@duckdb/node-bindings-${duckdb}`],
  }
}
