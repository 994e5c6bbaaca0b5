import type { Scope } from '../component.ts'
import { type Declaration, ManifestFault, type Parsed } from '../parsed.ts'
import { directoryOf, joinPath } from '../paths.ts'
import { findChild, listItems, readChild, readXml, type XmlElement } from '../syntax/xml.ts'

/** What a POM says itself, before parents and properties. */
interface Pom {
  file: string
  group?: string
  artifact?: string
  version?: string
  parent?: { group?: string; artifact?: string; version?: string; path: string }
  properties: Map<string, string>
  managed: Dependency[]
  dependencies: Dependency[]
}

interface Dependency {
  group: string
  artifact: string
  version?: string
  scope?: string
  type?: string
  isOptional: boolean
  line: number
}

const SCOPES: ReadonlyMap<string, Scope> = new Map([['test', 'test']])

/** Reads pom.xml. Versions come from properties, parents, dependencyManagement and BOMs of the repository: `combine` resolves them. */
export function parse(text: string, file: string): Parsed {
  const root = readXml(text)
  const parent = findChild(root, 'parent')
  const properties = new Map(
    (findChild(root, 'properties')?.children ?? []).map(({ name, text: value }) => [name, value]),
  )
  const directory = directoryOf(file)
  const read = (element: XmlElement | undefined) => listItems(element, 'dependencies', 'dependency').map(readDependency)
  const profiles = listItems(root, 'profiles', 'profile')
  const pom: Pom = {
    ...{
      file,
      properties,
      group: readChild(root, 'groupId'),
      artifact: readChild(root, 'artifactId'),
      version: readChild(root, 'version'),
    },
    managed: [root, ...profiles].flatMap(each => read(findChild(each, 'dependencyManagement'))),
    dependencies: [root, ...profiles].flatMap(read),
    ...(parent && {
      parent: {
        group: readChild(parent, 'groupId'),
        artifact: readChild(parent, 'artifactId'),
        version: readChild(parent, 'version'),
        path: pathOfParent(parent, directory),
      },
    }),
  }
  const license = listItems(root, 'licenses', 'license').flatMap(each => readChild(each, 'name') ?? [])
  return {
    model: pom,
    projects: [
      {
        directory,
        ...(license.length > 0 && { license: license.join(' OR ') }),
        declares: declare(new Resolver(new Map(), new Map()), pom),
      },
    ],
  }
}

function pathOfParent(parent: XmlElement, directory: string): string {
  const named = findChild(parent, 'relativePath')?.text ?? '../pom.xml'
  return joinPath(directory, named.endsWith('.xml') ? named : `${named}/pom.xml`)
}

function readDependency(element: XmlElement): Dependency {
  return {
    ...{
      group: readChild(element, 'groupId') ?? '',
      artifact: readChild(element, 'artifactId') ?? '',
      line: element.line,
    },
    ...{ version: readChild(element, 'version'), scope: readChild(element, 'scope'), type: readChild(element, 'type') },
    isOptional: readChild(element, 'optional') === 'true',
  }
}

/** Resolves all POMs of the repository by each other. */
export function combine(files: Map<string, Parsed>): void {
  const byPath = new Map<string, Pom>()
  const byName = new Map<string, Pom>()
  for (const [file, { model }] of files) byPath.set(file, model as Pom)
  // A name may come from a parent, which is found by its path; only then are parents and BOMs found by their names.
  const naming = new Resolver(byPath, new Map())
  for (const pom of byPath.values()) byName.set(`${naming.groupOf(pom)}:${pom.artifact}`, pom)
  const resolver = new Resolver(byPath, byName)
  for (const { model, projects } of files.values()) {
    const [project] = projects ?? []
    const pom = model as Pom
    if (project === undefined) continue
    project.name = `${resolver.groupOf(pom) ?? ''}:${pom.artifact ?? ''}`
    project.version = resolver.fill(pom, pom.version ?? pom.parent?.version)
    project.declares = declare(resolver, pom)
  }
}

function declare(resolver: Resolver, pom: Pom): Declaration[] {
  const found = new Map<string, Declaration>()
  for (const dependency of resolver.inherited(pom)) {
    resolver.spend(1)
    const [group, artifact] = [resolver.fill(pom, dependency.group), resolver.fill(pom, dependency.artifact)]
    if (!group || !artifact || (dependency.type === 'pom' && dependency.scope === 'import')) continue
    const name = `${group}:${artifact}`
    // The POM itself comes before its parents: what it says of a dependency holds.
    if (found.has(name)) continue
    const managed =
      dependency.version !== undefined && dependency.scope !== undefined ? undefined : resolver.findManaged(pom, name)
    const version = resolver.fill(pom, dependency.version) ?? managed?.version
    const scope = dependency.scope ?? managed?.scope ?? 'compile'
    // A range or a property that nothing here defines is no version; `[1.2]` is exactly that one.
    const exact = version?.replace(/^\[([^,\]]*)\]$/, '$1')
    const isRelease = exact !== undefined && /^[\w][^\s,()[\]${}]*$/.test(exact)
    const sibling = resolver.directoryOf(name)
    found.set(name, {
      ...{
        name,
        scope: dependency.isOptional ? 'optional' : (SCOPES.get(scope) ?? 'production'),
        line: dependency.line,
      },
      ...(version !== undefined && { requirement: version }),
      ...(isRelease && { version: exact }),
      ...(sibling !== undefined && sibling !== directoryOf(pom.file) && { directory: sibling }),
    })
  }
  return [...found.values()]
}

