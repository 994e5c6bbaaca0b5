import { join, relative, sep } from 'node:path'
import type { ResolverFactory } from 'oxc-resolver'
import { compileGlob } from '../../../base/text/glob.ts'
import { isObject } from '../../../base/text/json-object.ts'
import type { Project, Target } from './language.ts'
import { ManifestGuard } from './manifest-guard.ts'
import { climb, getFolder, joinPath } from './source-text.ts'

const EXTENSIONS = [
  '.ts',
  '.tsx',
  '.d.ts',
  '.mts',
  '.cts',
  '.d.mts',
  '.d.cts',
  '.js',
  '.jsx',
  '.mjs',
  '.cjs',
  '.json',
  '.vue',
  '.svelte',
  '.node',
]
/** TypeScript imports the file that will be built: `./a.js` means `a.ts`. A declaration beside a script is not the script. */
const BUILT_FROM = {
  '.js': ['.ts', '.tsx', '.js', '.jsx', '.d.ts'],
  '.jsx': ['.tsx', '.jsx'],
  '.mjs': ['.mts', '.mjs', '.d.mts'],
  '.cjs': ['.cts', '.cjs', '.d.cts'],
}
const OPTIONS = {
  extensions: EXTENSIONS,
  extensionAlias: BUILT_FROM,
  conditionNames: ['types', 'import', 'require', 'node', 'default'],
  mainFields: ['types', 'typings', 'module', 'main'],
  mainFiles: ['index'],
  builtinModules: false,
  nodePath: false,
}
const DEPENDENCIES = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies']
/** Directories that a build writes, and those that it reads: where a package's entry is not built yet, its source stands for it. */
const BUILT = new Set(['dist', 'lib', 'build', 'out', 'esm', 'cjs', 'es', 'types'])
const SOURCE = 'src'
/** Files that one template may import. */
const MOST_MATCHES = 1000
/** Comparisons of a path with a template, over all templates of the repository. */
const MOST_COMPARISONS = 20_000_000

interface Manifest {
  name?: string
  folder: string
  declared: ReadonlySet<string>
  /** Every path that the package's entries name, relative to it. */
  entries: readonly string[]
}

/** Finds what the specifiers of scripts lead to: by oxc-resolver, the workspace's packages, and what package.json declares. */
export class ScriptTargets {
  readonly #project: Project
  readonly #resolver: ResolverFactory
  readonly #plain: ResolverFactory
  readonly #manifests: Map<string, Manifest>
  readonly #workspace: Map<string, Manifest>
  readonly #known = new Map<string, Target>()
  readonly #guard: ManifestGuard
  /** By the glob of a template, its files. */
  readonly #matched = new Map<string, readonly number[]>()
  #comparisons = 0

  static async open(project: Project): Promise<ScriptTargets> {
    const { ResolverFactory } = await import('oxc-resolver')
    return new ScriptTargets(
      project,
      new ResolverFactory({ ...OPTIONS, tsconfig: 'auto' }),
      new ResolverFactory(OPTIONS),
    )
  }

