import type { Component, Ecosystem, Inventory, Location, Manifest, Project, Scope } from './component.ts'
import { Coverage, findLockDirectory } from './coverage.ts'
import { formatPurl, normalizeName } from './ecosystems.ts'
import type { Declaration, Entry, Parsed, ParsedProject } from './parsed.ts'
import { compareText, directoryOf } from './paths.ts'
import { redactEntry } from './resolved.ts'
import { assignScopes, type Graph, strictest } from './scopes.ts'

/** A file that was read, with what its format is. */
export interface ReadFile {
  file: string
  format: string
  ecosystem: Ecosystem
  /** Formats of one family complete each other: a lock file resolves what a manifest declares. */
  family: string
  kind: 'lock' | 'manifest'
  /** Whether a lock file holds for projects in directories below it. */
  workspaces: boolean
  parsed: Parsed
}

interface OpenProject {
  id: string
  ecosystem: Ecosystem
  parsed: ParsedProject
  file: string
}

/** Merges what files say into one inventory: one component for each package and version, with every place that names it. */
export function buildInventory(files: readonly ReadFile[], manifests: Manifest[]): Inventory {
  placeMembers(files)
  const builder = new Builder(files)
  for (const file of files) builder.addEntries(file)
  for (const file of files) builder.addProjects(file)
  for (const file of files) builder.link(file)
  return { ...builder.finish(), manifests: manifests.sort((a, b) => compareText(a.file, b.file)) }
}

/** Gives members of a workspace, whose lock file knows their names alone, the directories of the manifests with these names. */
function placeMembers(files: readonly ReadFile[]): void {
  const named = new Map<string, string>()
  for (const { family, kind, parsed } of files)
    if (kind === 'manifest')
      for (const { name, directory } of parsed.projects ?? [])
        if (name !== undefined) named.set(`${family}\0${name}`, directory)
  for (const { family, parsed } of files)
    for (const project of parsed.projects ?? [])
      if (project.byName) project.directory = named.get(`${family}\0${project.name}`) ?? project.directory
}

class Builder {
  readonly #components = new Map<string, Component>()
  readonly #projects = new Map<string, OpenProject>()
  /** Component or project id by file and key. */
  readonly #ids = new Map<ReadFile, Map<string, string>>()
  readonly #byName = new Map<ReadFile, Map<string, string[]>>()
  readonly #graph: Graph = { edges: new Map(), roots: new Map(), said: new Map() }
  readonly #locks = new Map<string, ReadFile[]>()
  readonly #coverage: Coverage
  /** Components with their locations and with their hashes, to list each once. */
  readonly #places = new Set<string>()
  readonly #hashes = new Set<string>()
  /** Directories of projects by family and name. */
  readonly #named = new Map<string, string[]>()

