import type { Progress } from '../engine/base/context.ts'

interface Look {
  /** Spinner and bar, for a terminal. */
  fancy: boolean
  unicode: boolean
  /** Columns that the line may take. */
  width: number
  /** Milliseconds since the command began, and since its phase did. */
  elapsed: number
  inPhase: number
}

const SPINNER = { true: '⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏', false: '|/-\\' }
const BAR = { true: ['━', '─'], false: ['#', '-'] }
const BAR_COLUMNS = 24
/** Time and share of the work from which on the rate says something about the rest. */
const TRUSTED_AFTER = 1500
const TRUSTED_SHARE = 0.02

/** One line of progress; what does not fit the width is left out from the right, the bar first. */
export function formatProgress(progress: Progress, look: Look): string {
  const { phase, done, total, findings } = progress
  const share = total > 0 ? Math.min(1, done / total) : 0
  const facts = [phase]
  if (total > 0) facts.push(`${count(done)}/${count(total)} files`)
  else if (done > 0) facts.push(`${count(done)} files`)
  if (total > 0) facts.push(`${Math.floor(share * 100)}%`)
  if (findings > 0) facts.push(`${count(findings)} ${findings === 1 ? 'finding' : 'findings'}`)
  facts.push(...rate(progress, look.inPhase), ...timeLeft(share, look.inPhase))
  if (look.elapsed >= 1000) facts.push(formatDuration(look.elapsed))
  if (!look.fancy) return facts.join(', ')

  const room = look.width - 1
  const spinner = SPINNER[`${look.unicode}`]
  let line = `${spinner[Math.floor(look.elapsed / 100) % spinner.length]} ${facts[0]}`
  const whole = [line, ...facts.slice(1)].join('  ')
  if (total > 0 && whole.length + BAR_COLUMNS + 2 <= room) {
    return [line, bar(share, look.unicode), ...facts.slice(1)].join('  ')
  }
  for (const fact of facts.slice(1)) if (line.length + fact.length + 2 <= room) line += `  ${fact}`
  return line.slice(0, room)
}

/** A duration as a person reads it: 8 s, 1:05, 2:03:09. */
export function formatDuration(ms: number): string {
  const seconds = Math.round(ms / 1000)
  if (seconds < 60) return `${seconds} s`
  const two = (n: number) => String(n).padStart(2, '0')
  const [h, m, s] = [Math.floor(seconds / 3600), Math.floor((seconds % 3600) / 60), seconds % 60]
  return h > 0 ? `${h}:${two(m)}:${two(s)}` : `${m}:${two(s)}`
}

function bar(share: number, unicode: boolean): string {
  const [full, empty] = BAR[`${unicode}`] as [string, string]
  const filled = Math.round(share * BAR_COLUMNS)
  return full.repeat(filled) + empty.repeat(BAR_COLUMNS - filled)
}

/** Bytes a second where bytes are counted, else files a second; nothing in the first moments. */
function rate({ bytes, done }: Progress, inPhase: number): string[] {
  if (inPhase < 500 || done === 0) return []
  const seconds = inPhase / 1000
  return [bytes > 0 ? `${(bytes / 1e6 / seconds).toFixed(1)} MB/s` : `${count(Math.round(done / seconds))} files/s`]
}

function timeLeft(share: number, inPhase: number): string[] {
  if (inPhase < TRUSTED_AFTER || share < TRUSTED_SHARE || share >= 1) return []
  const left = (inPhase * (1 - share)) / share
  return left >= 1000 ? [`${formatDuration(left)} left`] : []
}

function count(n: number): string {
  return n.toLocaleString('en-US')
}
