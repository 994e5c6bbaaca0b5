import { redactCredentials } from '../../../base/text/credentials.ts'
import { type Declaration, type Edge, type Entry, ManifestFault, type Parsed } from '../parsed.ts'
import { directoryOf } from '../paths.ts'
import { readDigest, readIntegrity } from '../resolved.ts'
import { findKeyLines, findLine } from '../syntax/json.ts'
import { readJsonc } from '../syntax/jsonc.ts'
import { asFields, asText, asTexts, type Fields, requireFields, requireTable } from '../syntax/shape.ts'

const IMPORT = /^(jsr|npm):\/?((?:@[^/@]+\/)?[^/@]+)(?:@([^/]+))?/

/** Reads deno.lock of version 2 to 5, and the imports of deno.json. */
export function parse(text: string, file: string): Parsed {
  const content = requireFields(readJsonc(text), 'the file')
  const directory = directoryOf(file)
  if (!file.endsWith('.lock'))
    return {
      projects: [
        {
          ...{ directory, ...readIdentity(content), declares: listImports(content, text) },
          workspaces: asTexts(content.workspace ?? []).concat(asTexts(asFields(content.workspace).members ?? [])),
        },
      ],
    }
  if (content.version === undefined) throw new ManifestFault('deno.lock has no version')
  const lines = findKeyLines(text, 4)
  const older = asFields(content.packages)
  const entries: Entry[] = []
  for (const [kind, ecosystem] of [
    ['npm', 'npm'],
    ['jsr', 'JSR'],
  ] as const) {
    const own = asFields(content[kind])
    const table = own.packages ?? (content[kind] === undefined ? older[kind] : own)
    const keys = new Map<string, string>()
    // By key, and by name where the version is left out.
    for (const key of Object.keys(asFields(table)))
      for (const each of [key, key.replace(/^(.[^@]*)@.*$/s, '$1')]) if (!keys.has(each)) keys.set(each, key)
    for (const [key, fields] of requireTable(table, kind)) {
      const cut = key.indexOf('@', 1)
      const line = findLine(lines, kind, key) ?? findLine(lines, 'packages', kind, key)
      if (cut === -1) throw new ManifestFault(`${kind}: ${JSON.stringify(key)} has no version`, line)
      const integrity = asText(fields.integrity)
      const hashes = kind === 'npm' ? readIntegrity(integrity) : readDigest(integrity, 'sha256')
      // A peer set follows an underscore: `react-dom@18.2.0_react@18.2.0`.
      const version = key.slice(cut + 1).replace(/_.*$/, '')
      entries.push({
        key: `${kind}:${key}`,
        name: key.slice(0, cut),
        version,
        ecosystem,
        line,
        hashes,
        edges: listEdges(fields.dependencies, kind, keys),
      })
    }
  }
  for (const [address, digest] of Object.entries(asFields(content.remote)))
    entries.push({
      key: address,
      name: redactCredentials(address).replace(/^https?:\/\//, ''),
      kind: 'module',
      line: findLine(lines, 'remote', address),
      hashes: readDigest(digest, 'sha256'),
      resolved: address,
    })
  const specifiers = { ...asFields(older.specifiers), ...asFields(content.specifiers) }
  const known = new Set(entries.map(({ key }) => key))
  const direct = Object.entries(specifiers).flatMap(([name, version]): Edge[] => {
    const [, kind, short] = IMPORT.exec(name) ?? []
    const to = /^(npm|jsr):/.test(String(version)) ? String(version) : `${kind}:${short}@${String(version)}`
    return known.has(to) ? [{ to }] : []
  })
  return { entries, projects: [{ directory, edges: direct }] }
}

function listEdges(value: unknown, kind: string, keys: ReadonlyMap<string, string>): Edge[] {
  const named = Array.isArray(value)
    ? asTexts(value)
    : Object.values(asFields(value)).flatMap(each => asText(each) ?? [])
  return named.flatMap(each => {
    const [, other = kind, name = each] = /^(npm|jsr):(.*)$/s.exec(each) ?? []
    const found = keys.get(name) ?? keys.get(name.replace(/^(.[^@]*)@.*$/s, '$1'))
    return found === undefined || other !== kind ? [] : [{ to: `${kind}:${found}` }]
  })
}

function readIdentity(content: Fields): { name?: string; version?: string } {
  return { name: asText(content.name), version: asText(content.version) }
}

function listImports(content: Fields, text: string): Declaration[] {
  const lines = findKeyLines(text, 2)
  return Object.entries(asFields(content.imports)).flatMap(([alias, value]): Declaration[] => {
    const [, kind, name, range] = IMPORT.exec(asText(value) ?? '') ?? []
    if (name === undefined) return []
    const version = /^\d+\.\d+\.\d+[\w.+-]*$/.test(range ?? '') ? range : undefined
    return [
      {
        name,
        ecosystem: kind === 'jsr' ? 'JSR' : 'npm',
        scope: 'production',
        line: findLine(lines, 'imports', alias),
        ...(range !== undefined && { requirement: range }),
        ...(version !== undefined && { version }),
      },
    ]
  })
}
