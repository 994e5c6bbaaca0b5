import { compileGlob } from '../../../base/text/glob.ts'
import { asList, asText, asTexts } from '../../inventory/syntax/shape.ts'
import { readToml } from '../../inventory/syntax/toml.ts'

/** Licenses that a file of the repository says of others. */
export interface Annotation {
  takes(path: string): boolean
  license: string
  /** It takes precedence over a tag in the file itself. */
  overrides: boolean
}

/** Patterns of one file that are read; what is beyond says nothing. */
const MOST_ANNOTATIONS = 2000

/** REUSE.toml (version 1): tables with a path or several, in the directory of the file. Throws where it is no TOML. */
export function readReuseToml(text: string, directory: string): Annotation[] {
  const fields = readToml(text)
  return asList(fields.annotations)
    .slice(0, MOST_ANNOTATIONS)
    .flatMap(value => {
      const table = value as Record<string, unknown>
      const single = asText(table?.path)
      const paths = single === undefined ? asTexts(table?.path) : [single]
      const license =
        asText(table?.['SPDX-License-Identifier']) ??
        asTexts(table?.['SPDX-License-Identifier'])
          .map(one => `(${one})`)
          .join(' AND ')
      if (license === '' || license === undefined) return []
      const prefix = directory === '' ? '' : `${directory}/`
      const globs = paths.map(path => compileGlob(`${prefix}${path}`))
      const overrides = table.precedence === 'override'
      return [{ takes: path => globs.some(glob => glob(path)), license, overrides }]
    })
}

/** `.reuse/dep5`: Debian's machine-readable copyright file. A star matches slashes too, and the last paragraph that fits holds. */
export function readDep5(text: string): Annotation[] {
  const paragraphs = text.split(/\n[ \t]*\n/).slice(0, MOST_ANNOTATIONS)
  const read = paragraphs.flatMap(paragraph => {
    const fields = new Map<string, string>()
    let last = ''
    for (const line of paragraph.split('\n')) {
      const [, name, value = ''] = /^([A-Za-z-]+):[ \t]*(.*)$/.exec(line) ?? []
      if (name !== undefined) {
        last = name.toLowerCase()
        fields.set(last, value)
      } else if (/^[ \t]/.test(line)) fields.set(last, `${fields.get(last) ?? ''} ${line.trim()}`)
    }
    const [files, license] = [fields.get('files'), fields.get('license')?.split('\n')[0]?.trim()]
    if (files === undefined || !license) return []
    const patterns = files.trim().split(/\s+/).map(compileDebian)
    return [{ takes: (path: string) => patterns.some(one => one(path)), license, overrides: false }]
  })
  return read.reverse()
}

/** A pattern with `*` and `?`, matched in time that grows with pattern and path, whatever stars it has. */
function compileDebian(pattern: string): (path: string) => boolean {
  return path => {
    let [at, p, star, from] = [0, 0, -1, 0]
    while (at < path.length) {
      if (p < pattern.length && (pattern[p] === '?' || (pattern[p] !== '*' && pattern[p] === path[at]))) {
        at++
        p++
      } else if (pattern[p] === '*') {
        star = p++
        from = at
      } else if (star !== -1) {
        p = star + 1
        at = ++from
      } else return false
    }
    while (pattern[p] === '*') p++
    return p === pattern.length
  }
}
