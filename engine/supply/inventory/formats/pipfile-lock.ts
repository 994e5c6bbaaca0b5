import type { Scope } from '../component.ts'
import type { Entry, Parsed } from '../parsed.ts'
import { formatVcs, readDigest } from '../resolved.ts'
import { findKeyLines, findLine, readJson } from '../syntax/json.ts'
import { asList, asText, requireFields, requireTable } from '../syntax/shape.ts'

const SECTIONS: readonly [string, Scope][] = [
  ['default', 'production'],
  ['develop', 'development'],
]

/** Reads Pipfile.lock: flat, without edges. */
export function parse(text: string): Parsed {
  // pipenv leaves an empty file where it was stopped, and takes it for no lock.
  if (text.trim() === '') return { detail: 'the file is empty' }
  const lock = requireFields(readJson(text), 'the lock file')
  const lines = findKeyLines(text, 2)
  const entries = SECTIONS.flatMap(([section, scope]) =>
    requireTable(lock[section], section).flatMap(([name, fields]): Entry[] => {
      if (fields.path !== undefined) return []
      const version = asText(fields.version)?.replace(/^={2,3}/, '')
      const git = asText(fields.git)
      const entry = {
        ...{ key: `${section}/${name}`, name, scope, line: findLine(lines, section, name) },
        ...(version !== undefined && { version }),
        ...(git !== undefined && { resolved: git, vcs: formatVcs(git, asText(fields.ref)) }),
        hashes: asList(fields.hashes).flatMap(each => readDigest(each)),
      }
      return [entry]
    }),
  )
  return { entries }
}
