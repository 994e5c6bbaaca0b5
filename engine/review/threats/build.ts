import { findReached } from '../../base/technologies/technologies.ts'
import type { Reached } from '../../base/technologies/technology.ts'
import { HANDLER } from '../code/endpoints.ts'
import type { MarkKind } from '../code/forms.ts'
import { addActors, connectBrowsers, findFact } from './actors.ts'
import { connect, type Draft, makeDraft } from './draft.ts'
import type { Deployed } from './infrastructure.ts'
import type { CodePlace, DataFlowModel, EntryPoint, ModelElement } from './model.ts'
import type { UnitFacts } from './unit-facts.ts'

/** What a model is made of. */
export interface ModelSource {
  /** Of the repository. */
  name: string
  units: readonly UnitFacts[]
  deployed: readonly Deployed[]
  /** Endpoints of OpenAPI documents, by unit. */
  specified: ReadonlyMap<string, EntryPoint[]>
}

/** Kinds of marks that become facts of their process, with the fact. */
const FACTS: Partial<Record<MarkKind, string>> = {
  ...{ auth: 'auth', crypto: 'crypto', schema: 'schema', swallowed: 'swallowed', concurrency: 'concurrency' },
}
const PLACES = 40
/** Name of the mark for connections without HTTP. */
const SOCKET = 'connection to another host'

/** The data-flow model of a repository, by what its files show. The same source gives the same model. */
export function buildModel({ name, units, deployed, specified }: ModelSource): DataFlowModel {
  const draft = makeDraft()
  const built = new Map(deployed.flatMap(each => (each.kind === 'build' ? [[each.directory!, each] as const] : [])))
  const processes = new Map<string, ModelElement>()
  for (const unit of units) {
    const process = addProcess(draft, unit, specified.get(unit.directory) ?? [], built.get(unit.directory), name)
    if (process) processes.set(unit.directory, process)
  }
  const services = addDeployed(draft, deployed, processes)
  for (const unit of units) {
    const process = processes.get(unit.directory)
    if (process) addReached(draft, unit, process)
  }
  connectDeployed(draft, deployed, services)
  addActors(draft)
  connectBrowsers(draft)
  return finish(draft, name)
}

/** The process of a unit; none where nothing of it runs by itself. */
function addProcess(
  draft: Draft,
  unit: UnitFacts,
  specified: readonly EntryPoint[],
  deployed: Deployed | undefined,
  repository: string,
): ModelElement | undefined {
  const { directory, marks, browser } = unit
  const own = unit.entry_points
  const routes = own.filter(({ framework }) => framework !== HANDLER)
  const known = new Set(routes.map(({ method, path }) => `${method} ${normalize(path)}`))
  const entry_points = [
    ...(routes.length > 0 ? routes : own),
    ...specified.filter(({ method, path }) => !known.has(`${method} ${normalize(path)}`)),
  ]
  const of = (kind: MarkKind) => marks.filter(mark => mark.kind === kind)
  for (const { file, line } of of('consumer'))
    entry_points.push({ method: 'MESSAGE', path: '', framework: 'message consumer', file, line, source: 'code' })
  const isWeb = entry_points.some(({ method }) => method !== 'MESSAGE')
  const reaches = marks.some(({ kind }) =>
    ['store', 'queue', 'service', 'outbound', 'command', 'child', 'files'].includes(kind),
  )
  if (browser.length > 0)
    draft.add({
      ...{ id: draft.id('process', `browser ${directory}`), kind: 'process', zone: 'browser' },
      name: directory === '' ? 'Browser application' : `Browser application (${directory})`,
      ...{ places: browser.slice(0, PLACES), entry_points: [], facts: ['browser'], source: 'rule' },
    })
  if (!isWeb && !reaches && browser.length > 0) return undefined
  const tools = of('tool')
  for (const { file, line, name } of tools.slice(0, 20))
    entry_points.push({ method: 'CLI', path: '', framework: name, file, line, source: 'code' })
  if (entry_points.length === 0 && !reaches && !deployed) return undefined
  const facts = new Set(entry_points.map(({ method }) => findFact(method)))
  if (entry_points.length === 0) facts.add('library')
  if (deployed?.published) facts.add('published')
  for (const [kind, fact] of Object.entries(FACTS)) if (of(kind as MarkKind).length > 0) facts.add(fact)
  for (const { name } of of('control')) facts.add(name)
  if (entry_points.some(({ method }) => method === 'WEBSOCKET')) facts.add('websocket')
  if (entry_points.some(({ method }) => method === 'GRAPHQL')) facts.add('graphql')
  if (entry_points.some(({ method }) => /^(?:ANY|POST|PUT|PATCH|DELETE)$/.test(method))) facts.add('writes')
  const places: CodePlace[] = [
    ...entry_points.map(({ file, line, method, path }) => ({ file, line, what: `${method} ${path}`.trim() })),
    ...marks.flatMap(({ kind, file, line, name }) =>
      kind === 'auth' || kind === 'control' ? [{ file, line, what: name }] : [],
    ),
    ...(deployed ? [{ file: deployed.file, line: deployed.line, what: `service ${deployed.name}` }] : []),
  ]
  return draft.add({
    ...{ id: draft.id('process', directory), kind: 'process', zone: 'application', directory },
    name: deployed?.name ?? (directory === '' ? repository : directory),
    ...{ places: places.slice(0, PLACES), entry_points, facts: [...facts], source: 'rule' },
  })
}

