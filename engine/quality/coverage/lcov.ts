import { type CoverageReader, CoverageTally, refuseReport } from './report.ts'

/** Records of geninfo(1) besides the ones that are read. */
const RECORD = /^[A-Z]{2,6}[A-Z0-9]*:/

/** lcov's tracefile (geninfo(1)): `SF:` begins a file, `DA:<line>,<hits>` is a line, `end_of_record` ends the file. */
export const readLcov: CoverageReader = (text, file) => {
  const tally = new CoverageTally()
  let path: string | undefined
  let begun = 0
  const lines = text.split('\n')
  for (const [index, raw] of lines.entries()) {
    const line = raw.trim()
    if (line === '' || line.startsWith('#')) continue
    if (line.startsWith('SF:')) {
      if (path !== undefined) throw refuseReport(file, index + 1, `SF: before the end_of_record of line ${begun}`)
      path = line.slice(3)
      begun = index + 1
      if (path === '') throw refuseReport(file, index + 1, 'SF: without a path')
    } else if (line.startsWith('DA:')) {
      const match = /^DA:(\d+),(-?\d+)(?:,.*)?$/.exec(line)
      if (!match) throw refuseReport(file, index + 1, 'DA: must be a line number and a count')
      if (path === undefined) throw refuseReport(file, index + 1, 'DA: outside of a file')
      tally.add(path, Number(match[1]), Number(match[2]) > 0)
    } else if (line === 'end_of_record') {
      if (path === undefined) throw refuseReport(file, index + 1, 'end_of_record without SF:')
      path = undefined
    } else if (!RECORD.test(line)) throw refuseReport(file, index + 1, 'not a record of lcov')
  }
  if (path !== undefined) throw refuseReport(file, lines.length, `end_of_record is missing for SF: of line ${begun}`)
  return tally.files()
}
