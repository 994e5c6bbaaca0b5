import { isOneEditAway } from '../../supply/malice/popular.ts'
import { compareVersions } from '../../supply/versions/orders.ts'
import type { CheckId } from './checks.ts'
import { findCredentials } from './credentials.ts'
import type { Server } from './discover.ts'
import { KNOWN_SERVERS, KNOWN_VULNERABILITIES } from './known.ts'
import { type Launch, type PackageRef, readLaunch } from './packages.ts'
import type { Issue } from './report.ts'
import { isDownloadRun } from './settings.ts'

/** A directory that is the whole disk, a home or all homes. */
const WIDE =
  /^(\/|~\/?|\$\{?HOME\}?\/?|\$\{env:HOME\}|\$\{userHome\}|\/home\/?|\/Users\/?|\/root\/?|\/etc\/?|[A-Za-z]:[\\/]?|%USERPROFILE%)$/
const UNLIMITED = /^--(allow-all|allow-everything|unrestricted|yolo|full-access|no-sandbox|dangerously-[\w-]+)(=true)?$/
const INSECURE_OPTION = /^--(insecure|allow-http|no-verify(-ssl|-tls)?|skip-(ssl|tls)-verify|disable-ssl)$/
const ALL_INTERFACES = /^(?:--?[\w-]+=)?(?:https?:\/\/)?(?:0\.0\.0\.0|\[::\])(?::\d+)?(?:\/.*)?$/
const LOOPBACK = /^(localhost|127(\.\d+){3}|\[::1\]|host\.docker\.internal)$|\.localhost$/i

/** What a server's own configuration tells. */
export function checkServer(server: Server): Issue[] {
  const { file, line, name } = server
  const issues: Issue[] = []
  const add = (check: CheckId, what: string) => issues.push({ check, file, line, subject: `Server ${name}: ${what}` })
  for (const where of findCredentials(server)) add('mcp-secret', where)
  const launch = readLaunch(server)
  checkLaunch(launch, add)
  checkAccess(launch, add)
  checkTransport(server, add)
  const { alwaysAllow, autoApprove, trust } = server.raw
  for (const [key, value] of Object.entries({ alwaysAllow, autoApprove }))
    if (value === true || (Array.isArray(value) && value.includes('*')))
      add('mcp-auto-approval', `${key} covers every tool`)
  if (trust === true) add('mcp-auto-approval', 'trust is set')
  return issues
}

type Add = (check: CheckId, what: string) => void

function checkLaunch({ script, sudo, args, image, mounts, package: ref }: Launch, add: Add): void {
  if (script !== undefined) {
    add('mcp-shell-command', 'a string for a shell')
    if (isDownloadRun(script)) add('mcp-unpinned-package', 'a download is piped to a shell')
  }
  if (sudo) add('mcp-privileged-command', 'sudo')
  const flag = image && args.find((word, at) => isPrivileged(word, args[at + 1]))
  if (flag !== undefined) add('mcp-privileged-command', flag)
  if (mounts.some(one => /docker\.sock$/.test(one))) add('mcp-privileged-command', 'the socket of Docker is mounted')
  if (image && !image.pinned) add('mcp-unpinned-package', `image ${image.name}`)
  if (ref) checkPackage(ref, add)
}

function isPrivileged(word: string, next: string | undefined): boolean {
  return (
    /^--(privileged(=true)?|cap-add(=.*)?|pid=host|ipc=host)$/.test(word) ||
    (/^--(pid|ipc)$/.test(word) && next === 'host')
  )
}

