import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { checkout } from './checkout.ts'
import { findings, halfRuns } from './kills.ts'
import { type Ended, inFolder, type Soaked, start, svc } from './program.ts'

/** What a process of the crowd runs, and the exit codes that are right. */
const COMMANDS: readonly (readonly [args: readonly string[], codes: readonly number[]])[] = [
  [['scan', '--quiet', '--json'], [0]],
  [['gate', '--json'], [1]],
  [['history-report', '--list', '--json'], [0]],
  [['scan', '--no-cache', '--json'], [0]],
  [['compare', '--json'], [0]],
  [['next-action', '--json'], [0]],
  [['report', '--format', 'csv', '--output', '-'], [0]],
]

/** So many processes scanning and reading one repository at once, rounds long; the history is kept so short that all of them prune it. */
export async function crowd({
  processes,
  rounds,
  files,
}: {
  processes: number
  rounds: number
  files: number
}): Promise<Soaked> {
  return inFolder(async folder => {
    const root = checkout(join(folder, 'repo'), files)
    mkdirSync(join(root, '.svc'), { recursive: true })
    writeFileSync(
      join(root, '.svc/config.yaml'),
      'history: { keep: 3 }\ngate: { fail_on: [critical, high, medium, low, info] }\n',
    )
    writeFileSync(join(root, 'bad.py'), 'yaml.load(input(), Loader=yaml.Loader)\n')
    const soaked: Soaked = { tried: 0, faults: [], figures: {} }
    for (const args of [
      ['scan', '--no-cache', '--quiet'],
      ['scan', '--no-cache', '--quiet'],
    ]) {
      const { code, stderr } = await svc(root, args)
      if (code !== 0) throw new Error(`The scan to compare with failed: ${stderr}`)
    }
    const truth = findings(root)
    const open = (JSON.parse(truth) as { status: string }[]).filter(({ status }) => status === 'open').length
    let slowest = 0
    for (let round = 0; round < rounds; round++) {
      const running = Array.from({ length: processes }, (_, index) => {
        const [args, codes] = COMMANDS[index % COMMANDS.length]!
        return { args, codes, ended: start(root, args).ended }
      })
      for (const { args, codes, ended } of running) {
        const end = await ended
        slowest = Math.max(slowest, end.ms)
        soaked.tried++
        const fault = codes.includes(end.code ?? -1)
          ? wrong(args, end, truth, open)
          : `ended with ${end.code ?? end.signal}: ${end.stderr.trim()}`
        if (fault) soaked.faults.push(`svc ${args.join(' ')}: ${fault}`)
      }
      soaked.faults.push(...halfRuns(root))
      if (findings(root) !== truth) soaked.faults.push('out/findings.json is not what a scan alone writes')
    }
    soaked.figures['slowest process, ms'] = Math.round(slowest)
    return soaked
  })
}

/** What is wrong with an answer, if anything. */
function wrong([command]: readonly string[], { stdout }: Ended, truth: string, open: number): string | undefined {
  if (command === 'report') return undefined
  const answer = JSON.parse(stdout)
  if (command === 'scan')
    return JSON.stringify(answer.findings) === JSON.stringify(JSON.parse(truth))
      ? undefined
      : `${answer.findings.length} other findings`
  if (command === 'gate')
    return answer.total_findings === open ? undefined : `${answer.total_findings} open findings, ${open} are right`
  if (command === 'compare') return answer.counts.new === 0 ? undefined : `it sees ${answer.counts.new} new findings`
  return answer.damaged?.length > 0 ? JSON.stringify(answer.damaged) : undefined
}
