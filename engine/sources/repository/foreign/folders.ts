/** A folder of other people's code, with what shows it. */
export interface ForeignFolder {
  path: string
  /** A file in it, or the folder itself, and in words what it shows. */
  evidence: { file: string; what: string }
}

/** Folders that package managers fill, wherever they stand. */
const INSTALLED = new Set([
  'node_modules',
  'bower_components',
  'jspm_packages',
  'site-packages',
  '__pypackages__',
  'elm-stuff',
])

/** Folders that hold other people's code where this file, from the folder on, is in them. */
const MARKED: readonly (readonly [folder: string, file: string, what: string])[] = [
  ['vendor', 'modules.txt', 'the list that `go mod vendor` writes'],
  ['vendor', 'composer/installed.json', 'the list that Composer writes'],
  ['vendor', 'vendor.json', 'the list that govendor writes'],
  ['vendor', 'manifest', 'the list that gvt writes'],
  ['vendor', 'bundle/config', 'the settings of Bundler'],
  ['Pods', 'Manifest.lock', 'the list that CocoaPods writes'],
  ['Godeps', 'Godeps.json', 'the list that godep writes'],
  ['.venv', 'pyvenv.cfg', 'the settings of a Python environment'],
  ['venv', 'pyvenv.cfg', 'the settings of a Python environment'],
  ['env', 'pyvenv.cfg', 'the settings of a Python environment'],
]

/** Folder names that say "not ours"; believed only where a licence of its own stands below. */
const NAMED = /^(?:vendor|vendored|third[-_]?party|3rd[-_]?party|external|externals|extern)$/i
const LICENCE = /^(?:licen[cs]e|copying|copyright|notice)(?:[-.][\w.-]+)?$/i

/** The folders of other people's code among these paths, outermost first; none lies in another. */
export function findForeignDirectories(paths: Iterable<string>): ForeignFolder[] {
  const found = new Map<string, ForeignFolder>()
  const add = (path: string, file: string, what: string) => {
    if (!found.has(path)) found.set(path, { path, evidence: { file, what } })
  }
  for (const path of paths) {
    const parts = path.split('/')
    for (const [at, part] of parts.slice(0, -1).entries()) {
      const folder = parts.slice(0, at + 1).join('/')
      const below = parts.slice(at + 1).join('/')
      if (INSTALLED.has(part)) add(folder, folder, 'a folder that a package manager fills')
      for (const [name, file, what] of MARKED) if (part === name && below === file) add(folder, path, what)
      // Directly, or in a folder for each library.
      const depth = parts.length - at - 2
      if (NAMED.test(part) && depth <= 1 && LICENCE.test(parts.at(-1)!)) add(folder, path, 'a licence of its own')
      if (part === '.yarn' && /^releases\/yarn-[\w.-]+\.c?js$/.test(below))
        add(`${folder}/releases`, path, 'a release of Yarn')
    }
  }
  const outer = [...found.values()].sort((a, b) => (a.path < b.path ? -1 : 1))
  return outer.filter(({ path }) => !outer.some(other => path.startsWith(`${other.path}/`)))
}
