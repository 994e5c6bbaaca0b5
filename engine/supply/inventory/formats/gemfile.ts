import type { Scope } from '../component.ts'
import type { Declaration, Parsed } from '../parsed.ts'
import { directoryOf, joinPath } from '../paths.ts'
import { formatVcs } from '../resolved.ts'
import { splitLines } from '../syntax/lines.ts'

const GEM = /^gem[\s(]+['"]([\w.-]+)['"]((?:\s*,\s*['"][^'"]*['"])*)(.*)$/

/** Reads what a Gemfile declares as literals; it is Ruby, and is not run. Groups are followed by `group … do` and `end`. */
export function parse(text: string, file: string): Parsed {
  const directory = directoryOf(file)
  const declares: Declaration[] = []
  const open: (Scope | undefined)[] = []
  for (const [at, raw] of splitLines(text).entries()) {
    const line = raw.replace(/\s#.*$/, '').trim()
    const opened = /^(?:group|platforms?|source|path|git|install_if|if|unless)\b/.test(line)
    if (opened && /\bdo\b(\s*\|[^|]*\|)?$|^(if|unless)\b/.test(line))
      open.push(line.startsWith('group') ? readGroup(line) : undefined)
    else if (line === 'end') open.pop()
    const [, name, versions = '', options = ''] = GEM.exec(line) ?? []
    if (name === undefined) continue
    const requirement = [...versions.matchAll(/['"]([^'"]*)['"]/g)].map(each => each[1]).join(', ')
    const path = /(?:\bpath:|:path\s*=>)\s*['"]([^'"]+)['"]/.exec(options)?.[1]
    const git = /(?:\bgit:|:git\s*=>)\s*['"]([^'"]+)['"]/.exec(options)?.[1]
    const group = /(?:\bgroups?:|:groups?\s*=>)\s*(.*)$/.exec(options)?.[1]
    const scope =
      (group === undefined ? undefined : readGroup(group)) ?? open.findLast(each => each !== undefined) ?? 'production'
    const version = /^=?\s*(\d[\w.]*)$/.exec(requirement)?.[1]
    declares.push({
      ...{ name, scope, line: at + 1 },
      ...(requirement !== '' && { requirement }),
      ...(version !== undefined && { version }),
      ...(path !== undefined && { directory: joinPath(directory, path) }),
      ...(git !== undefined && { resolved: git, vcs: formatVcs(git) }),
    })
  }
  return { projects: [{ directory, declares }] }
}

function readGroup(text: string): Scope {
  const names = [...text.matchAll(/:(\w+)|\b(\w+):|['"](\w+)['"]/g)].flatMap(([, a, b, c]) => a ?? b ?? c ?? [])
  if (names.length === 0 || names.some(name => !/^(development|test|dev|ci|doc|docs|lint|tools)$/.test(name)))
    return 'production'
  return names.every(name => name === 'test') ? 'test' : 'development'
}