  constructor(files: readonly ReadFile[]) {
    this.#coverage = new Coverage(files)
    for (const file of files) {
      if (file.kind === 'lock') addTo(this.#locks, `${file.family}\0${findLockDirectory(file)}`, file)
      for (const { name, directory } of file.parsed.projects ?? [])
        if (name !== undefined) addTo(this.#named, `${file.family}\0${name}`, directory)
    }
  }

  addEntries(file: ReadFile): void {
    const ids = new Map<string, string>()
    const names = new Map<string, string[]>()
    for (const entry of file.parsed.entries ?? []) {
      const ecosystem = entry.ecosystem ?? file.ecosystem
      const component = this.#addComponent(ecosystem, entry, { file: file.file, line: entry.line })
      ids.set(entry.key, component.id)
      const said = this.#graph.said.get(component.id)
      const scope = entry.scope ?? 'unknown'
      this.#graph.said.set(component.id, said === undefined ? scope : strictest(said, scope))
      const name = normalizeName(ecosystem, entry.name)
      const same = names.get(name)
      if (same) same.push(component.id)
      else names.set(name, [component.id])
    }
    this.#ids.set(file, ids)
    this.#byName.set(file, names)
  }

  addProjects(file: ReadFile): void {
    const ids = this.#ids.get(file)!
    for (const parsed of file.parsed.projects ?? []) {
      const id = idOfProject(file.family, parsed.directory)
      const known = this.#projects.get(id)
      if (known === undefined)
        this.#projects.set(id, { id, ecosystem: file.ecosystem, parsed: { ...parsed }, file: file.file })
      else this.#completeProject(known, parsed, file)
      if (parsed.key !== undefined) ids.set(parsed.key, id)
    }
    for (const { key, edges = [] } of file.parsed.entries ?? []) {
      for (const { to, kind } of edges) this.#addEdge(ids.get(key)!, ids.get(to), 'production', kind)
    }
    for (const { directory, edges = [] } of file.parsed.projects ?? []) {
      const id = idOfProject(file.family, directory)
      for (const { to, scope = 'production', kind } of edges) this.#addRoot(id, ids.get(to), scope, kind)
    }
  }

  /** Resolves what a manifest declares by the nearest lock files of its family. */
  link(file: ReadFile): void {
    for (const project of file.parsed.projects ?? []) {
      if (!project.declares?.length) continue
      const id = idOfProject(file.family, project.directory)
      const locks = this.#findLocks(file, project.directory)
      for (const declared of project.declares) this.#linkDeclaration(file, id, locks, declared)
    }
  }

  #linkDeclaration(file: ReadFile, id: string, locks: readonly ReadFile[], declared: Declaration): void {
    const place = { file: file.file, line: declared.line }
    if (declared.directory !== undefined) {
      const other = idOfProject(file.family, declared.directory)
      if (this.#projects.has(other)) {
        this.#addRoot(id, other, declared.scope)
        return
      }
    }
    let isFound = false
    for (const lock of locks) {
      const found = this.#resolve(lock, id, declared)
      if (found === undefined) continue
      isFound = true
      this.#addRoot(id, found, declared.scope)
      const component = this.#components.get(found)
      if (component) this.#addLocation(component, place)
    }
    if (isFound || declared.directory !== undefined) return
    if (isOfWorkspace(declared)) {
      // No lock file tells which one: the project of that name, and none where it is not in the repository.
      const [directory] = this.#named.get(`${file.family}\0${declared.name}`) ?? []
      this.#addRoot(id, directory === undefined ? undefined : idOfProject(file.family, directory), declared.scope)
      return
    }
    const component = this.#addComponent(declared.ecosystem ?? file.ecosystem, declared, place)
    this.#addRoot(id, component.id, declared.scope)
  }

  #resolve(lock: ReadFile, project: string, declared: Declaration): string | undefined {
    const key = lock.parsed.find?.(declared)
    if (key !== undefined) return this.#ids.get(lock)?.get(key)
    const name = normalizeName(declared.ecosystem ?? lock.ecosystem, declared.name)
    const named = this.#byName.get(lock)?.get(name)
    // A lock file that resolves requirements and has none for this one leaves it to a member of the workspace.
    const isMember = named === undefined || lock.parsed.find !== undefined || isOfWorkspace(declared)
    const member = isMember ? this.#findProject(lock, declared.name) : undefined
    if (member !== undefined || named === undefined) return member
    if (named.length === 1) return named[0]
    // Several versions: the one that the lock file gives this project, else the one that is asked for.
    const own = this.#graph.roots.get(project)
    return (
      named.find(id => own?.has(id)) ??
      named.find(id => this.#components.get(id)?.version === declared.version) ??
      named[0]
    )
  }

  /** A project of the same lock file that has the name: a member of the workspace. */
  #findProject(lock: ReadFile, name: string): string | undefined {
    const directories = this.#named.get(`${lock.family}\0${name}`)
    const member = directories?.find(directory => isWithin(directory, lock) && this.#coverage.includes(lock, directory))
    return member === undefined ? undefined : idOfProject(lock.family, member)
  }

  #findLocks(file: ReadFile, directory: string): ReadFile[] {
    for (let at = directory; ; at = directoryOf(at)) {
      const locks = (this.#locks.get(`${file.family}\0${at}`) ?? []).filter(
        lock => lock !== file && this.#coverage.includes(lock, directory),
      )
      if (locks.length > 0) return locks
      if (at === '') return []
    }
  }

