import { type Edge, type Entry, ManifestFault, type Parsed, type ParsedProject } from '../parsed.ts'
import { directoryOf, joinPath } from '../paths.ts'
import { formatVcs, isLocalPath, readDigest, readIntegrity } from '../resolved.ts'
import { splitLines } from '../syntax/lines.ts'
import { asFields, asText, requireFields } from '../syntax/shape.ts'
import { readYaml } from '../syntax/yaml.ts'

/** Reads yarn.lock, classic (version 1) and Berry (YAML). */
export function parse(text: string, file: string): Parsed {
  return /^__metadata:/m.test(text) ? readBerry(text, directoryOf(file)) : readClassic(text)
}

interface Block {
  descriptors: string[]
  line: number
  fields: Map<string, string>
  edges: { descriptor: string; kind?: Edge['kind'] }[]
}

function readClassic(text: string): Parsed {
  const blocks = readBlocks(text)
  const index = new Map<string, string>()
  for (const { descriptors } of blocks) for (const each of descriptors) index.set(each, descriptors[0]!)
  const entries = blocks.flatMap(({ descriptors, line, fields, edges }): Entry[] => {
    const range = descriptors[0]!.slice(descriptors[0]!.indexOf('@', 1) + 1)
    // A directory of this repository has no archive.
    if (!fields.has('resolved') && isLocalPath(range)) return []
    const version = fields.get('version')
    if (version === undefined) throw new ManifestFault(`${descriptors[0]} has no version`, line)
    const resolved = fields.get('resolved')
    const hash = /#([0-9a-f]{40})$/.exec(resolved ?? '')?.[1]
    const isGit = /^(git|ssh)[+:]|\.git#|^https:\/\/codeload\./.test(resolved ?? '')
    const integrity = readIntegrity(fields.get('integrity'))
    const entry: Entry = {
      ...{ key: descriptors[0]!, name: readName(descriptors[0]!), version, line },
      ...(resolved !== undefined && { resolved: isGit ? resolved : resolved.replace(/#.*$/, '') }),
      ...(isGit && { vcs: formatVcs(resolved!, hash ?? /\/([0-9a-f]{40})$/.exec(resolved!)?.[1]) }),
      hashes: integrity.length > 0 || isGit ? integrity : readDigest(hash, 'sha1'),
      edges: edges.flatMap(({ descriptor, kind }) => {
        const to = index.get(descriptor)
        return to === undefined ? [] : [{ to, ...(kind && { kind }) }]
      }),
    }
    return [entry]
  })
  return {
    entries,
    find: ({ name, alias = name, requirement = '' }) =>
      index.get(`${alias}@${requirement}`) ?? index.get(`${alias}@npm:${name}@${requirement}`),
  }
}

/** The blocks of a classic lock file, line by line: its own small format, not YAML. */
function readBlocks(text: string): Block[] {
  const blocks: Block[] = []
  let [number, list] = [0, undefined as Edge['kind'] | 'needed' | undefined]
  for (const raw of splitLines(text)) {
    number++
    const line = raw.trimEnd()
    if (line === '' || line.startsWith('#')) continue
    const block = blocks.at(-1)
    if (!line.startsWith(' ')) {
      if (!line.endsWith(':')) throw new ManifestFault('a line that begins an entry must end with a colon', number)
      const descriptors = splitDescriptors(line.slice(0, -1))
      if (descriptors.length === 0 || descriptors.some(each => !each.includes('@', 1)))
        throw new ManifestFault('an entry must have the form name@range', number)
      blocks.push({ descriptors, line: number, fields: new Map(), edges: [] })
      list = undefined
    } else if (block === undefined) throw new ManifestFault('an indented line belongs to no entry', number)
    else if (line.startsWith('    ')) {
      const [name, range] = splitPair(line.trim())
      if (list !== undefined)
        block.edges.push({ descriptor: `${name}@${range}`, ...(list === 'optional' && { kind: list }) })
    } else if (line.endsWith(':'))
      list = line === '  dependencies:' ? 'needed' : line === '  optionalDependencies:' ? 'optional' : undefined
    else block.fields.set(...splitPair(line.trim()))
  }
  return blocks
}

function splitPair(line: string): [string, string] {
  const end = line.startsWith('"') ? line.indexOf('"', 1) + 1 : line.indexOf(' ')
  return end <= 0 ? [unquote(line), ''] : [unquote(line.slice(0, end)), unquote(line.slice(end).trim())]
}

/** `"a@1 || 2", b@^1`: a comma within quotes belongs to the range. */
function splitDescriptors(line: string): string[] {
  const found: string[] = []
  for (let at = 0; at < line.length; ) {
    const close = line[at] === '"' ? line.indexOf('"', at + 1) : -1
    const comma = line.indexOf(', ', Math.max(at, close))
    const end = comma === -1 ? line.length : comma
    found.push(unquote(line.slice(at, end)))
    at = end + 2
  }
  return found
}

function unquote(text: string): string {
  return text.startsWith('"') && text.endsWith('"') && text.length > 1 ? text.slice(1, -1) : text
}

/** The name of `name@range`, where the name may have a scope. */
function readName(descriptor: string): string {
  const cut = descriptor.indexOf('@', 1)
  const alias = /^npm:((?:@[^/]+\/)?[^@]+)(?:@|$)/.exec(descriptor.slice(cut + 1))?.[1]
  // `name@npm:^1.0.0` is Berry's way to write a range, and no alias.
  if (alias !== undefined && !/^[\^~<>=*\d]/.test(alias)) return alias
  return descriptor.slice(0, cut)
}

function readBerry(text: string, base: string): Parsed {
  const lock = requireFields(readYaml(text)[0], 'the lock file')
  const lines = new Map<string, number>()
  for (const [at, line] of splitLines(text).entries())
    if (/^["\w@]/.test(line) && line.endsWith(':')) lines.set(unquote(line.slice(0, -1)), at + 1)
  const index = new Map<string, string>()
  const blocks = Object.entries(lock).filter(([key]) => key !== '__metadata')
  for (const [key] of blocks) for (const each of key.split(', ')) index.set(each, key)
  const entries: Entry[] = []
  const projects: ParsedProject[] = []
  for (const [key, value] of blocks) {
    const fields = requireFields(value, key)
    const resolution = asText(fields.resolution) ?? key
    const name = resolution.slice(0, resolution.indexOf('@', 1))
    const source = resolution.slice(name.length + 1)
    const optional = asFields(fields.dependenciesMeta)
    const edges: Edge[] = Object.entries(asFields(fields.dependencies)).flatMap(([dependency, range]) => {
      const to = findBerry(index, dependency, asText(range) ?? '')
      if (to === undefined) return []
      return [{ to, ...(asFields(optional[dependency]).optional === true && { kind: 'optional' as const }) }]
    })
    const line = lines.get(key)
    if (source.startsWith('workspace:')) {
      const directory = joinPath(base, source.slice('workspace:'.length))
      projects.push({ key, directory, name, line, edges: edges.map(edge => ({ ...edge, scope: 'unknown' as const })) })
      continue
    }
    if (isLocalPath(source)) continue
    const version = asText(fields.version)
    const commit = /#commit=([0-9a-f]+)/.exec(source)?.[1]
    // Its checksum is of an archive that yarn makes itself: no hash of the package.
    entries.push({
      ...{ key, name, line, edges },
      ...(version !== undefined && { version }),
      ...(!source.startsWith('npm:') && { resolved: source }),
      ...(commit !== undefined && { vcs: formatVcs(source, commit) }),
    })
  }
  return { entries, projects, find: ({ name, alias = name, requirement = '' }) => findBerry(index, alias, requirement) }
}

function findBerry(index: ReadonlyMap<string, string>, name: string, range: string): string | undefined {
  return index.get(`${name}@${range}`) ?? index.get(`${name}@npm:${range}`) ?? index.get(`${name}@workspace:${range}`)
}
