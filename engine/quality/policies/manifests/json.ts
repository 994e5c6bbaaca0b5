import type { Declaration, DependencyScope } from './manifest.ts'

const NPM_SECTIONS: readonly (readonly [string, DependencyScope])[] = [
  ['dependencies', 'runtime'],
  ['devDependencies', 'development'],
  ['optionalDependencies', 'optional'],
  ['peerDependencies', 'peer'],
]

/** One version, a commit, or something of this repository. */
const NPM_PINNED =
  /^(?:npm:[^\s]+@)?[=v]*\d+\.\d+\.\d+(?:[-+][\w.+-]+)?$|^(?:workspace|file|link|portal):|#[0-9a-f]{40}$/
const COMPOSER_PINNED = /^=?v?\d+\.\d+(?:\.\d+){0,2}(?:-[\w.]+)?$|#[0-9a-f]{40}$/

/** Dependencies of a package.json. */
export function readPackageJson(text: string): Declaration[] {
  return readSections(text, NPM_SECTIONS, version => NPM_PINNED.test(version))
}

/** Dependencies of a composer.json; the platform (`php`, `ext-*`) is none. */
export function readComposer(text: string): Declaration[] {
  const sections = [
    ['require', 'runtime'],
    ['require-dev', 'development'],
  ] as const
  return readSections(text, sections, version => COMPOSER_PINNED.test(version)).filter(({ name }) => name.includes('/'))
}

function readSections(
  text: string,
  sections: readonly (readonly [string, DependencyScope])[],
  isPinned: (version: string) => boolean,
): Declaration[] {
  const document: unknown = JSON.parse(text.replace(/^\uFEFF/, ''))
  if (typeof document !== 'object' || document === null || Array.isArray(document))
    throw new Error('it is no JSON object')
  const lineAt = countLines(text)
  return sections.flatMap(([section, scope]) => {
    const declared: unknown = (document as Record<string, unknown>)[section]
    if (typeof declared !== 'object' || declared === null) return []
    let at = Math.max(0, findKey(text, section, 0))
    return Object.entries(declared).map(([name, value]) => {
      const found = findKey(text, name, at)
      if (found >= 0) at = found
      const version = typeof value === 'string' ? value : ''
      return { name, version, scope, line: lineAt(at), pinned: isPinned(version) }
    })
  })
}

/** Where a key begins behind an offset; -1 where it does not. */
function findKey(text: string, key: string, from: number): number {
  const quoted = JSON.stringify(key)
  for (let at = text.indexOf(quoted, from); at >= 0; at = text.indexOf(quoted, at + 1))
    if (/^\s{0,20}:/.test(text.slice(at + quoted.length, at + quoted.length + 21))) return at
  return -1
}

/** The line, from 1, of offsets that only grow. */
function countLines(text: string): (offset: number) => number {
  let [line, at] = [1, 0]
  return offset => {
    if (offset < at) [line, at] = [1, 0]
    for (let next = text.indexOf('\n', at); next >= 0 && next < offset; next = text.indexOf('\n', at)) {
      line++
      at = next + 1
    }
    return line
  }
}