/** Levels of parents and BOMs; a circle ends there. */
const DEEPEST = 20

/** Steps from POM to POM, and dependencies of all of them together: a hundred times those of the largest repositories. */
const MOST_STEPS = 3_000_000

/** Characters that a property is filled with: what is longer is no version. */
const LONGEST_VALUE = 200

interface Managed {
  version?: string
  scope?: string
}

class Resolver {
  readonly #byPath: ReadonlyMap<string, Pom>
  readonly #byName: ReadonlyMap<string, Pom>
  readonly #managed = new Map<Pom, { entries: Map<string, Managed>; imports: Pom[] }>()
  readonly #lineages = new Map<Pom, Pom[]>()
  #left = MOST_STEPS

  constructor(byPath: ReadonlyMap<string, Pom>, byName: ReadonlyMap<string, Pom>) {
    this.#byPath = byPath
    this.#byName = byName
  }

  directoryOf(name: string): string | undefined {
    const pom = this.#byName.get(name)
    return pom && directoryOf(pom.file)
  }

  groupOf(pom: Pom): string | undefined {
    return this.fill(pom, pom.group ?? pom.parent?.group)
  }

  /** A POM and its parents of the repository, itself first. */
  lineage(pom: Pom): Pom[] {
    const known = this.#lineages.get(pom)
    if (known !== undefined) return known
    const found = [pom]
    this.#lineages.set(pom, found)
    for (let at = pom; found.length < DEEPEST; ) {
      const { parent } = at
      if (parent === undefined) break
      const above = this.#byPath.get(parent.path)
      const next = above?.artifact === parent.artifact ? above : this.#byName.get(`${parent.group}:${parent.artifact}`)
      if (next === undefined || found.includes(next)) break
      found.push(next)
      at = next
    }
    return found
  }

  /** A value with its properties replaced by those of the POM and its parents; an unknown one stays as it is written. */
  fill(pom: Pom, text: string | undefined, depth = 0): string | undefined {
    if (text === undefined || !text.includes('${')) return text
    if (depth > DEEPEST || text.length > 1000) return text
    const filled = text.replace(/\$\{([^${}]+)\}/g, (all, name: string) => this.#property(pom, name) ?? all)
    return filled === text ? text : this.fill(pom, filled, depth + 1)
  }

  #property(pom: Pom, name: string): string | undefined {
    for (const each of this.lineage(pom)) {
      const value = each.properties.get(name)
      if (value !== undefined) return value.length > LONGEST_VALUE ? undefined : value
    }
    const [, prefix, field] = /^(?:project|pom)\.(parent\.)?(groupId|artifactId|version)$/.exec(name) ?? []
    if (field === undefined) return undefined
    const key = field === 'groupId' ? 'group' : field === 'artifactId' ? 'artifact' : 'version'
    return prefix === undefined ? (pom[key] ?? pom.parent?.[key]) : pom.parent?.[key]
  }

  *inherited(pom: Pom): Generator<Dependency> {
    for (const [at, { dependencies }] of this.lineage(pom).entries())
      for (const dependency of dependencies) yield at === 0 ? dependency : { ...dependency, line: 1 }
  }

  /**
   * The version and scope that parents and imported BOMs of the repository set for a package; the nearest wins. Only the POMs' own lists are
   * kept: a copy of them for each module would be as large as all modules times the largest BOM.
   */
  findManaged(pom: Pom, name: string): Managed | undefined {
    return this.#search(pom, name, new Set(), 0)
  }

  #search(pom: Pom, name: string, seen: Set<Pom>, depth: number): Managed | undefined {
    if (depth > DEEPEST || seen.has(pom)) return undefined
    seen.add(pom)
    for (const each of this.lineage(pom)) {
      this.spend(1)
      const { entries, imports } = this.#ownManaged(each)
      const own = entries.get(name)
      // A property of a child overrides that of its parent.
      if (own !== undefined) return { version: this.fill(pom, own.version), scope: own.scope }
      for (const bom of imports) {
        const found = this.#search(bom, name, seen, depth + 1)
        if (found !== undefined) return found
      }
    }
    return undefined
  }

  /** Counts steps, and ends the work where POMs are made to need too many. */
  spend(steps: number): void {
    this.#left -= steps
    if (this.#left < 0) throw new ManifestFault(`POMs that need more than ${MOST_STEPS} steps are not resolved`)
  }

  #ownManaged(pom: Pom): { entries: Map<string, Managed>; imports: Pom[] } {
    const known = this.#managed.get(pom)
    if (known !== undefined) return known
    const own = { entries: new Map<string, Managed>(), imports: [] as Pom[] }
    this.#managed.set(pom, own)
    for (const { group, artifact, version, scope } of pom.managed) {
      const name = `${this.fill(pom, group)}:${this.fill(pom, artifact)}`
      if (scope === 'import') {
        const bom = this.#byName.get(name)
        if (bom !== undefined) own.imports.push(bom)
      } else if (!own.entries.has(name)) own.entries.set(name, { version, scope })
    }
    return own
  }
}
