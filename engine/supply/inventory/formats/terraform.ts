import { type Declaration, type Entry, ManifestFault, type Parsed } from '../parsed.ts'
import { directoryOf, joinPath } from '../paths.ts'
import { readDigest } from '../resolved.ts'
import { splitLines } from '../syntax/lines.ts'

/** Reads .terraform.lock.hcl, and of *.tf the required providers and modules: blocks of `key = "value"`, followed by their brackets. */
export function parse(text: string, file: string): Parsed {
  return file.endsWith('.hcl') ? readLock(text, directoryOf(file)) : readModule(text, directoryOf(file))
}

function readLock(text: string, directory: string): Parsed {
  const entries: Entry[] = []
  let isOpen = false
  for (const [at, line] of splitLines(text).entries()) {
    const [, name] = /^provider\s+"([^"]+)"\s*\{/.exec(line) ?? []
    const last = entries.at(-1)
    const content = line.replace(/^\s*(#|\/\/).*$/, '').trim()
    if (name === undefined && !isOpen && content !== '')
      throw new ManifestFault('a line outside of a provider is not expected', at + 1)
    if (name !== undefined) isOpen = true
    else if (/^\}/.test(line)) isOpen = false
    if (name !== undefined)
      entries.push({ key: name, name, kind: 'module', line: at + 1, scope: 'production', hashes: [] })
    else if (last) {
      const [, version] = /^\s*version\s*=\s*"([^"]+)"/.exec(line) ?? []
      if (version !== undefined) last.version = version
      // `zh:` is the digest of the provider's archive for one platform; `h1:` is of Terraform's own making.
      for (const [, digest] of line.matchAll(/"zh:([0-9a-f]{64})"/g)) last.hashes!.push(...readDigest(digest, 'sha256'))
    }
  }
  if (isOpen)
    throw new ManifestFault(`${entries.at(-1)!.name} is not closed: the file ends too early`, entries.at(-1)!.line)
  const bare = entries.find(({ version }) => version === undefined)
  if (bare) throw new ManifestFault(`${bare.name} has no version`, bare.line)
  return {
    entries,
    projects: [{ directory, edges: entries.map(({ key }) => ({ to: key })) }],
    find: ({ name }) => entries.find(each => each.name === name || each.name.endsWith(`/${name}`))?.key,
  }
}

interface Block {
  head: string
  line: number
  fields: Map<string, string>
}

function readModule(text: string, directory: string): Parsed {
  const declares: Declaration[] = []
  const open: Block[] = []
  for (const [at, raw] of splitLines(text).entries()) {
    const line = raw.replace(/(^|\s)(#|\/\/).*$/, '').trim()
    const [, key, value] = /^([\w-]+)\s*=\s*"([^"]*)"/.exec(line) ?? []
    if (key !== undefined) {
      open.at(-1)?.fields.set(key, value!)
      // The short form of old: `aws = "~> 2.0"`.
      if (open.at(-1)?.head === 'required_providers')
        declares.push({
          name: `hashicorp/${key}`,
          requirement: value!,
          scope: 'production',
          kind: 'module',
          line: at + 1,
        })
      continue
    }
    if (/\{[^}]*\}/.test(line)) {
      const [, name, body = ''] = /^([\w-]+)\s*=\s*\{(.*)\}/.exec(line) ?? []
      const fields = new Map([...body.matchAll(/([\w-]+)\s*=\s*"([^"]*)"/g)].map(([, field, text]) => [field!, text!]))
      if (name !== undefined && open.at(-1)?.head === 'required_providers')
        declares.push(...readBlock({ head: name, line: at + 1, fields }, directory, true))
    } else if (line.endsWith('{')) open.push({ head: line.replace(/\s*=?\s*\{$/, ''), line: at + 1, fields: new Map() })
    else if (line.startsWith('}')) {
      const block = open.pop()
      if (block) declares.push(...readBlock(block, directory, open.at(-1)?.head === 'required_providers'))
    }
  }
  return declares.length === 0 ? {} : { projects: [{ directory, declares }] }
}

function readBlock({ head, line, fields }: Block, directory: string, isProvider: boolean): Declaration[] {
  const [source, requirement] = [fields.get('source'), fields.get('version')]
  const common = {
    scope: 'production' as const,
    kind: 'module' as const,
    line,
    ...(requirement !== undefined && { requirement }),
  }
  if (isProvider) return [{ name: source ?? `hashicorp/${head}`, ...common }]
  if (!head.startsWith('module') || source === undefined) return []
  if (/^\.{1,2}\//.test(source)) return [{ name: source, directory: joinPath(directory, source), ...common }]
  const commit = /[?&]ref=([^&]+)/.exec(source)?.[1]
  const version = /^v?\d+\.\d+\.\d+$/.test(requirement ?? '') ? requirement : commit
  return [
    {
      name: source
        .replace(/^git::/, '')
        .replace(/^[a-z+]+:\/\/(?:[^/@]*@)?/, '')
        .replace(/\?.*$/, ''),
      ...common,
      ...(version !== undefined && { version }),
    },
  ]
}