  private constructor(project: Project, resolver: ResolverFactory, plain: ResolverFactory) {
    this.#project = project
    this.#guard = new ManifestGuard(project.root)
    this.#resolver = resolver
    this.#plain = plain
    this.#manifests = new Map(
      project.paths
        .filter(path => path === 'package.json' || path.endsWith('/package.json'))
        .map(path => [getFolder(path), readManifest(project, path)]),
    )
    this.#workspace = new Map([...this.#manifests.values()].flatMap(each => (each.name ? [[each.name, each]] : [])))
  }

  /** What a specifier means in a file; `file` is its absolute path. The same in all files of a directory, so it is looked up once for these. */
  find(path: string, file: string, specifier: string): Target {
    const key = `${getFolder(path)}\0${specifier}`
    const known = this.#known.get(key)
    if (known) return known
    const target = this.#resolve(path, file, specifier)
    this.#known.set(key, target)
    return target
  }

  /** The files that a template of a relative import can mean; undefined where there were too many templates before it. */
  findMatches(path: string, glob: string): readonly number[] | undefined {
    const pattern = glob.startsWith('.') ? joinPath(getFolder(path), glob) : undefined
    if (pattern === undefined) return []
    const known = this.#matched.get(pattern)
    if (known) return known
    const { paths } = this.#project
    if (this.#comparisons > MOST_COMPARISONS) return undefined
    this.#comparisons += paths.length
    const matches = compileGlob(pattern)
    const start = pattern.slice(0, pattern.search(/[*?[{\\]|$/))
    const found: number[] = []
    for (let file = 0; file < paths.length && found.length < MOST_MATCHES; file++)
      if (paths[file]!.startsWith(start) && matches(paths[file]!)) found.push(file)
    this.#matched.set(pattern, found)
    return found
  }

  #resolve(path: string, file: string, specifier: string): Target {
    // Loaders of bundlers stand before `!`, queries behind `?`.
    const plain = specifier.slice(specifier.lastIndexOf('!') + 1).replace(/\?.*$/, '')
    if (plain === '') return { state: 'missing', reason: 'the specifier is empty' }
    if (/^(?:https?|data|blob):|^\/\//.test(plain)) return { external: { name: plain.slice(0, 80), kind: 'package' } }
    const found = this.#ask(file, plain)
    if (found) return this.#place(found, plain)
    const isBare = !/^(?:\.{0,2}\/|\.{1,2}$|#)/.test(plain)
    const name = isBare ? getPackageName(plain) : undefined
    const member = name === undefined ? undefined : this.#workspace.get(name)
    if (member) return this.#findInWorkspace(member, plain)
    if (name !== undefined && this.#isDeclared(path, name)) return { external: { name, kind: 'package' } }
    const reason =
      name === undefined
        ? 'no such file'
        : `no package ${name} is installed or declared in package.json, and no path of tsconfig.json leads to it`
    return { state: 'missing', reason }
  }

  #ask(file: string, specifier: string): string | undefined {
    const special = this.#guard.findSpecial(file, specifier)
    if (special !== undefined) {
      this.#project.notice(`${this.#shorten(special)} is not a regular file, so what it says of imports is not known.`)
      return undefined
    }
    const answer = this.#resolver.resolveFileSync(file, specifier)
    if (answer.path !== undefined) return answer.path
    if (answer.error === undefined || /^Cannot find/.test(answer.error) || !/tsconfig|json/i.test(answer.error))
      return undefined
    this.#project.notice(
      `A tsconfig.json cannot be read, so its paths are not resolved: ${this.#shorten(answer.error)}`,
    )
    return this.#plain.resolveFileSync(file, specifier).path
  }

  #shorten(error: string): string {
    return error.split('\n')[0]!.replaceAll(`${this.#project.root}${sep}`, '').slice(0, 160)
  }

  /** Where an absolute path lies: a file of the graph, a package, or a file that is not scanned. */
  #place(absolute: string, specifier: string): Target {
    const path = relative(this.#project.root, absolute.replace(/[?#].*$/, ''))
      .split(sep)
      .join('/')
    const file = this.#project.numbers.get(path)
    if (file !== undefined) return { file }
    const parts = path.split('/')
    const at = parts.lastIndexOf('node_modules')
    if (at !== -1) return { external: { name: getPackageName(parts.slice(at + 1).join('/')), kind: 'package' } }
    if (!/^(?:\.{0,2}\/|#)/.test(specifier) && parts[0] === '..')
      return { external: { name: getPackageName(specifier), kind: 'package' } }
    return {
      state: 'outside',
      reason: parts[0] === '..' ? 'the file is outside the repository' : `${path} exists, but is not scanned`,
    }
  }

  /** A package of the workspace that is not installed: by its own exports, and by its source where these are not built. */
  #findInWorkspace(member: Manifest, specifier: string): Target {
    const folder = join(this.#project.root, member.folder)
    const own =
      this.#resolver.sync(folder, specifier).path ??
      this.#plain.sync(folder, `.${specifier.slice(member.name!.length)}`).path
    if (own !== undefined) return this.#place(own, specifier)
    const rest = specifier.slice(member.name!.length).replace(/^\//, '')
    const wanted = rest === '' ? member.entries : [rest, `${SOURCE}/${rest}`]
    for (const entry of wanted) {
      for (const candidate of listSourcePaths(entry)) {
        const path = this.#plain.sync(folder, `./${candidate}`).path
        if (path !== undefined) return this.#place(path, specifier)
      }
    }
    return { state: 'missing', reason: `the package ${member.name} of the workspace has no such entry` }
  }

  #isDeclared(path: string, name: string): boolean {
    const types = `@types/${name.replace(/^@/, '').replace('/', '__')}`
    for (const folder of climb(getFolder(path))) {
      const declared = this.#manifests.get(folder)?.declared
      if (declared?.has(name) || declared?.has(types)) return true
    }
    return false
  }
}

/** `@scope/name` or `name` of a specifier. */
function getPackageName(specifier: string): string {
  return specifier.split('/', specifier.startsWith('@') ? 2 : 1).join('/')
}

/** A path of a package as it is, and with the directory of its build replaced by that of its source. */
function* listSourcePaths(entry: string): Generator<string> {
  const plain = entry.replace(/^\.\//, '')
  yield plain
  const parts = plain.split('/')
  const bare = parts.at(-1)!.replace(/(?:\.d)?\.[cm]?[jt]sx?$/, '')
  const at = parts.findIndex(part => BUILT.has(part))
  const inside = at === -1 ? parts.slice(0, -1) : parts.slice(at + 1, -1).filter(part => !BUILT.has(part))
  yield [SOURCE, ...inside.filter(part => part !== SOURCE), bare].join('/')
  yield [...inside, bare].join('/')
}

function readManifest(project: Project, path: string): Manifest {
  const folder = getFolder(path)
  const nothing = { folder, declared: new Set<string>(), entries: [] }
  let value: unknown
  try {
    value = JSON.parse(project.read(path) ?? '')
  } catch {
    return nothing
  }
  if (!isObject(value)) return nothing
  const declared = DEPENDENCIES.flatMap(key => (isObject(value[key]) ? Object.keys(value[key] as object) : []))
  const root = isObject(value.exports) && '.' in value.exports ? value.exports['.'] : value.exports
  const entries = [
    ...listStrings(root),
    value.types,
    value.typings,
    value.module,
    value.main,
    'index',
    `${SOURCE}/index`,
  ]
  return {
    folder,
    ...(typeof value.name === 'string' && { name: value.name }),
    declared: new Set(declared),
    entries: entries.filter(each => typeof each === 'string'),
  }
}

/** The strings in a value of `exports`, conditions taken in their order. */
function listStrings(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value]
  if (depth > 8 || typeof value !== 'object' || value === null) return []
  return Object.values(value).flatMap(each => listStrings(each, depth + 1))
}
