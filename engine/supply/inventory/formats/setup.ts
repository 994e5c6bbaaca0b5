import type { Scope } from '../component.ts'
import type { Declaration, Include, Parsed } from '../parsed.ts'
import { directoryOf, joinPath } from '../paths.ts'
import { readPep508 } from '../pep508.ts'
import { splitLines } from '../syntax/lines.ts'

/** Reads setup.cfg, and of setup.py what is written as literals: Python is not run. */
export function parse(text: string, file: string): Parsed {
  const directory = directoryOf(file)
  const { declares, includes } = file.endsWith('.py')
    ? { declares: readScript(text), includes: [] }
    : readSettings(text, directory)
  const detail =
    file.endsWith('.py') && /install_requires\s*=\s*[^[\s]/.test(text)
      ? { detail: 'install_requires is computed when it is built' }
      : {}
  if (declares.length === 0) return { ...detail, includes }
  return { projects: [{ directory, declares }], includes, ...detail }
}

function readSettings(text: string, directory: string): { declares: Declaration[]; includes: Include[] } {
  const declares: Declaration[] = []
  const includes: Include[] = []
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
    // `file: requirements.txt, more.txt` has the requirements in files of their own.
    const named = /^file:\s*(.+)$/.exec(item)?.[1]
    if (named !== undefined)
      for (const name of named.split(',').map(each => each.trim()))
        if (name !== '')
          includes.push({ file: joinPath(directory, name), as: 'part', line: at + 1, format: 'requirements' })
    const found = named === undefined && item !== '' ? readPep508(item) : undefined
    if (found) declares.push({ ...found, scope, line: at + 1 })
  }
  return { declares, includes }
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
  ['extras_require', 'optional'],
]

function readScript(text: string): Declaration[] {
  return LISTS.flatMap(([name, scope]) => {
    const start = new RegExp(`\\b${name}\\s*=\\s*[[{]`).exec(text)
    if (start === null) return []
    return listStrings(text, start.index + start[0].length - 1).flatMap(({ content, line }) => {
      const found = readPep508(content)
      return found === undefined ? [] : [{ ...found, scope, line }]
    })
  })
}

/** The strings of a list that begins at a bracket, and of lists that are values in it; keys of a dictionary are none. Comments and brackets in strings are skipped. */
function listStrings(text: string, from: number): { content: string; line: number }[] {
  const found: { content: string; line: number }[] = []
  const open: string[] = []
  let line = 1
  for (let at = text.indexOf('\n'); at !== -1 && at < from; at = text.indexOf('\n', at + 1)) line++
  for (let at = from; at < text.length; at++) {
    const sign = text[at]!
    if (sign === '\n') line++
    else if (sign === '#') {
      const end = text.indexOf('\n', at)
      at = end === -1 ? text.length : end - 1
    } else if (sign === '"' || sign === "'") {
      const end = findStringEnd(text, at)
      if (open.at(-1) !== '{') found.push({ content: text.slice(at + 1, end), line })
      at = end
    } else if (sign === '[' || sign === '{' || sign === '(') open.push(sign)
    else if (sign === ']' || sign === '}' || sign === ')') {
      open.pop()
      if (open.length === 0) return found
    }
  }
  return found
}

/** Where a string of one line ends; at the end of the line where it is not closed. */
function findStringEnd(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === text[start]) return at
    else if (text[at] === '\n') return at - 1
  }
  return text.length
}
