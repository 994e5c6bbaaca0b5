import { type Entry, ManifestFault, type Parsed, type ParsedProject } from '../parsed.ts'
import { directoryOf, joinPath } from '../paths.ts'
import { splitLines } from '../syntax/lines.ts'

interface Line {
  verb: string
  words: string[]
  comment: string
  line: number
}

/**
 * Reads go.mod: requirements, direct or `// indirect`, with `replace` applied. Go's minimal version selection makes the file its own
 * lock; from Go 1.17 on it names every module of the build. What depends on what is not in it.
 */
export function parse(text: string, file: string): Parsed {
  const directory = directoryOf(file)
  const project: ParsedProject = { directory, edges: [] }
  const required: { name: string; version: string; line: number; isDirect: boolean }[] = []
  /** By module, or module and version. */
  const replaced = new Map<string, { to: string; target: string | undefined; line: number }>()
  const entries: Entry[] = []
  let language: { version: string; line: number } | undefined
  let toolchain: typeof language
  for (const { verb, words, comment, line } of readLines(text)) {
    if (verb === 'module') {
      project.name = words[0]
      project.line = line
    } else if (verb === 'require') {
      const [name, version] = words
      if (name === undefined || version === undefined)
        throw new ManifestFault('require needs a module and a version', line)
      required.push({ name, version, line, isDirect: !/^indirect\b/.test(comment) })
    } else if (verb === 'replace') {
      const arrow = words.indexOf('=>')
      if (arrow < 1 || words.length < arrow + 2)
        throw new ManifestFault('replace needs the form module => module', line)
      const from = words.slice(0, arrow).join('@')
      if (!replaced.has(from)) replaced.set(from, { to: words[arrow + 1]!, target: words[arrow + 2], line })
    } else if (verb === 'go' && /^\d/.test(words[0] ?? '')) language = { version: words[0]!, line }
    else if (verb === 'toolchain') {
      // The toolchain builds with its own library, which is at least that of the language version.
      const release = /^go(\d[\w.]*)/.exec(words[0] ?? '')?.[1]
      if (release !== undefined) toolchain = { version: release, line }
    }
  }
  const library = toolchain ?? language
  if (library) {
    entries.push({ key: 'stdlib', name: 'stdlib', ...library, scope: 'production' })
    project.edges!.push({ to: 'stdlib' })
  }
  for (const { name, version, line, isDirect } of required) {
    const replacement = replaced.get(`${name}@${version}`) ?? replaced.get(name)
    const isLocal = replacement !== undefined && /^\.{0,2}\//.test(replacement.to)
    // A module of the repository itself is a project, not a component.
    if (isLocal) {
      project.declares ??= []
      project.declares.push({ name, directory: joinPath(directory, replacement.to), scope: 'production', line })
      continue
    }
    const module = replacement?.to ?? name
    const release = replacement === undefined ? version : (replacement.target ?? version)
    entries.push({
      key: `${name}@${version}`,
      name: module,
      version: release.replace(/^v(?=\d)/, ''),
      line: replacement?.line ?? line,
      scope: 'production',
    })
    if (isDirect) project.edges!.push({ to: `${name}@${version}` })
  }
  // The first of entries with one key holds.
  const unique = new Map(entries.reverse().map(each => [each.key, each]))
  return { entries: [...unique.values()].reverse(), projects: [project] }
}

function* readLines(text: string): Generator<Line> {
  let block: string | undefined
  for (const [at, raw] of splitLines(text).entries()) {
    const cut = raw.indexOf('//')
    const content = (cut === -1 ? raw : raw.slice(0, cut)).trim()
    const comment = cut === -1 ? '' : raw.slice(cut + 2).trim()
    if (content === '') continue
    if (content === ')') {
      block = undefined
      continue
    }
    const words = content.split(/\s+/).map(word => word.replace(/^["`](.*)["`]$/, '$1'))
    if (block !== undefined) yield { verb: block, words, comment, line: at + 1 }
    else if (words.at(-1) === '(' || content.endsWith('(')) block = words[0]!.replace(/\($/, '')
    else if (/^(module|go|toolchain|require|exclude|replace|retract|tool|godebug|ignore)$/.test(words[0]!))
      yield { verb: words[0]!, words: words.slice(1), comment, line: at + 1 }
    else throw new ManifestFault(`${JSON.stringify(words[0])} is no directive of go.mod`, at + 1)
  }
}
