import type { Scope } from '../component.ts'
import type { Declaration, Parsed } from '../parsed.ts'
import { directoryOf, joinPath } from '../paths.ts'
import { formatVcs } from '../resolved.ts'
import { findKeyLines, findLine, readJson } from '../syntax/json.ts'
import { asFields, asText, asTexts, requireFields } from '../syntax/shape.ts'
import { readLicense } from './npm-lock.ts'

/** The fields that declare dependencies, with what they are for. */
const FIELDS: readonly [string, Scope][] = [
  ['dependencies', 'production'],
  ['devDependencies', 'development'],
  ['optionalDependencies', 'optional'],
  ['peerDependencies', 'production'],
]

/** Reads package.json. Peers are declared too: npm and pnpm install them, and a lock file says with which version. */
export function parse(text: string, file: string): Parsed {
  const manifest = requireFields(readJson(text), 'package.json')
  const lines = findKeyLines(text, 2)
  const directory = directoryOf(file)
  const declares = new Map<string, Declaration>()
  const optionalPeers = asFields(manifest.peerDependenciesMeta)
  for (const [field, scope] of FIELDS) {
    if (manifest[field] === undefined) continue
    for (const [name, range] of Object.entries(requireFields(manifest[field], field))) {
      // An optional peer is nobody's wish, and a dependency that is optional too is optional.
      if (field === 'peerDependencies' && (declares.has(name) || asFields(optionalPeers[name]).optional === true))
        continue
      const line = findLine(lines, field, name)
      declares.set(name, { scope, line, ...readRange(name, asText(range), directory) })
    }
  }
  const { name, version } = { name: asText(manifest.name), version: asText(manifest.version) }
  // Yarn's older form is an object.
  const workspaces = asTexts(manifest.workspaces ?? []).concat(asTexts(asFields(manifest.workspaces).packages ?? []))
  return {
    projects: [
      {
        ...{ directory, name, version, license: readLicense(manifest.license), declares: [...declares.values()] },
        ...(workspaces.length > 0 && { workspaces }),
      },
    ],
  }
}

/** What a range of npm says: a version, a range, an alias of another package, a directory or a repository. */
function readRange(alias: string, range = '*', directory: string): Omit<Declaration, 'scope'> {
  const renamed = /^npm:((?:@[^/]+\/)?[^@]+)(?:@(.*))?$/.exec(range)
  if (renamed) return { ...readRange(renamed[1]!, renamed[2] || '*', directory), alias }
  const local = /^(?:file|link|portal|workspace):(\.{0,2}\/?.*)$/.exec(range)?.[1]
  if (local !== undefined && /^\.{1,2}(\/|$)|^[^*^~\d]/.test(local))
    return { name: alias, requirement: range, directory: joinPath(directory, local) }
  const repository = /^(git\+\w+:|git:|ssh:|https?:.*\.git(#|$))/.test(range)
    ? range
    : /^(?:github:)?([\w.-]+\/[\w.-]+)(#.*)?$/.test(range)
      ? `git+ssh://git@github.com/${range.replace(/^github:/, '')}`
      : undefined
  if (repository !== undefined)
    return { name: alias, requirement: range, vcs: formatVcs(repository, /#([0-9a-f]{7,64})$/.exec(range)?.[1]) }
  const exact = /^[=v]?(\d+\.\d+\.\d+(?:-[\w.-]+)?(?:\+[\w.-]+)?)$/.exec(range)?.[1]
  return { name: alias, requirement: range, ...(exact !== undefined && { version: exact }) }
}