/** Stores, queues, programs and proxies of infrastructure files; by the name that these have for them. */
function addDeployed(
  draft: Draft,
  deployed: readonly Deployed[],
  processes: ReadonlyMap<string, ModelElement>,
): Map<string, ModelElement> {
  const services = new Map<string, ModelElement>()
  for (const { name, key = name, file, line, kind, technology, directory, image, published, boundary } of deployed) {
    const places = [{ file, line, what: image ? `${name}: ${image}` : name }]
    const program = kind === 'image' ? findOwnProgram(image!, processes) : undefined
    if (program) {
      if (published && !program.facts.includes('published')) program.facts.push('published')
      if (boundary !== undefined) program.boundary = boundary
      services.set(key, program)
      continue
    }
    if (kind === 'build') {
      const own = processes.get(directory!) ?? processes.get('')
      if (own) {
        services.set(key, own)
        if (boundary !== undefined) own.boundary = boundary
      }
      continue
    }
    const element =
      kind === 'technology'
        ? addTechnology(draft, technology!, places)
        : draft.add({
            ...{
              id: draft.id('process', `service ${key}`),
              kind: 'process',
              zone: 'application',
              name,
              places,
              entry_points: [],
            },
            ...{ facts: kind === 'proxy' ? ['proxy', 'http'] : ['image'], source: 'rule' },
          })
    if (published && !element.facts.includes('published')) element.facts.push('published')
    if (kind === 'technology' && !element.facts.includes('deployed')) element.facts.push('deployed')
    if (boundary !== undefined) element.boundary = boundary
    services.set(key, element)
  }
  return services
}

/** The process of the repository that an image has the name of. */
function findOwnProgram(image: string, processes: ReadonlyMap<string, ModelElement>): ModelElement | undefined {
  const name = image
    .replace(/[@:].*$/, '')
    .split('/')
    .at(-1)
  for (const [directory, process] of processes)
    if (process.name === name || (directory !== '' && directory.split('/').at(-1) === name)) return process
  return undefined
}

/** The element of a technology: one in a model, whatever the number of places that reach it. */
function addTechnology(draft: Draft, { id, name, kind, embedded, local }: Reached, places: CodePlace[]): ModelElement {
  return draft.add({
    ...{ id: draft.id(kind, id), kind, name, technology: id, places: places.slice(0, PLACES), entry_points: [] },
    zone: kind === 'service' ? (local ? 'host' : 'third_party') : embedded ? 'host' : 'data',
    facts: embedded ? ['embedded'] : [],
    source: 'rule',
  })
}

/** A server outside of the deployment that settings or code name. */
function addHost(draft: Draft, host: string, place: CodePlace): ModelElement {
  return draft.add({
    ...{ id: draft.id('service', `host ${host}`), kind: 'service', zone: 'third_party', name: host, places: [place] },
    ...{ entry_points: [], facts: [], source: 'rule' },
  })
}

const FLOWS = { store: 'reads and writes', queue: 'sends and receives', service: 'calls' } as const