function checkPackage({ name, version, pinned, ecosystem }: PackageRef, add: Add): void {
  if (!pinned) add('mcp-unpinned-package', `package ${name}${version === undefined ? '' : `@${version}`}`)
  const meant = KNOWN_SERVERS.find(known => known !== name && isImitation(known, name))
  if (meant !== undefined && !KNOWN_SERVERS.includes(name)) add('mcp-typosquat', `${name} resembles ${meant}`)
  if (version === undefined || !pinned) return
  const compare = (other: string) => compareVersions(ecosystem, version, other)
  for (const one of KNOWN_VULNERABILITIES) {
    if (one.name !== name || one.ecosystem !== ecosystem) continue
    const isBelow = one.fixed === undefined || (compare(one.fixed) ?? 0) < 0
    if (isBelow && (one.from === undefined || (compare(one.from) ?? -1) >= 0))
      add('mcp-known-vulnerable', `${name}@${version} has ${one.id}${one.fixed ? `, fixed in ${one.fixed}` : ''}`)
  }
}

/** One typing mistake, digits that look like letters, or other separators. */
function isImitation(known: string, name: string): boolean {
  const plain = (text: string) => text.toLowerCase().replace(/[-_.]/g, '').replaceAll('1', 'l').replaceAll('0', 'o')
  return isOneEditAway(known, name) || plain(known) === plain(name)
}

function checkAccess({ args, mounts, program, image }: Launch, add: Add): void {
  const wide = [...mounts, ...(image ? [] : args.map(word => word.replace(/^--?[\w-]+=/, '')))].find(one =>
    WIDE.test(one),
  )
  if (wide !== undefined) add('mcp-broad-access', wide)
  const all = args.find(word => UNLIMITED.test(word) || (program === 'deno' && word === '-A'))
  if (all !== undefined) add('mcp-broad-access', all)
}

function checkTransport({ url, args, env }: Server, add: Add): void {
  const addresses = [...(url === undefined ? [] : [url]), ...args.map(word => word.replace(/^--?[\w-]+=/, ''))]
  for (const address of addresses) {
    const host = /^(?:http|ws):\/\/(?:[^\s/@]*@)?(\[[^\]]*\]|[^\s/:?#]+)/i.exec(address)?.[1]
    if (host !== undefined && !LOOPBACK.test(host) && !ALL_INTERFACES.test(address))
      add('mcp-insecure-transport', `http://${host}`)
  }
  if ([...addresses, ...Object.values(env)].some(one => typeof one === 'string' && ALL_INTERFACES.test(one)))
    add('mcp-insecure-transport', 'listens on all interfaces')
  const option = args.find(word => INSECURE_OPTION.test(word))
  if (option !== undefined) add('mcp-insecure-transport', option)
  for (const name of ['NODE_TLS_REJECT_UNAUTHORIZED', 'PYTHONHTTPSVERIFY', 'GIT_SSL_VERIFY'])
    if (['0', 'false'].includes(String(env[name]).toLowerCase())) add('mcp-insecure-transport', `${name} is off`)
}

/** Servers that share a name but not a program, and names in one file that look alike. */
export function checkNames(servers: readonly Server[]): Issue[] {
  const issues: Issue[] = []
  const first = new Map<string, Server>()
  const alike = new Map<string, Server>()
  for (const server of servers) {
    const { name, file, line } = server
    const same = first.get(name)
    if (same === undefined) first.set(name, server)
    else if (describeProgram(same) !== describeProgram(server))
      issues.push({
        check: 'mcp-name-collision',
        file,
        line,
        subject: `Server ${name} is another program in ${same.file}`,
      })
    const key = name
      .normalize('NFKC')
      .toLowerCase()
      .replace(/[\s_.-]/g, '')
      .replaceAll('1', 'l')
      .replaceAll('0', 'o')
    const near = alike.get(key)
    if (near === undefined) alike.set(key, server)
    else if (near.name !== name)
      issues.push({
        check: 'mcp-name-collision',
        file,
        line,
        subject: `Server ${name} looks like ${near.name} in ${near.file}`,
      })
  }
  return issues
}

/** What a server runs or asks, as one string. */
export function describeProgram({ command, args, url }: Pick<Server, 'command' | 'args' | 'url'>): string {
  return JSON.stringify([command ?? null, args, url ?? null])
}
