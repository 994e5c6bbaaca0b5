import { headOf } from './body.ts'
import { mayBeTemplate } from './cloudformation.ts'
import type { Value } from './configuration.ts'

type Obj = Value & { kind: 'object' }

/** A map of a file under the name by which rules ask for it, and the place where it is reported. */
export interface Part {
  type: string
  value: Obj
  at: { start: number; end: number }
}

/** A format of configuration in YAML or JSON. */
export interface Format {
  /** Whether a document is of the format. */
  isMet(document: Value, path: string): boolean
  /** The parts that rules can ask for. */
  list(document: Value): Part[]
}

/** What a file of a format must have in its text or path: others need no syntax tree. */
const MAY_BE =
  /deploymentTemplate\.json|\bapiVersion\b|^["']?(?:services|jobs|script|steps|stages|openapi|swagger|provider|functions)["']?[ \t]*:|"(?:openapi|swagger|services)"|^[ \t]*-[ \t]+[a-z_.]+[ \t]*:/m
const PIPELINE = /(?:^|\/)(?:\.gitlab-ci|[^/]*\.gitlab-ci|azure-pipelines?[^/]*|\.circleci\/config)\.ya?ml$/i

/** Whether a file may have anything that rules about resources ask for. */
export function mayBeKnown(text: string, path: string): boolean {
  return MAY_BE.test(text) || PIPELINE.test(path) || mayBeTemplate(text)
}

/** Kubernetes: each object under its kind, pods and containers of whatever makes them; a container has its pod as the property `pod`. */
const kubernetes: Format = {
  isMet: document => textOf(document, 'apiVersion') !== undefined && textOf(document, 'kind') !== undefined,
  list: listKubernetes,
}

/** The parts of objects of Kubernetes that stand in a map of another format, as tools for infrastructure apply them. */
export function listObjects(value: Value): Part[] {
  return kubernetes.isMet(value, '') ? kubernetes.list(value) : []
}

function listKubernetes(document: Value): Part[] {
  const object = asObject(document)
  const kind = textOf(document, 'kind')
  if (!object || kind === undefined || kind === 'CustomResourceDefinition') return []
  if (kind === 'List') return itemsOf(object.entries.get('items')).flatMap(listKubernetes)
  const named = object.entries.get('kind')!
  const at = { start: named.key ?? named.start, end: named.end }
  const own = ['Object', kind].map(name => ({ type: `Kubernetes::${name}`, value: object, at }))
  return [...own, ...findPods(object, 0).flatMap(listPod)]
}

/** Maps with a list of containers, wherever they stand: templates of workloads, and of resources that other controllers define. */
function findPods(value: Value, depth: number): Obj[] {
  if (depth > 8) return []
  if (value.kind === 'list') return value.items.flatMap(item => findPods(item, depth + 1))
  const object = asObject(value)
  if (!object) return []
  if (object.entries.get('containers')?.kind === 'list') return [object]
  return [...object.entries.values()].flatMap(one => findPods(one, depth + 1))
}

function listPod(pod: Obj): Part[] {
  const containers = ['containers', 'initContainers'].flatMap(key => itemsOf(pod.entries.get(key)))
  return [
    { type: 'Kubernetes::Pod', value: pod, at: headOf(pod) },
    ...containers.flatMap(one => {
      const container = asObject(one)
      if (!container) return []
      const value: Obj = { ...container, entries: new Map([...container.entries, ['pod', pod]]) }
      return [{ type: 'Kubernetes::Container', value, at: headOf(container) }]
    }),
  ]
}

/** Compose: each service. */
const compose: Format = {
  isMet: (document, path) => /compose[^/]*\.(?:ya?ml|json)$/i.test(path) && mapOf(document, 'services') !== undefined,
  list: document => named('Compose::Service', mapOf(document, 'services')),
}

/** Ansible: the parameters of each task under its module's short name, and as `Ansible::Task`; the property `task` is all of the task. */
const ansible: Format = {
  isMet: document => document.kind === 'list' && document.items.some(item => isPlayOrTask(asObject(item))),
  list: document => listTasks(document, 0),
}

/** Keys of a task that are no module ("Playbook Keywords"). */
const KEYWORDS =
  /^(?:name|when|with_\w+|loop\w*|register|become\w*|tags|vars|notify|listen|delegate_\w+|run_once|ignore_\w+|no_log|environment|changed_when|failed_when|until|retries|delay|args|any_errors_fatal|async|poll|check_mode|diff|connection|remote_user|throttle|timeout|collections|module_defaults|debugger|port|hosts|action|local_action|block|rescue|always|include|import_\w+|include_\w+)$/

function isPlayOrTask(item: Obj | undefined): boolean {
  if (!item) return false
  if (item.entries.has('hosts') || item.entries.has('block')) return true
  const keys = [...item.entries.keys()]
  const modules = keys.filter(key => !KEYWORDS.test(key))
  return (
    modules.length === 1 && /^[a-z_][a-z0-9_.]*$/.test(modules[0]!) && (keys.length > 1 || modules[0]!.includes('.'))
  )
}

function listTasks(value: Value | undefined, depth: number): Part[] {
  if (depth > 8) return []
  return itemsOf(value).flatMap(item => {
    const task = asObject(item)
    if (!task) return []
    const inner = ['tasks', 'pre_tasks', 'post_tasks', 'handlers', 'block', 'rescue', 'always'].flatMap(key =>
      listTasks(task.entries.get(key), depth + 1),
    )
    if (task.entries.has('hosts')) return [{ type: 'Ansible::Play', value: task, at: headOf(task) }, ...inner]
    return [...listTask(task), ...inner]
  })
}

function listTask(task: Obj): Part[] {
  const modules = [...task.entries].filter(([key]) => !KEYWORDS.test(key))
  if (modules.length !== 1) return []
  const [name, held] = modules[0]! as [string, Value]
  const given = asObject(held) ?? asObject(task.entries.get('args'))
  const start = held.key ?? held.start
  const at = { start, end: start + name.length }
  const entries = new Map(given?.entries)
  for (const [key, one] of readShort(held)) if (!entries.has(key)) entries.set(key, one)
  const value: Obj = {
    kind: 'object',
    entries,
    start: held.start,
    end: held.end,
    ...(given?.isOpen && { isOpen: true }),
  }
  const short = name.slice(name.lastIndexOf('.') + 1)
  const named = { ...value, entries: new Map([...entries, ['task', task]]) }
  return ['Task', short].map(type => ({ type: `Ansible::${type}`, value: named, at }))
}

/** Parameters in the short form: `get_url: url=http://… validate_certs=no`. */
function readShort(value: Value): [string, Value][] {
  if (value.kind !== 'text' || value.text.length > 10_000) return []
  return [...value.text.matchAll(/(?:^|\s)([a-z_]{1,60})=("[^"]*"|'[^']*'|[^\s"']+)/g)].map(([, key, text]) => [
    key!,
    { kind: 'text', text: text!.replace(/^(["'])([\s\S]*)\1$/, '$2'), start: value.start, end: value.end },
  ])
}

/** Workflows of GitHub, with their jobs and steps; a job has its workflow as the property `workflow`. */
const github: Format = {
  isMet: (document, path) =>
    /(?:^|\/)\.(?:github|gitea|forgejo)\/workflows\/[^/]+$/.test(path) && mapOf(document, 'jobs') !== undefined,
  list: document => {
    const jobs = named('GitHub::Job', mapOf(document, 'jobs')).map(({ value, ...job }) => ({
      ...job,
      value: { ...value, entries: new Map([...value.entries, ['workflow', document]]) },
    }))
    return [
      whole('GitHub::Workflow', document),
      ...jobs,
      ...jobs.flatMap(({ value }) => each('GitHub::Step', value, 'steps')),
    ]
  },
}

/** GitLab CI: the pipeline and its jobs. */
const gitlab: Format = {
  isMet: (document, path) => /(?:^|\/)[^/]*\.gitlab-ci\.ya?ml$/i.test(path) && document.kind === 'object',
  list: document => [
    whole('GitLab::Pipeline', document),
    ...named('GitLab::Job', asObject(document)).filter(({ value }) => value.entries.has('script')),
  ],
}

/** Azure Pipelines: the pipeline, and each step of any job or stage. */
const azure: Format = {
  isMet: (document, path) => /(?:^|\/)[^/]*azure-pipelines?[^/]*\.ya?ml$/i.test(path) && document.kind === 'object',
  list: document => [whole('Azure::Pipeline', document), ...findSteps('Azure::Step', document, 0)],
}

/** CircleCI: the configuration, its jobs and their steps. */
const circle: Format = {
  isMet: (document, path) => /(?:^|\/)\.circleci\/[^/]+\.ya?ml$/.test(path) && document.kind === 'object',
  list: document => [
    whole('CircleCI::Config', document),
    ...named('CircleCI::Job', mapOf(document, 'jobs')),
    ...findSteps('CircleCI::Step', document, 0),
  ],
}

function findSteps(type: string, value: Value, depth: number): Part[] {
  if (depth > 10) return []
  if (value.kind === 'list') return value.items.flatMap(item => findSteps(type, item, depth + 1))
  const object = asObject(value)
  if (!object) return []
  return [
    ...each(type, object, 'steps'),
    ...[...object.entries.values()].flatMap(one => findSteps(type, one, depth + 1)),
  ]
}

/** The Serverless Framework: the service, its functions with their events, and statements of its role. */
const serverless: Format = {
  isMet: (document, path) =>
    /(?:^|\/)serverless[^/]*\.(?:ya?ml|json)$/i.test(path) && mapOf(document, 'provider') !== undefined,
  list: document => {
    const functions = named('Serverless::Function', mapOf(document, 'functions'))
    const events = functions.flatMap(({ value }) => each('Serverless::Event', value, 'events'))
    const provider = mapOf(document, 'provider')!
    const role = mapOf(mapOf(provider, 'iam'), 'role') ?? provider
    const statements = ['statements', 'iamRoleStatements'].flatMap(key => each('Serverless::Statement', role, key))
    return [whole('Serverless::Service', document), ...functions, ...events, ...statements]
  },
}

const METHODS = new Set(['get', 'put', 'post', 'delete', 'patch'])

/** OpenAPI and Swagger: the document, its operations (with the document as the property `document`), servers and security schemes. */
const openapi: Format = {
  isMet: document => {
    const object = asObject(document)
    return (
      object !== undefined &&
      (object.entries.has('openapi') || object.entries.has('swagger')) &&
      object.entries.has('paths')
    )
  },
  list: document => {
    const operations = [...(mapOf(document, 'paths')?.entries.values() ?? [])].flatMap(path => {
      const known = [...(asObject(path)?.entries ?? [])].filter(([method]) => METHODS.has(method))
      return named('OpenAPI::Operation', path.kind === 'object' ? { ...path, entries: new Map(known) } : undefined)
    })
    const schemes = mapOf(mapOf(document, 'components'), 'securitySchemes') ?? mapOf(document, 'securityDefinitions')
    return [
      whole('OpenAPI::Document', document),
      ...operations.map(({ value, ...part }) => ({
        ...part,
        value: { ...value, entries: new Map([...value.entries, ['document', document]]) },
      })),
      ...each('OpenAPI::Server', asObject(document), 'servers'),
      ...named('OpenAPI::Scheme', schemes),
    ]
  },
}

export const FORMATS: readonly Format[] = [
  kubernetes,
  compose,
  ansible,
  github,
  gitlab,
  azure,
  circle,
  serverless,
  openapi,
]

function asObject(value: Value | undefined): Obj | undefined {
  return value?.kind === 'object' ? value : undefined
}

function mapOf(value: Value | undefined, key: string): Obj | undefined {
  return asObject(asObject(value)?.entries.get(key))
}

function textOf(value: Value, key: string): string | undefined {
  const held = asObject(value)?.entries.get(key)
  return held?.kind === 'text' ? held.text : undefined
}

function itemsOf(value: Value | undefined): Value[] {
  return value?.kind === 'list' ? value.items : []
}

/** The maps of a map, each reported at its key. */
function named(type: string, object: Obj | undefined): Part[] {
  return [...(object?.entries ?? [])].flatMap(([name, one]) => {
    const value = asObject(one)
    const start = one.key ?? one.start
    return value ? [{ type, value, at: { start, end: start + name.length } }] : []
  })
}

/** The maps of a list. */
function each(type: string, object: Obj | undefined, key: string): Part[] {
  return itemsOf(object?.entries.get(key)).flatMap(item => {
    const value = asObject(item)
    return value ? [{ type, value, at: headOf(value) }] : []
  })
}

function whole(type: string, document: Value): Part {
  const value = document as Obj
  return { type, value, at: headOf(value) }
}
