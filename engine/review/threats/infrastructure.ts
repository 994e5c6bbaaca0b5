import { REACHED } from '../../base/technologies/technologies.ts'
import type { Reached } from '../../base/technologies/technology.ts'
import { isObject } from '../../base/text/json-object.ts'

/** Something that an infrastructure file runs or rents. */
export interface Deployed {
  name: string
  /** What other entries of the same kind of file call it, where that is not its name. */
  key?: string
  file: string
  line: number
  /** `technology` for a known store, queue or service; `build` for a program of the repository; `image` for any other program. */
  kind: 'technology' | 'build' | 'image' | 'proxy'
  technology?: Reached
  /** Directory of the program, from the root. */
  directory?: string
  image?: string
  /** It can be reached from outside of the deployment. */
  published: boolean
  /** Keys or names of what it connects to. */
  depends_on: string[]
  /** Network or namespace that it lies in: a flow to another one crosses a trust boundary. */
  boundary?: string
  /** Hosts outside of the deployment that its settings name. */
  hosts?: string[]
  /** Ids of technologies that its settings name. */
  reaches?: string[]
}

/** Where a name stands in the text of a file; 1 where it does not. */
export type LineOf = (name: string) => number

/** Programs in front of others. */
const PROXIES = new Set([
  ...['nginx', 'traefik', 'caddy', 'haproxy', 'envoyproxy/envoy', 'httpd', 'kong', 'nginxproxy/nginx-proxy'],
  ...['openresty/openresty', 'nginxinc/nginx-unprivileged', 'lscr.io/linuxserver/swag', 'jwilder/nginx-proxy'],
  ...['cloudflare/cloudflared', 'bitnami/nginx', 'varnish', 'oauth2-proxy/oauth2-proxy'],
])

const BY_IMAGE = new Map(REACHED.flatMap(each => (each.images ?? []).map(image => [image, each] as const)))

/** The technology of a container image, registry and tag aside. */
export function findImage(image: string): { technology?: Reached; proxy: boolean } {
  const name = image
    .replace(/@sha256:[0-9a-f]+$/, '')
    .replace(/:[\w.-]*$/, '')
    .toLowerCase()
  const parts = name.split('/')
  const tails = parts.map((_, index) => parts.slice(index).join('/'))
  // A name of one part is an official image only by itself: `me/redis` is somebody's program.
  const known = tails.filter(
    (tail, index) => tail.includes('/') || index === 0 || /[.:]|^library$/.test(parts[index - 1]!),
  )
  for (const tail of known) {
    const technology = BY_IMAGE.get(tail)
    if (technology) return { technology, proxy: false }
  }
  return { proxy: known.some(tail => PROXIES.has(tail)) }
}

/** What a container runs, by its image. */
export function readImage(image: string): Pick<Deployed, 'kind' | 'technology' | 'image'> {
  const { technology, proxy } = findImage(image)
  if (technology) return { kind: 'technology', technology, image }
  return { kind: proxy ? 'proxy' : 'image', image }
}

/** The strings of settings, wherever they stand: at most so many, and so deep as settings are. */
export function listStrings(value: unknown, depth = 0): string[] {
  if (typeof value === 'string') return [value.slice(0, 2000)]
  if (depth > 12 || typeof value !== 'object' || value === null) return []
  return Object.values(value)
    .slice(0, 500)
    .flatMap(each => listStrings(each, depth + 1))
}

const BY_SCHEME = new Map(REACHED.flatMap(each => (each.schemes ?? []).map(scheme => [scheme, each] as const)))
const ADDRESS = /\b([a-z][a-z0-9+:]{1,30}):\/\/(?:[^\s/@'"]{0,200}@)?([A-Za-z0-9_.-]{1,200})/g

/** What settings connect to: entries of the deployment by their names, other hosts, and technologies by the scheme of an address. */
export function readSettings(
  settings: unknown,
  names: ReadonlySet<string>,
): { names: string[]; hosts: string[]; reaches: string[] } {
  const found = { names: new Set<string>(), hosts: new Set<string>(), reaches: new Set<string>() }
  for (const text of listStrings(settings)) {
    // A value that is nothing but a name, with or without port, is a host.
    const bare = /^([A-Za-z0-9_-]{1,63})(?:\.[A-Za-z0-9_.-]{1,200})?(?::\d{1,5})?$/.exec(text)?.[1]
    if (bare !== undefined && names.has(bare)) found.names.add(bare)
    for (const { 1: scheme, 2: host } of text.matchAll(ADDRESS)) {
      const first = host!.split('.')[0]!
      if (names.has(host!)) found.names.add(host!)
      else if (names.has(first) && (!host!.includes('.') || /\.(?:svc|local|internal)\b/.test(host!)))
        found.names.add(first)
      else if (BY_SCHEME.has(scheme!)) found.reaches.add(BY_SCHEME.get(scheme!)!.id)
      else if (/^https?$/.test(scheme!) && /\.[a-z]{2,24}$/i.test(host!) && !NO_PEER.test(host!))
        found.hosts.add(host!.toLowerCase())
    }
  }
  return { names: [...found.names], hosts: [...found.hosts].slice(0, 20), reaches: [...found.reaches] }
}

/** Hosts of examples and of the deployment itself. */
const NO_PEER = /(?:^|\.)(?:example\.(?:com|org|net)|localhost|local|test|invalid|internal|lan|home|docker\.internal)$/i

/** A list of names, or the keys of an object. */
export function listNames(value: unknown): string[] {
  if (Array.isArray(value)) return value.filter((each): each is string => typeof each === 'string')
  return isObject(value) ? Object.keys(value) : []
}

/** A path from a directory, from the root; undefined where it leads out. */
export function joinPath(directory: string, path: string): string | undefined {
  const parts = directory === '' ? [] : directory.split('/')
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part === '..') {
      if (parts.pop() === undefined) return undefined
    } else parts.push(part)
  }
  return parts.join('/')
}
