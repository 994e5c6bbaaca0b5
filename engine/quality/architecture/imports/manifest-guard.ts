import { readFileSync, statSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'

/** What the resolver reads in a directory. */
const MANIFESTS = ['package.json', 'tsconfig.json']
/** Larger files are none that a project has. */
const MOST_BYTES = 16 * 1024 * 1024
/** Files that one tsconfig.json extends or refers to, through others. */
const MOST_LINKED = 200
/** The files that a tsconfig.json names: `extends`, one or several, and `path` of its references. */
const NAMED = /"(?:extends|path)"\s*:\s*(?:"([^"\n]{1,1000})"|\[([^\]]{0,10000})\])/g

/**
 * Finds files that the resolver would read and that never end, or never begin: a repository can put a link to a device, a pipe or a socket where a
 * manifest belongs. The resolver reads by itself, outside of every limit, so it is not asked where one is on its way.
 */
export class ManifestGuard {
  readonly #root: string
  readonly #directories = new Map<string, string | undefined>()

  constructor(root: string) {
    this.#root = root
  }

  /** The first such file on the way from a file to what a specifier means; undefined where there is none. */
  findSpecial(file: string, specifier: string): string | undefined {
    const from = dirname(file)
    const isPath = /^\.{0,2}\//.test(specifier) || specifier === '.' || specifier === '..'
    const name = /^(?:@[^/]+\/)?[^/]+/.exec(specifier)?.[0]
    for (const directory of this.#listAbove(from)) {
      const special =
        this.#judge(directory) ??
        (isPath || name === undefined ? undefined : this.#judge(join(directory, 'node_modules', name)))
      if (special !== undefined) return special
    }
    if (!isPath) return undefined
    for (const directory of this.#listAbove(resolve(from, specifier))) {
      const special = this.#judge(directory)
      if (special !== undefined) return special
    }
    return undefined
  }

  /** A directory and those around it, up to the root of the repository. */
  *#listAbove(directory: string): Generator<string> {
    for (let at = directory; ; at = dirname(at)) {
      yield at
      if (at === this.#root || dirname(at) === at || at.length < this.#root.length) return
    }
  }

  #judge(directory: string): string | undefined {
    if (!this.#directories.has(directory)) this.#directories.set(directory, findSpecialIn(directory))
    return this.#directories.get(directory)
  }
}

function findSpecialIn(directory: string): string | undefined {
  const open = MANIFESTS.map(name => join(directory, name))
  const seen = new Set(open)
  for (const path of open) {
    const state = look(path)
    if (state === 'special') return path
    if (state !== 'regular' || !path.endsWith('.json') || path.endsWith('package.json')) continue
    for (const named of listNamed(path))
      if (!seen.has(named) && seen.size < MOST_LINKED) {
        seen.add(named)
        open.push(named)
      }
  }
  return undefined
}

function look(path: string): 'regular' | 'special' | 'none' {
  try {
    const stats = statSync(path)
    if (stats.isDirectory()) return 'none'
    return stats.isFile() && stats.size <= MOST_BYTES ? 'regular' : 'special'
  } catch {
    // A link that leads nowhere, or in a circle, ends by itself.
    return 'none'
  }
}

function listNamed(path: string): string[] {
  const text = readFileSync(path, 'utf8')
  return [...text.matchAll(NAMED)].flatMap(([, one, several]) => {
    const names = one === undefined ? [...several!.matchAll(/"([^"\n]{1,1000})"/g)].map(([, name]) => name!) : [one]
    return names.flatMap(name => {
      if (!name.startsWith('.') && !isAbsolute(name)) return []
      const target = resolve(dirname(path), name)
      return [target, `${target}.json`, join(target, 'tsconfig.json')]
    })
  })
}
