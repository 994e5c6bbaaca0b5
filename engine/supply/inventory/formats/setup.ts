import type { Scope } from '../component.ts'
import type { Declaration, Parsed } from '../parsed.ts'
import { directoryOf } from '../paths.ts'
import { readPep508 } from '../pep508.ts'
import { splitLines } from '../syntax/lines.ts'

/** Reads setup.cfg, and of setup.py what is written as literals: Python is not run. */
export function parse(text: string, file: string): Parsed {
  const declares = file.endsWith('.py') ? readScript(text) : readSettings(text)
  const detail =
    file.endsWith('.py') && /install_requires\s*=\s*[^[\s]/.test(text)
      ? { detail: 'install_requires is computed when it is built' }
      : {}
  if (declares.length === 0) return detail
  return { projects: [{ directory: directoryOf(file), declares }], ...detail }
}

function readSettings(text: string): Declaration[] {
  const declares: Declaration[] = []
  let [section, option] = ['', '']
  for (const [at, raw] of splitLines(text).entries()) {
    const line = raw.replace(/(^|\s)[#;].*$/, '').trimEnd()
    if (line.trim() === '') continue
    const [, header] = /^\[([^\]]+)\]$/.exec(line.trim()) ?? []
    if (header !== undefined) [section, option] = [header, '']
    else if (!/^\s/.test(line)) option = /^([\w.-]+)\s*[=:]/.exec(line)?.[1] ?? ''
    const scope = scopeOf(section, option)
    if (scope === undefined || header !== undefined) continue
    const item = /^\s/.test(line) ? line.trim() : line.replace(/^[\w.-]+\s*[=:]\s*/, '')
    const found = readPep508(item)
    if (found && item !== '') declares.push({ ...found, scope, line: at + 1 })
  }
  return declares
}

function scopeOf(section: string, option: string): Scope | undefined {
  if (section === 'options') {
    if (option === 'install_requires') return 'production'
    return option === 'tests_require' ? 'test' : option === 'setup_requires' ? 'development' : undefined
  }
  return section === 'options.extras_require' && option !== '' ? 'optional' : undefined
}

const LISTS: readonly [string, Scope][] = [
  ['install_requires', 'production'],
  ['tests_require', 'test'],
  ['setup_requires', 'development'],
]

function readScript(text: string): Declaration[] {
  return LISTS.flatMap(([name, scope]) => {
    const start = new RegExp(`\\b${name}\\s*=\\s*\\[`).exec(text)
    if (start === null) return []
    const from = start.index + start[0].length
    const end = text.indexOf(']', from)
    const first = text.slice(0, from).split('\n').length
    return text
      .slice(from, end === -1 ? from : end)
      .split('\n')
      .flatMap((line, at) =>
        [...line.replace(/(^|\s)#.*$/, '').matchAll(/'([^'\n]*)'|"([^"\n]*)"/g)].flatMap(([, single, double]) => {
          const found = readPep508(single ?? double ?? '')
          return found === undefined ? [] : [{ ...found, scope, line: first + at }]
        }),
      )
  })
}
