// The platforms that a tarball can be made for: what npm calls them, and the names under which the native packages have their parts.

import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../bundling.mjs'

/**
 * By `<os>-<cpu>`, as Node names them. `parsers` is the directory of a grammar's prebuilt parser, `natives` the packages with the bindings
 * of ast-grep, DuckDB, oxc-resolver and the file watcher; those written in Rust call a platform the same.
 */
export const PLATFORMS = {
  'linux-x64': of('linux', 'x64', 'Linux-X64', 'linux-x64-gnu', 'linux-x64'),
  'linux-arm64': of('linux', 'arm64', 'Linux-ARM64', 'linux-arm64-gnu', 'linux-arm64'),
  'darwin-x64': of('darwin', 'x64', 'macOS-X64', 'darwin-x64', 'darwin-x64'),
  'darwin-arm64': of('darwin', 'arm64', 'macOS-ARM64', 'darwin-arm64', 'darwin-arm64'),
  'win32-x64': of('win32', 'x64', 'Windows-X64', 'win32-x64-msvc', 'win32-x64'),
}

/** The bindings are built against glibc: on a system with musl they do not load. */
function of(os, cpu, parsers, rust, duckdb) {
  return {
    os,
    cpu,
    ...(os === 'linux' && { libc: 'glibc' }),
    parsers: `prebuild-${parsers}`,
    natives: [
      `@ast-grep/napi-${rust}`,
      `@duckdb/node-bindings-${duckdb}`,
      `@oxc-resolver/binding-${rust}`,
      `@parcel/watcher-${os}-${cpu}${os === 'linux' ? '-glibc' : ''}`,
    ],
  }
}

/** The platforms that arguments name: this machine's where they name none, every one for `all`. An unknown name ends the process with 64. */
export function parsePlatforms(args) {
  if (args.includes('all')) return Object.keys(PLATFORMS)
  const names = args.length > 0 ? args : [`${process.platform}-${process.arch}`]
  for (const name of names)
    if (!Object.hasOwn(PLATFORMS, name))
      fail(64, `unknown platform ${name}: use ${Object.keys(PLATFORMS).join(', ')}, or all`)
  return names
}

/** Ends the process with 66 where the program was not built. */
export function requireBuild() {
  if (!existsSync(join(root, 'dist/svc.js'))) fail(66, 'dist/ is missing: run `npm run build` first')
}

function fail(code, message) {
  console.error(message)
  process.exit(code)
}
