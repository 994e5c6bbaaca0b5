import { type CoverageReader, CoverageTally, refuseReport } from './report.ts'

/** Go's cover profile (`go test -coverprofile`): `name.go:line.col,line.col statements count`, after a line with the mode. */
export const readGoCover: CoverageReader = (text, file) => {
  const tally = new CoverageTally()
  const lines = text.split('\n')
  if (!/^mode: (?:set|count|atomic)\s*$/.test(lines[0] ?? '')) throw refuseReport(file, 1, 'it must begin with mode:')
  for (const [index, raw] of lines.entries()) {
    const line = raw.trim()
    // Profiles that were appended to one another have further mode lines.
    if (line === '' || line.startsWith('mode: ')) continue
    const match = /^([^\n]+):(\d+\.\d+,\d+\.\d+) (\d+) (\d+)$/.exec(line)
    if (!match) throw refuseReport(file, index + 1, 'a block must be <file>:<from>,<to> <statements> <count>')
    tally.add(match[1]!, match[2]!, Number(match[4]) > 0, Number(match[3]))
  }
  return tally.files()
}
