import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** A real source tree to measure on: the Debian package that has it, and how it is laid out as a git repository. */
export interface Tree {
  name: string
  package: string
  /** Puts the sources into the folder. */
  unpack(folder: string): void
}

const run = (cwd: string, command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd, stdio: 'pipe', maxBuffer: 1 << 28 })

export const TREES: readonly Tree[] = [
  {
    name: 'linux',
    package: 'linux-source-6.1',
    unpack: folder => run(folder, 'tar', 'xf', '/usr/src/linux-source-6.1.tar.xz', '--strip-components=1'),
  },
  {
    name: 'ansible',
    package: 'ansible',
    unpack(folder) {
      for (const name of readdirSync('/usr/lib/python3/dist-packages')) {
        if (!name.startsWith('ansible')) continue
        // What Python compiled when the package was installed is no source.
        const filter = (path: string) => !path.includes('__pycache__')
        cpSync(join('/usr/lib/python3/dist-packages', name), join(folder, name), { recursive: true, filter })
      }
    },
  },
  {
    name: 'go',
    package: 'golang-1.19-src',
    unpack: folder => cpSync('/usr/share/go-1.19/src', join(folder, 'src'), { recursive: true, dereference: true }),
  },
  {
    name: 'openjdk',
    package: 'openjdk-17-source',
    unpack: folder => run(folder, 'python3', '-m', 'zipfile', '-e', '/usr/lib/jvm/openjdk-17/lib/src.zip', '.'),
  },
]

/** Where the trees are kept between runs. */
const CACHE = process.env.SVC_BENCH_TREES ?? join(homedir(), '.cache/svc-bench')

/** Where bench/registry-history.ts keeps the history that it makes. */
export function historyFolder(): string {
  return join(CACHE, 'registry-history')
}

/** The tree as a git repository with everything committed, made on first use; undefined, with the reason said, where its package is not installed. */
export function treeFolder(tree: Tree): string | undefined {
  const folder = join(CACHE, tree.name)
  if (existsSync(join(folder, '.git'))) return folder
  const fresh = join(CACHE, `.${tree.name}-${process.pid}`)
  rmSync(fresh, { recursive: true, force: true })
  mkdirSync(fresh, { recursive: true })
  try {
    tree.unpack(fresh)
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true })
    console.error(
      `${tree.name}: skipped, install Debian's package ${tree.package} (${(error as Error).message.split('\n')[0]})`,
    )
    return undefined
  }
  run(fresh, 'git', 'init', '-q')
  // The kernel's own .gitignore ignores everything that a package build makes, and in Debian's tarball that is everything.
  run(fresh, 'git', 'add', '-A', '-f')
  run(fresh, 'git', '-c', 'user.name=bench', '-c', 'user.email=bench@localhost', 'commit', '-qm', 'As packaged')
  rmSync(folder, { recursive: true, force: true })
  renameSync(fresh, folder)
  return folder
}

/** The files that git tracks in a folder. */
export function tracked(folder: string): string[] {
  return run(folder, 'git', 'ls-files', '-z').toString().split('\0').filter(Boolean)
}

/** Bytes of these files of a folder, as far as they are there. */
export function bytesOf(folder: string, files: readonly string[]): number {
  return files.reduce((sum, path) => sum + (statSync(join(folder, path), { throwIfNoEntry: false })?.size ?? 0), 0)
}
