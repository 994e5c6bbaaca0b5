import { type Edge, type Entry, ManifestFault, type Parsed, type ParsedProject } from '../parsed.ts'
import { directoryOf, joinPath } from '../paths.ts'
import { formatVcs, readDigest } from '../resolved.ts'
import { splitLines } from '../syntax/lines.ts'

interface Section {
  title: string
  remote?: string
  revision?: string
}

/** Reads Gemfile.lock: sections of sources with `specs`, whose gems have their dependencies two spaces deeper; DEPENDENCIES are direct. */
export function parse(text: string, file: string): Parsed {
  const entries = new Map<string, Entry>()
  const projects: ParsedProject[] = []
  const direct: { name: string; line: number }[] = []
  const needed = new Map<string, string[]>()
  const titles = new Set<string>()
  let section: Section = { title: '' }
  let current: string | undefined
  for (const [at, raw] of splitLines(text).entries()) {
    const line = raw.trimEnd()
    const indent = line.length - line.trimStart().length
    const content = line.trim()
    if (content === '') continue
    if (indent === 0) {
      section = { title: content }
      titles.add(content)
      current = undefined
    } else if (section.title === 'DEPENDENCIES' && indent === 2)
      direct.push({ name: content.replace(/[ !(].*$/, ''), line: at + 1 })
    else if (section.title === 'CHECKSUMS' && indent === 2) addChecksum(content, entries)
    else if (indent === 2) {
      const [, key, value] = /^(remote|revision): (.+)$/.exec(content) ?? []
      if (key !== undefined) section = { ...section, [key]: value }
    } else if (indent === 4 && /^(GEM|GIT|PATH|PLUGIN SOURCE)$/.test(section.title)) {
      const [, name, version] = /^(\S+)(?: \(([^)]+)\))?$/.exec(content) ?? []
      current = name
      if (name !== undefined)
        addGem({ name, version, line: at + 1 }, section, { entries, projects, base: directoryOf(file) })
    } else if (indent === 6 && current !== undefined) {
      const list = needed.get(current) ?? []
      list.push(content.replace(/[ !(].*$/, ''))
      needed.set(current, list)
    }
  }
  if (!titles.has('DEPENDENCIES')) throw new ManifestFault('it has no DEPENDENCIES: the file ends too early')
  const known = new Set([...entries.keys(), ...projects.map(({ key }) => key!)])
  const edgesOf = (name: string): Edge[] => (needed.get(name) ?? []).flatMap(to => (known.has(to) ? [{ to }] : []))
  for (const [name, entry] of entries) entry.edges = edgesOf(name)
  for (const project of projects) project.edges = edgesOf(project.key!)
  // The lock file has no groups: the Gemfile has.
  const edges = direct.flatMap(({ name }) => (known.has(name) ? [{ to: name, scope: 'unknown' as const }] : []))
  return {
    entries: [...entries.values()],
    projects: [
      { directory: directoryOf(file), edges },
      ...projects.filter(({ directory }) => directory !== directoryOf(file)),
    ],
  }
}

function addGem(
  { name, version, line }: { name: string; version: string | undefined; line: number },
  { title, remote, revision }: Section,
  { entries, projects, base }: { entries: Map<string, Entry>; projects: ParsedProject[]; base: string },
): void {
  // A gem for several platforms is listed once for each: `nokogiri (1.15.0-x86_64-linux)`.
  const release = version?.replace(/-(?:x86|x64|arm|aarch|java|jruby|universal|mingw|mswin)[\w-]*$/, '')
  if (title === 'PATH') {
    projects.push({ key: name, directory: joinPath(base, remote ?? '.'), name, version: release, line })
    return
  }
  if (entries.has(name)) return
  const vcs = title === 'GIT' && remote !== undefined ? { vcs: formatVcs(remote, revision) } : {}
  entries.set(name, {
    key: name,
    name,
    ...(release !== undefined && { version: release }),
    line,
    ...(remote !== undefined && { resolved: remote }),
    ...vcs,
  })
}

function addChecksum(content: string, entries: ReadonlyMap<string, Entry>): void {
  const [, name, digest] = /^(\S+) \([^)]*\) (sha256=[0-9a-f]+)/.exec(content) ?? []
  const entry = name === undefined ? undefined : entries.get(name)
  if (entry) entry.hashes = [...(entry.hashes ?? []), ...readDigest(digest)]
}
