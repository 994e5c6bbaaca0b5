import { type Entry, ManifestFault, type Parsed } from '../parsed.ts'
import { formatVcs, readDigest } from '../resolved.ts'
import { splitLines } from '../syntax/lines.ts'
import { asFields, asText, requireFields, requireList } from '../syntax/shape.ts'
import { readYaml } from '../syntax/yaml.ts'

/** Reads stack.yaml.lock and cabal.project.freeze. */
export function parse(text: string, file: string): Parsed {
  return /\.(lock|ya?ml)$/.test(file) ? readStack(text) : readFreeze(text)
}

function readStack(text: string): Parsed {
  const lock = requireFields(readYaml(text)[0], 'stack.yaml.lock')
  const lines = new Map<string, number>()
  for (const [at, line] of splitLines(text).entries()) {
    const name = /hackage: ([^@\s]+)/.exec(line)?.[1]
    if (name !== undefined && !lines.has(name)) lines.set(name, at + 1)
  }
  const entries = requireList(lock.packages, 'packages').map((each, at): Entry => {
    const completed = asFields(requireFields(each, 'package').completed)
    const git = asText(completed.git)
    if (git !== undefined) {
      const commit = asText(completed.commit)
      return {
        key: String(at),
        name: asText(completed.name) ?? git,
        version: asText(completed.version),
        resolved: git,
        vcs: formatVcs(git, commit),
      }
    }
    const archive = asText(completed.url)
    if (archive !== undefined)
      return {
        key: String(at),
        name: asText(completed.name) ?? archive,
        version: asText(completed.version),
        resolved: archive,
      }
    const [, name, version, digest] =
      /^(.+)-(\d[\d.]*)(?:@(sha256:[0-9a-f]+))?/.exec(asText(completed.hackage) ?? '') ?? []
    if (name === undefined) throw new ManifestFault('a package must have the form hackage: name-version')
    return { key: String(at), name, version, line: lines.get(`${name}-${version}`), hashes: readDigest(digest) }
  })
  return { entries }
}

function readFreeze(text: string): Parsed {
  const entries: Entry[] = []
  for (const [at, line] of splitLines(text).entries())
    for (const [, name, version] of line.matchAll(/(?<![\w.-])(?:any\.)?([A-Za-z][\w-]*)\s*==\s*(\d[\d.]*)/g))
      entries.push({ key: `${at}/${name}`, name: name!, version: version!, line: at + 1 })
  const content = text.trim()
  if (content !== '' && !/^(constraints|active-repositories|index-state|with-compiler)\s*:/m.test(content))
    throw new ManifestFault('it has no constraints: this is no cabal.project.freeze')
  if (/any\.[\w-]*\s*(?:==\s*)?$/.test(content.slice(-300)))
    throw new ManifestFault('a constraint has no version: the file ends too early')
  return { entries }
}
