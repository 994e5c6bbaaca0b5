import { findReached } from '../../base/technologies/technologies.ts'
import { isObject } from '../../base/text/json-object.ts'
import { type Deployed, joinPath, type LineOf, listNames, readImage, readSettings } from './infrastructure.ts'

/** Whether a path names a file of Docker Compose. */
export const COMPOSE = /(?:^|\/)(?:docker-)?compose(?:[.-][\w.-]{1,40})?\.ya?ml$/

/** The services of a Compose file; build contexts are paths from the root. */
export function readCompose(document: unknown, file: string, lineOf: LineOf): Deployed[] {
  const services = isObject(document) && isObject(document.services) ? document.services : {}
  const directory = file.includes('/') ? file.slice(0, file.lastIndexOf('/')) : ''
  const names = new Set(Object.keys(services))
  return Object.entries(services).flatMap(([name, service]): Deployed[] => {
    if (!isObject(service)) return []
    const settings = readSettings([service.environment, service.command, service.entrypoint], names)
    const networks = listNames(service.networks).sort()
    const reaches = mountsDocker(service.volumes) ? [...settings.reaches, 'docker'] : settings.reaches
    const base = {
      ...{ name, file, line: lineOf(name), published: isPublished(service) },
      depends_on: [
        ...new Set([
          ...listNames(service.depends_on),
          ...listNames(service.links).map(each => each.split(':')[0]!),
          ...settings.names,
        ]),
      ].filter(other => other !== name),
      ...(networks.length > 0 && { boundary: `network ${networks.join(' and ')}` }),
      ...(settings.hosts.length > 0 && { hosts: settings.hosts }),
      ...(reaches.length > 0 && { reaches }),
    }
    const context =
      typeof service.build === 'string' ? service.build : isObject(service.build) ? service.build.context : undefined
    if (typeof context === 'string' || service.build !== undefined) {
      const at = joinPath(directory, typeof context === 'string' ? context : '.')
      return at === undefined ? [] : [{ ...base, kind: 'build', directory: at }]
    }
    return typeof service.image === 'string' ? [{ ...base, ...readImage(service.image) }] : []
  })
}

/** Whether a port is open to other machines: one that is bound to this machine alone is not. */
function isPublished({ ports, network_mode }: Record<string, unknown>): boolean {
  if (network_mode === 'host') return true
  return (
    Array.isArray(ports) &&
    ports.some(port => {
      const bound = isObject(port) ? String(port.host_ip ?? '') : String(port)
      return !/^(?:127\.|localhost|\[?::1\]?)/.test(bound)
    })
  )
}

/** Whether the container gets the socket of the daemon, and with it the machine. */
function mountsDocker(volumes: unknown): boolean {
  if (!Array.isArray(volumes) || findReached('docker') === undefined) return false
  return volumes.some(each => /\bdocker\.sock\b/.test(isObject(each) ? String(each.source ?? '') : String(each)))
}
