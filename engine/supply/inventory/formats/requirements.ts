import type { Scope } from '../component.ts'
import { type Declaration, type Include, ManifestFault, type Parsed } from '../parsed.ts'
import { directoryOf, joinPath } from '../paths.ts'
import { readPep508 } from '../pep508.ts'
import { readDigest } from '../resolved.ts'
import { splitLines } from '../syntax/lines.ts'

/** Options that name no package, and those whose value is the next word. */
const OPTION = /^-{1,2}[a-z]/

/** What lines of requirements add up to. */
export interface Requirements {
  declares: Declaration[]
  includes: Include[]
  faults: ManifestFault[]
}

/**
 * Reads requirements files of pip: versions, extras, markers, hashes, URLs, editable installs, `-r` and `-c`. Lines that end in a
 * backslash go on. A file is its own project: what it pins is what is installed.
 */
export function parse(text: string, file: string): Parsed {
  const directory = directoryOf(file)
  const read: Requirements = { declares: [], includes: [], faults: [] }
  const scope = guessScope(file)
  for (const { content, line } of joinLines(text)) readRequirementLine(content, { line, scope, directory }, read)
  const { declares, includes, faults } = read
  if (isProse(file, read)) return { detail: 'it is no requirements file of pip' }
  return {
    projects: [{ directory, declares }],
    includes,
    faults,
    model: new Set(includes.filter(({ as }) => as === 'constraints').map(each => each.file)),
  }
}

/** Reads one line, as `-r other.txt`, `-e git+https://…` or `name>=1`. */
export function readRequirementLine(
  content: string,
  { line, scope, directory }: { line: number | undefined; scope: Scope; directory: string },
  into: Requirements,
): void {
  const [, option = '', value = ''] =
    /^(-r|--requirement|-c|--constraint|-e|--editable)(?:\s+|=|(?=[^\s-]))(.*)$/.exec(content) ?? []
  if (/^(-r|--req|-c|--con)/.test(option)) {
    const path = value.trim()
    // A file elsewhere on the network or disk is not the repository's.
    if (/^[a-z+]+:\/\//i.test(path) || path.startsWith('/'))
      into.faults.push(new ManifestFault(`${path} is outside the repository`, line))
    else
      into.includes.push({
        ...{ file: joinPath(directory, path), as: /^(-c|--con)/.test(option) ? 'constraints' : 'part' },
        ...{ line, format: 'requirements' },
      })
    return
  }
  if (option === '' && OPTION.test(content)) return
  const requirement = readRequirement(option === '' ? content : value)
  if (requirement === undefined)
    into.faults.push(new ManifestFault(`${JSON.stringify(content.slice(0, 80))} is no requirement`, line))
  else if (requirement !== 'local') into.declares.push({ ...requirement, scope, line })
}

/** A text about requirements of another kind, which has the name by chance: nothing in it is a range, an address or an option. */
function isProse(file: string, { declares, includes, faults }: Requirements): boolean {
  if (/(^|\/)requirements[^/]*\.(txt|in)$/i.test(file) || faults.length === 0 || includes.length > 0) return false
  return !declares.some(({ requirement, resolved, hashes }) => requirement ?? resolved ?? hashes)
}

/** Gives constraints' versions to what other files declare, and takes what constraints name for no dependency by itself. */
export function combine(files: Map<string, Parsed>): void {
  const constraints = new Set([...files.values()].flatMap(({ model }) => [...((model as Set<string>) ?? [])]))
  for (const [, parsed] of files) {
    const pins = new Map<string, string>()
    for (const name of (parsed.model as Set<string>) ?? [])
      for (const { name: pinned, version } of files.get(name)?.projects?.[0]?.declares ?? [])
        if (version !== undefined) pins.set(normalize(pinned), version)
    for (const declared of parsed.projects?.[0]?.declares ?? []) declared.version ??= pins.get(normalize(declared.name))
  }
  const required = new Set(
    [...files.values()].flatMap(({ includes = [] }) => includes.flatMap(({ as, file }) => (as === 'part' ? file : []))),
  )
  for (const [name, parsed] of files)
    if (!required.has(name) && (constraints.has(name) || /(^|[/_.-])constraints[^/]*$/i.test(name)))
      Object.assign(parsed, { projects: [], detail: 'constraints of other files' })
}

const normalize = (name: string) => name.toLowerCase().replace(/[-_.]+/g, '-')

function readRequirement(content: string): Omit<Declaration, 'scope'> | 'local' | undefined {
  const [head = '', ...options] = content.replace(/\s+/g, ' ').split(/ (?=--)/)
  const hashes = options.flatMap(option => readDigest(/^--hash[= ](\S+)/.exec(option)?.[1]))
  const text = head.trim()
  const egg = /[#&]egg=([\w.-]+)/.exec(text)?.[1]
  if (/^(\.{0,2}\/|\.{1,2}$|\.?\.?\[|file:)/.test(text) || /^[\w./-]+\.(whl|zip|tar\.gz)$/.test(text)) return 'local'
  if (/^[a-z][\w+]*:\/\/|^git\+/i.test(text)) {
    const address = text.replace(/\s.*$/, '')
    const [, url = address, commit] = /^(git\+[^#]*?)(?:@([^@/#]+))?(?:#.*)?$/.exec(address) ?? []
    const name = egg ?? /\/([^/@#]+?)(?:\.git)?(?:@[^/]*)?(?:#.*)?$/.exec(address)?.[1] ?? address
    const isGit = address.startsWith('git+')
    return {
      name,
      resolved: address,
      ...(isGit
        ? { vcs: commit === undefined ? url : `${url}@${commit}` }
        : { qualifiers: { download_url: address.replace(/#.*$/, '') } }),
    }
  }
  const found = readPep508(text)
  if (found === undefined) return /^[\w./-]+\/[\w./-]*$/.test(text) ? 'local' : undefined
  return { ...found, ...(hashes.length > 0 && { hashes }) }
}

function* joinLines(text: string): Generator<{ content: string; line: number }> {
  let [start, parts] = [0, [] as string[]]
  for (const [at, raw] of splitLines(text).entries()) {
    const line = raw.trimEnd()
    if (parts.length === 0) start = at + 1
    if (line.endsWith('\\') && !/^\s*#/.test(line)) {
      parts.push(line.slice(0, -1))
      continue
    }
    parts.push(line)
    const content = parts
      .join(' ')
      .replace(/(^|\s)#.*$/, '')
      .trim()
    parts = []
    if (content !== '') yield { content, line: start }
  }
  const content = parts
    .join(' ')
    .replace(/(^|\s)#.*$/, '')
    .trim()
  if (content !== '') yield { content, line: start }
}

/** What the name says: `requirements-dev.txt`, `test-requirements.txt`, `requirements/docs.in`. */
function guessScope(file: string): Scope {
  const words = file
    .toLowerCase()
    .split(/[/._-]+/)
    .slice(-3)
  if (words.some(word => /^(tests?|testing)$/.test(word))) return 'test'
  return words.some(word => /^(dev|develop|development|docs?|lint|linting|ci|build|typing)$/.test(word))
    ? 'development'
    : 'production'
}