/** What a process reaches: stores, queues, services, other servers, files and commands, each with its flow. */
function addReached(draft: Draft, unit: UnitFacts, process: ModelElement): void {
  const { marks, hosts, outbound, plaintext } = unit
  const places = new Map<string, CodePlace[]>()
  for (const { kind, detail, file, line, name } of marks) {
    if (detail === undefined || (kind !== 'store' && kind !== 'queue' && kind !== 'service')) continue
    places.set(detail, [...(places.get(detail) ?? []), { file, line, what: name }])
  }
  const specific =
    [...places.keys()].some(id => isDatabase(id)) ||
    draft
      .elements()
      .some(({ technology, facts }) => facts.includes('deployed') && technology !== undefined && isDatabase(technology))
  for (const [id, where] of places) {
    const technology = findReached(id)!
    // A library for several databases: the database itself is known.
    if (technology.generic && specific) {
      const real = draft.elements().find(element => element.technology !== undefined && isDatabase(element.technology))
      if (real) connect(draft, process, real, 'reads and writes', where)
      continue
    }
    const element = addTechnology(draft, technology, where)
    connect(draft, process, element, FLOWS[technology.kind], where)
  }
  for (const [host, where] of hosts) {
    const element = addHost(draft, host, where)
    const plain = plaintext.filter(({ what }) => what.includes(host))
    connect(draft, process, element, 'HTTP requests', [where, ...plain], plain.length > 0 ? ['plaintext'] : [])
  }
  const sockets = outbound.filter(({ what }) => what === SOCKET)
  const requests = outbound.filter(({ what }) => what !== SOCKET)
  for (const [what, name, where, label] of [
    ['other servers', 'Other HTTP servers', requests, 'HTTP requests'],
    ['other hosts', 'Other network hosts', sockets, 'connections'],
  ] as const) {
    if (where.length === 0) continue
    const element = draft.add({
      ...{ id: draft.id('service', what), kind: 'service', zone: 'third_party', name },
      ...{ places: where.slice(0, PLACES), entry_points: [], facts: ['any_address'], source: 'rule' },
    })
    connect(draft, process, element, label, where, ['any_address'])
  }
  const commands = marks.filter(({ kind }) => kind === 'command')
  if (commands.length > 0) {
    const where = commands.map(({ file, line, name }) => ({ file, line, what: name }))
    const element = draft.add({
      ...{ id: draft.id('service', 'commands'), kind: 'service', zone: 'host', name: 'Operating system commands' },
      ...{ places: where.slice(0, PLACES), entry_points: [], facts: ['commands'], source: 'rule' },
    })
    connect(draft, process, element, 'starts', where, ['commands'])
  }
  const children = marks.filter(({ kind }) => kind === 'child')
  if (children.length > 0) {
    const where = children.map(({ file, line, name }) => ({ file, line, what: name }))
    const element = draft.add({
      ...{ id: draft.id('process', `child ${unit.directory}`), kind: 'process', zone: 'application' },
      ...{ name: `Child processes of ${process.name}`, places: where.slice(0, PLACES), entry_points: [] },
      ...{ facts: ['child'], source: 'rule' },
    })
    connect(draft, process, element, 'starts and sends messages', where)
  }
  const files = marks.filter(({ kind }) => kind === 'files')
  if (files.length > 0) {
    const where = files.map(({ file, line, name }) => ({ file, line, what: name }))
    const element = draft.add({
      ...{ id: draft.id('store', 'files'), kind: 'store', zone: 'host', name: 'File system' },
      ...{ places: where.slice(0, PLACES), entry_points: [], facts: ['files', 'embedded'], source: 'rule' },
    })
    connect(draft, process, element, 'reads and writes', where, ['files'])
  }
}

const DATABASES = new Set(['postgresql', 'mysql', 'sqlite', 'mssql', 'oracle', 'h2'])
function isDatabase(technology: string): boolean {
  return DATABASES.has(technology)
}

/** Flows that infrastructure files say: what a service depends on, and proxies in front of programs. */
function connectDeployed(
  draft: Draft,
  deployed: readonly Deployed[],
  services: ReadonlyMap<string, ModelElement>,
): void {
  for (const { name, key = name, file, line, depends_on, kind, hosts = [], reaches = [] } of deployed) {
    const from = services.get(key)
    if (from?.kind !== 'process') continue
    const place = { file, line, what: name }
    for (const host of hosts) connect(draft, from, addHost(draft, host, place), 'HTTP requests', [place])
    for (const id of reaches) {
      const technology = findReached(id)!
      connect(draft, from, addTechnology(draft, technology, [place]), FLOWS[technology.kind], [place])
    }
    for (const other of depends_on) {
      const to = services.get(other)
      if (to && to !== from) connect(draft, from, to, 'uses', [{ file, line, what: `${name} depends on ${other}` }])
    }
    if (kind !== 'proxy' || depends_on.length > 0) continue
    for (const process of draft.elements())
      if (process.kind === 'process' && process.facts.includes('http') && !process.facts.includes('proxy'))
        connect(draft, from, process, 'forwards requests', [place])
  }
}

/** One path, however its parameters are written. */
function normalize(path: string): string {
  return path.replace(/[:{<][^/}>]*[}>]?/g, '*').replace(/\/+$/, '')
}

function finish(draft: Draft, name: string): DataFlowModel {
  const elements = draft.elements().sort((a, b) => (a.id < b.id ? -1 : 1))
  for (const element of elements) element.facts.sort()
  const flows = draft.flows().sort((a, b) => (a.id < b.id ? -1 : 1))
  const zones = [...new Set(elements.map(({ zone }) => zone))].sort()
  return { name, elements, flows, zones }
}