  #completeProject(known: OpenProject, parsed: ParsedProject, file: ReadFile): void {
    for (const field of ['name', 'version', 'license'] as const) known.parsed[field] ??= parsed[field]
    if (file.kind === 'manifest') known.file = file.file
  }

  #addComponent(ecosystem: Ecosystem, named: Omit<Entry, 'key'>, place: Location): Component {
    const entry = redactEntry(named)
    const purl = formatPurl(ecosystem, entry)
    const requirement = entry.version === undefined ? entry.requirement : undefined
    const base = purl ?? [ecosystem, entry.name, ...(entry.version === undefined ? [] : [entry.version])].join(':')
    const id = entry.version === undefined ? `${base}#${requirement ?? '*'}` : base
    let component = this.#components.get(id)
    if (component === undefined) {
      component = {
        ...{ id, ecosystem, name: entry.name },
        ...(entry.version !== undefined && { version: entry.version }),
        ...(requirement !== undefined && { requirement }),
        ...(purl !== undefined && { purl }),
        ...{ kind: entry.kind ?? 'library', scope: 'unknown', direct: false },
        ...{ locations: [], hashes: [], dependencies: [] },
      }
      this.#components.set(id, component)
    }
    component.license ??= entry.license
    if (component.license === undefined) delete component.license
    if (entry.resolved !== undefined) component.resolved ??= entry.resolved
    for (const hash of entry.hashes ?? []) {
      const key = `${id}\0${hash.algorithm}\0${hash.value}`
      if (this.#hashes.has(key)) continue
      this.#hashes.add(key)
      component.hashes.push(hash)
    }
    this.#addLocation(component, place)
    return component
  }

  #addLocation({ id, locations }: Component, { file, line }: Location): void {
    const place = `${id}\0${file}\0${line}`
    if (this.#places.has(place)) return
    this.#places.add(place)
    locations.push(line === undefined ? { file } : { file, line })
  }

  #addEdge(from: string, to: string | undefined, scope: Scope, kind?: 'optional' | 'peer'): void {
    if (to === undefined || to === from) return
    const edges = this.#graph.edges.get(from) ?? new Map()
    this.#graph.edges.set(from, edges)
    // The same package may be needed and optional: needed wins.
    const before = edges.get(to)
    edges.set(to, before === undefined || before.kind === kind ? { kind, scope } : { scope, kind: undefined })
  }

  #addRoot(project: string, to: string | undefined, scope: Scope, kind?: 'optional' | 'peer'): void {
    if (to === undefined || to === project) return
    const roots = this.#graph.roots.get(project) ?? new Map<string, Scope>()
    this.#graph.roots.set(project, roots)
    const effective = kind === 'optional' && scope === 'production' ? 'optional' : scope
    const before = roots.get(to)
    // A lock file may not say what for; the manifest does.
    const isSaid = before !== undefined && before !== 'unknown'
    roots.set(to, !isSaid ? effective : effective === 'unknown' ? before : strictest(before, effective))
  }

  finish(): Pick<Inventory, 'components' | 'projects'> {
    const scopes = assignScopes(this.#graph, id => this.#projects.has(id))
    const components = [...this.#components.values()].sort((a, b) => compareText(a.id, b.id))
    for (const component of components) {
      component.scope = scopes.get(component.id) ?? 'unknown'
      const edges = [...(this.#graph.edges.get(component.id) ?? [])].filter(([to]) => to !== component.id)
      edges.sort(([a], [b]) => compareText(a, b))
      component.dependencies = edges.map(([to]) => to)
      const ofKind = (kind: string) => edges.flatMap(([to, edge]) => (edge.kind === kind ? to : []))
      const [optional, peers] = [ofKind('optional'), ofKind('peer')]
      if (optional.length > 0) component.optional = optional
      if (peers.length > 0) component.peers = peers
      component.locations.sort((a, b) => compareText(a.file, b.file) || (a.line ?? 0) - (b.line ?? 0))
      component.hashes.sort((a, b) => compareText(a.algorithm + a.value, b.algorithm + b.value))
    }
    const projects = [...this.#projects.values()].map(open => this.#describeProject(open))
    for (const { dependencies } of projects)
      for (const id of dependencies) {
        const component = this.#components.get(id)
        if (component) component.direct = true
      }
    return { components, projects: projects.sort((a, b) => compareText(a.id, b.id)) }
  }

  #describeProject({ id, ecosystem, parsed, file }: OpenProject): Project {
    const { name = parsed.directory.split('/').at(-1) || '.', version, license } = parsed
    return {
      ...{ id, ecosystem, name },
      ...(version !== undefined && { version }),
      ...(license !== undefined && { license }),
      ...{ file, dependencies: [...(this.#graph.roots.get(id)?.keys() ?? [])].sort(compareText) },
    }
  }
}

/** `workspace:*` of npm's families: a project of the repository, and never a package of a registry. */
function isOfWorkspace({ requirement }: Pick<Declaration, 'requirement'>): boolean {
  return requirement?.startsWith('workspace:') === true
}

function isWithin(directory: string, lock: ReadFile): boolean {
  const own = findLockDirectory(lock)
  return own === '' || directory === own || directory.startsWith(`${own}/`)
}

function idOfProject(family: string, directory: string): string {
  return `${family}:${directory === '' ? '.' : directory}`
}

function addTo<T>(map: Map<string, T[]>, key: string, value: T): void {
  const list = map.get(key)
  if (list) list.push(value)
  else map.set(key, [value])
}
