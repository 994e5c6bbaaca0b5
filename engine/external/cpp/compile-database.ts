import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve, sep } from 'node:path'
import { readRegular } from '../../base/disk/read.ts'
import type { SourceFile } from '../../base/records/source-file.ts'
import { decode } from '../../base/text/decode.ts'
import { keepSafeFlags, splitCommand } from './compile-flags.ts'

/** The name that CMake, Meson, Bazel's and Bear's users all give it (clang.llvm.org/docs/JSONCompilationDatabase.html). */
const NAME = 'compile_commands.json'
/** Where builds leave it, the first one first. */
const FOLDERS = [
  '',
  'build',
  'out',
  'builddir',
  '_build',
  'build/debug',
  'build/release',
  'build/Debug',
  'build/Release',
]
const MORE_FOLDERS = [
  'cmake-build-debug',
  'cmake-build-release',
  'out/build',
  'out/Debug',
  'out/Release',
  '.build',
  'bin',
]
const MOST_BYTES = 256 << 20
/** Directories of headers that are searched where no database names them. */
const HEADER_FOLDER = /(?:^|\/)(?:include|includes|inc|headers)$/
const MOST_HEADER_FOLDERS = 64

/** How the sources of a repository are compiled. */
export interface CompileDatabase {
  /** The file that says so, from the root; absent where flags were made. */
  file?: string
  /** By path from the root. */
  entries: Map<string, string[]>
  /** Flags that are not passed on, by name. */
  dropped: string[]
  /** Why a database that is there was not read, with its path. */
  faults: string[]
  /** For a source without an entry. */
  otherwise: string[]
}

/** Reads the compilation database of a repository, or makes one of the folders in which its headers lie. */
export function findCompileDatabase(root: string, files: readonly SourceFile[]): CompileDatabase {
  const faults: string[] = []
  const otherwise = makeFlags(root, files)
  for (const folder of [...FOLDERS, ...MORE_FOLDERS]) {
    const file = folder === '' ? NAME : `${folder}/${NAME}`
    const path = join(root, file)
    if (!existsSync(path)) continue
    const content = readRegular(path, MOST_BYTES)
    const decoded = content instanceof Uint8Array ? decode(content) : undefined
    const list = decoded && 'text' in decoded ? parseList(decoded.text) : undefined
    if (!list) {
      faults.push(`${file} cannot be read as a compilation database: it must be a regular file with a JSON list.`)
      continue
    }
    return { file, ...readEntries(root, dirname(path), list), faults, otherwise }
  }
  return { entries: new Map(), dropped: [], faults, otherwise }
}

function parseList(text: string): unknown[] | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return Array.isArray(value) ? value : undefined
  } catch {
    return undefined
  }
}

/** The first entry of each file of the repository: a file that is compiled in several ways is analyzed in one. */
function readEntries(root: string, folder: string, list: readonly unknown[]) {
  const entries = new Map<string, string[]>()
  const dropped = new Set<string>()
  for (const value of list) {
    const { file, directory, command, arguments: words } = (value ?? {}) as Record<string, unknown>
    if (typeof file !== 'string') continue
    const from = typeof directory === 'string' ? resolve(folder, directory) : folder
    const path = relative(root, resolve(from, file)).split(sep).join('/')
    if (path.startsWith('..') || entries.has(path)) continue
    const argv = Array.isArray(words)
      ? words.filter(word => typeof word === 'string')
      : splitCommand(typeof command === 'string' ? command : '')
    const safe = keepSafeFlags(argv, from, file)
    for (const name of safe.dropped) dropped.add(name)
    entries.set(path, safe.flags)
  }
  return { entries, dropped: [...dropped].sort() }
}

/** Folders to search headers in, where nothing says how the sources are compiled. */
function makeFlags(root: string, files: readonly SourceFile[]): string[] {
  const folders = new Set<string>()
  for (const { path, language } of files) {
    if (language !== 'c' && language !== 'cpp') continue
    const parts = path.split('/').slice(0, -1)
    for (let length = 1; length <= parts.length; length++) {
      const folder = parts.slice(0, length).join('/')
      if (HEADER_FOLDER.test(folder)) folders.add(folder)
    }
  }
  const found = [...folders].sort().slice(0, MOST_HEADER_FOLDERS)
  return ['', ...(existsSync(join(root, 'src')) ? ['src'] : []), ...found].flatMap(folder => ['-I', join(root, folder)])
}
