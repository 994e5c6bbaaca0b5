import { parseRequirement } from './lines.ts'
import type { Declaration, DependencyScope } from './manifest.ts'

/** A line of a TOML file with the table that it is in. */
interface Entry {
  table: string
  key: string
  value: string
  line: number
}

const CRATE_SCOPES: Readonly<Record<string, DependencyScope>> = {
  dependencies: 'runtime',
  'dev-dependencies': 'development',
  'build-dependencies': 'build',
}

/** Dependencies of a Cargo.toml, of targets and of the workspace too. */
export function readCargo(text: string): Declaration[] {
  const scopeOf = (table: string): DependencyScope | undefined => {
    const [, kind] = /(?:^|\.)((?:dev-|build-)?dependencies)$/.exec(table) ?? []
    return kind === undefined ? undefined : CRATE_SCOPES[kind]
  }
  const tables = new Map<string, Declaration>()
  for (const entry of entriesOf(text)) {
    const scope = scopeOf(entry.table)
    if (scope) {
      const declared = declareCrate(entry, scope)
      tables.set(`${entry.table}.${declared.name}`, declared)
      continue
    }
    // A table of its own: [dependencies.serde].
    const dot = entry.table.lastIndexOf('.')
    const outer = scopeOf(entry.table.slice(0, dot))
    if (!outer || dot < 0) continue
    const name = unquote(entry.table.slice(dot + 1))
    const known: Declaration = tables.get(entry.table) ?? {
      name,
      version: '',
      scope: outer,
      line: entry.line - 1,
      pinned: false,
    }
    if (entry.key === 'version')
      Object.assign(known, { version: unquote(entry.value), pinned: isPinnedCrate(unquote(entry.value)) })
    if (entry.key === 'path') known.pinned = true
    if (entry.key === 'workspace') known.pinned = undefined
    tables.set(entry.table, known)
  }
  return [...tables.values()]
}

function declareCrate({ key, value, line }: Entry, scope: DependencyScope): Declaration {
  // serde.workspace = true
  if (key.endsWith('.workspace'))
    return { name: unquote(key.slice(0, -10)), version: '', scope, line, pinned: undefined }
  const inline = value.startsWith('{')
  const version = inline ? (/\bversion\s*=\s*["']([^"']*)["']/.exec(value)?.[1] ?? '') : unquote(value)
  const isElsewhere = inline && /\bworkspace\s*=\s*true/.test(value)
  const isLocal = inline && /\bpath\s*=|\brev\s*=\s*["'][0-9a-f]{40}/.test(value)
  return {
    name: unquote(key),
    version,
    scope,
    line,
    pinned: isElsewhere ? undefined : isLocal || isPinnedCrate(version),
  }
}

function isPinnedCrate(version: string): boolean {
  return /^=\s*\d+\.\d+\.\d+/.test(version)
}

/** Dependencies of a pyproject.toml: by PEP 621, dependency groups (PEP 735), and Poetry. */
export function readPyproject(text: string): Declaration[] {
  return entriesOf(text).flatMap(({ table, key, value, line }): Declaration[] => {
    const poetry = /^tool\.poetry\.(?:(dev-)|group\.[^.]+\.)?dependencies$/.exec(table)
    if (poetry) {
      if (key === 'python') return []
      const version = value.startsWith('{')
        ? (/\bversion\s*=\s*["']([^"']*)["']/.exec(value)?.[1] ?? '')
        : unquote(value)
      const pinned =
        /^(?:==?\s*)?\d+\.\d+[\w.]*$/.test(version) || /\bpath\s*=|\brev\s*=\s*["'][0-9a-f]{40}/.test(value)
      return [
        {
          name: unquote(key),
          version,
          scope: table === 'tool.poetry.dependencies' ? 'runtime' : 'development',
          line,
          pinned,
        },
      ]
    }
    const scope = table === 'project' && key === 'dependencies' ? 'runtime' : ARRAYS[table]
    if (!scope) return []
    return stringsOf(value).flatMap(each => parseRequirement(each.text, line + each.below, scope) ?? [])
  })
}

/** Tables of which each key is an array of requirements. */
const ARRAYS: Readonly<Record<string, DependencyScope>> = {
  'project.optional-dependencies': 'optional',
  'dependency-groups': 'development',
}

/** Keys and values, with arrays and inline tables that go over several lines as one value. */
function entriesOf(text: string): Entry[] {
  const out: Entry[] = []
  let table = ''
  let open: Entry | undefined
  let depth = 0
  for (const [index, written] of text.split(/\r?\n/).entries()) {
    const line = withoutComment(written)
    if (open) {
      open.value += `\n${line}`
      depth += nesting(line)
      if (depth <= 0) open = undefined
      continue
    }
    const [, header] = /^\s*\[\[?\s*([^\]]+?)\s*\]\]?\s*$/.exec(line) ?? []
    if (header !== undefined) table = header.replaceAll(/\s*\.\s*/g, '.')
    const [, key, value] = header === undefined ? (/^\s*("[^"]*"|'[^']*'|[\w.-]+)\s*=\s*(.*)$/.exec(line) ?? []) : []
    if (key === undefined) continue
    const entry = { table, key: key.trim(), value: value!.trim(), line: index + 1 }
    out.push(entry)
    depth = nesting(value!)
    if (depth > 0) open = entry
  }
  return out
}

/** The line up to a `#` that is in no string. */
function withoutComment(line: string): string {
  let quote = ''
  for (let at = 0; at < line.length; at++) {
    const character = line[at]!
    if (quote === '' && character === '#') return line.slice(0, at)
    if (quote === '' && (character === '"' || character === "'")) quote = character
    else if (character === quote) quote = ''
  }
  return line
}

/** How many brackets a line leaves open, those in strings aside. */
function nesting(line: string): number {
  const bare = line.replace(/"[^"]*"|'[^']*'/g, '')
  return (bare.match(/[[{]/g)?.length ?? 0) - (bare.match(/[\]}]/g)?.length ?? 0)
}

function stringsOf(value: string): { text: string; below: number }[] {
  return value
    .split('\n')
    .flatMap((line, below) =>
      [...line.matchAll(/"([^"]*)"|'([^']*)'/g)].map(found => ({ text: found[1] ?? found[2]!, below })),
    )
}

function unquote(text: string): string {
  return text.replace(/^(["'])(.*)\1$/, '$2')
}
