import { isObject } from '../../base/text/json-object.ts'
import { type Deployed, type LineOf, listStrings, readImage, readSettings } from './infrastructure.ts'

/** A document of a Kubernetes manifest, and where it stands. */
export interface KubernetesDocument {
  document: unknown
  file: string
  lineOf: LineOf
}

const WORKLOADS = new Set(['Deployment', 'StatefulSet', 'DaemonSet', 'Pod', 'ReplicaSet', 'CronJob', 'Job'])
const PODS = ['template', 'spec', 'jobTemplate']

interface Service {
  name: string
  namespace: string
  selector: Record<string, unknown>
  published: boolean
}

/**
 * The workloads of all manifests of a repository, and the hosts that its services stand for. A workload is reachable from outside by a
 * service of type LoadBalancer or NodePort, or by an Ingress, HTTPRoute or route that names its service. Namespaces are boundaries.
 */
export function readKubernetes(all: readonly KubernetesDocument[]): Deployed[] {
  const objects = all.flatMap(({ document, ...at }) =>
    isObject(document) && isObject(document.metadata) ? [{ ...at, object: document, metadata: document.metadata }] : [],
  )
  const routed = new Set(
    objects
      .filter(({ object }) => /^(?:Ingress|HTTPRoute|IngressRoute|Route|VirtualService)$/.test(String(object.kind)))
      .flatMap(({ object }) => listStrings(object.spec)),
  )
  const services = objects
    .filter(({ object }) => object.kind === 'Service' && isObject(object.spec))
    .map(({ object, metadata }): Service => {
      const spec = object.spec as Record<string, unknown>
      const name = String(metadata.name)
      const published = /^(?:LoadBalancer|NodePort)$/.test(String(spec.type)) || routed.has(name)
      return { name, namespace: nameSpace(metadata), selector: isObject(spec.selector) ? spec.selector : {}, published }
    })
  const names = new Set(services.map(({ name }) => name))
  const settingsOf = new Map(
    objects.flatMap(({ object, metadata }) =>
      object.kind === 'ConfigMap' ? [[String(metadata.name), object.data] as const] : [],
    ),
  )
  const workloads = objects.flatMap(({ object, metadata, file, lineOf }) => {
    if (!WORKLOADS.has(String(object.kind))) return []
    const pods = listPods(object.kind === 'Pod' ? object : object.spec)
    const name = String(metadata.name ?? object.kind)
    const own = services.filter(
      service => service.namespace === nameSpace(metadata) && pods.some(pod => matches(service.selector, pod.labels)),
    )
    return pods.map(pod => ({ name, file, line: lineOf(name), namespace: nameSpace(metadata), own, pod }))
  })
  const namespaces = new Set(workloads.map(({ namespace }) => namespace))
  const found = workloads.flatMap(({ name, file, line, namespace, own, pod }) =>
    pod.containers.map(({ image, settings, from }): Deployed => {
      const read = readSettings([settings, ...from.map(each => settingsOf.get(each))], names)
      const others = read.names.filter(each => !own.some(service => service.name === each))
      const targets = workloads.filter(other => other.own.some(service => others.includes(service.name)))
      return {
        ...{ name, file, line, published: own.some(({ published }) => published) || pod.isHost },
        depends_on: [...new Set(targets.map(other => other.name))].filter(other => other !== name),
        ...(namespaces.size > 1 && { boundary: `namespace ${namespace}` }),
        ...(read.hosts.length > 0 && { hosts: read.hosts }),
        ...(read.reaches.length > 0 && { reaches: read.reaches }),
        ...readImage(image),
      }
    }),
  )
  return found
}

function nameSpace(metadata: Record<string, unknown>): string {
  return typeof metadata.namespace === 'string' ? metadata.namespace : 'default'
}

interface Pod {
  labels: Record<string, unknown>
  containers: { image: string; settings: unknown; from: string[] }[]
  /** It uses the network of the machine. */
  isHost: boolean
}

/** The pods that a workload makes, wherever its kind has them; at most so deep as workloads are. */
function listPods(value: unknown, labels: Record<string, unknown> = {}, depth = 0): Pod[] {
  if (!isObject(value) || depth > 8) return []
  const own =
    isObject(value.metadata) && isObject(value.metadata.labels)
      ? (value.metadata.labels as Record<string, unknown>)
      : labels
  const containers = Array.isArray(value.containers)
    ? value.containers.flatMap(each =>
        isObject(each) && typeof each.image === 'string'
          ? [{ image: each.image, settings: [each.env, each.args, each.command], from: listSources(each.envFrom) }]
          : [],
      )
    : []
  const pod = containers.length > 0 ? [{ labels: own, containers, isHost: value.hostNetwork === true }] : []
  return [...pod, ...PODS.flatMap(key => listPods(value[key], own, depth + 1))]
}

/** Names of the ConfigMaps that a container takes its settings from. */
function listSources(from: unknown): string[] {
  if (!Array.isArray(from)) return []
  return from.flatMap(each => (isObject(each) && isObject(each.configMapRef) ? [String(each.configMapRef.name)] : []))
}

function matches(selector: Record<string, unknown>, labels: Record<string, unknown>): boolean {
  const wanted = Object.entries(selector)
  return wanted.length > 0 && wanted.every(([key, value]) => labels[key] === value)
}
