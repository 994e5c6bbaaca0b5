import type { SaxesTagPlain } from 'saxes'
import { type CoverageReader, CoverageTally, refuseReport } from './report.ts'

type Attributes = Record<string, string>

/** What a format does with the elements of its report, in order. */
interface XmlFormat {
  root: string
  open(name: string, attributes: Attributes, tally: CoverageTally, fail: (why: string) => never): void
}

/** Cobertura: `class[filename] line[number][hits]`, file names relative to one of `sources/source`. */
export const readCobertura: CoverageReader = (text, file) => {
  let path = ''
  return read(text, file, {
    root: 'coverage',
    open(name, attributes, tally, fail) {
      if (name === 'class') path = attributes.filename ?? fail('a class has no filename')
      if (name !== 'line') return
      tally.add(
        path || fail('a line is outside of a class'),
        count(attributes, 'number', fail),
        count(attributes, 'hits', fail) > 0,
      )
    },
  })
}

/** JaCoCo: `package[name] sourcefile[name] line[nr][ci]`, where ci are the instructions that were run. */
export const readJacoco: CoverageReader = (text, file) => {
  let folder = ''
  let path = ''
  return read(text, file, {
    root: 'report',
    open(name, attributes, tally, fail) {
      if (name === 'package') folder = attributes.name ?? fail('a package has no name')
      if (name === 'sourcefile') {
        const base = attributes.name ?? fail('a sourcefile has no name')
        path = folder === '' ? base : `${folder}/${base}`
      }
      if (name !== 'line') return
      tally.add(
        path || fail('a line is outside of a sourcefile'),
        count(attributes, 'nr', fail),
        count(attributes, 'ci', fail) > 0,
      )
    },
  })
}

/**
 * Clover: `file[path|name] line[num][count]`; lines of type `method` are the heads of functions, which are counted again as statements.
 * OpenClover's lines of type `cond` have `truecount` and `falsecount` in place of `count`.
 */
export const readClover: CoverageReader = (text, file) => {
  let path = ''
  return read(text, file, {
    root: 'coverage',
    open(name, attributes, tally, fail) {
      if (name === 'file') path = attributes.path ?? attributes.name ?? fail('a file has no path')
      if (name !== 'line' || attributes.type === 'method') return
      tally.add(
        path || fail('a line is outside of a file'),
        count(attributes, 'num', fail),
        attributes.count === undefined && attributes.type === 'cond'
          ? count(attributes, 'truecount', fail) + count(attributes, 'falsecount', fail) > 0
          : count(attributes, 'count', fail) > 0,
      )
    },
  })
}

/** Reads XML as a stream of elements; declarations of entities are never followed. */
async function read(text: string, file: string, format: XmlFormat) {
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser({ xmlns: false, fileName: file })
  const tally = new CoverageTally()
  const fail = (why: string): never => {
    throw refuseReport(file, parser.line, why)
  }
  let root: string | undefined
  parser.on('error', error => fail(`it is not XML (${error.message.replace(/^.*?\d+:\d+: /, '')})`))
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    root ??= name
    if (root !== format.root) fail(`its root is <${root}> instead of <${format.root}>`)
    format.open(name, attributes, tally, fail)
  })
  parser.write(text).close()
  return tally.files()
}

function count(attributes: Attributes, name: string, fail: (why: string) => never): number {
  const value = attributes[name]
  if (value === undefined || !/^\d+$/.test(value)) return fail(`${name} of a line must be a count`)
  return Number(value)
}
