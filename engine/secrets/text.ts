import type { View } from '../base/text/view.ts'
import { escapeInvisibleLine } from '../base/text/visible.ts'
import { formatCount } from '../base/text/words.ts'
import { SEVERITY_STYLE } from '../findings/line.ts'
import type { SecretsResult } from './scan.ts'
import type { Place, Secret } from './secret.ts'

/** Places of one secret that are listed before the rest is counted. */
const MOST_PLACES = 5
/** Archives that were not looked through that are named before the rest is counted. */
const MOST_ARCHIVES = 10
/** From this confidence a person looks first. */
const SURE = 0.7

const WORDS = {
  dead: 'not valid',
  revoked: 'not valid',
  unknown: 'validity unknown',
  not_asked: 'provider not reached',
}

type Shown = Omit<SecretsResult, 'skipped' | 'partly' | 'notices' | 'not_evaluated' | 'unread'> & {
  open: number
  not_evaluated: readonly { rule_id: string; file?: string; reason: string }[]
  skipped: readonly { path: string; reason: string; detail?: string }[]
  partly: readonly { path: string; reason: string; detail?: string }[]
  unread: readonly string[]
  notices: readonly { file: string; line?: number; detail: string }[]
}

/** What was found, for a person: each secret with its places, then what was looked at and what was not. */
export function formatSecrets(output: Shown, view: View): string {
  const { paint } = view
  const open = output.secrets.filter(({ status }) => status === 'open')
  const lines = open.flatMap(secret => secretLines(secret, view))
  const nouns: [string, string] =
    output.commits === undefined ? ['file', 'files'] : ['version of a file', 'versions of files']
  const looked = `${formatCount(output.files, ...nouns)} in ${output.scope === 'everything' ? 'the repository' : output.scope}`
  lines.push(
    open.length === 0
      ? `${paint('green', 'No secret found')} in ${looked}.`
      : `${paint('bold', formatCount(open.length, 'secret'))} in ${looked}; ${open.filter(({ confidence }) => confidence >= SURE).length} of them with a confidence of ${SURE} or more.`,
  )
  const covered = output.secrets.length - open.length
  if (covered > 0) lines.push(`${formatCount(covered, 'more is', 'more are')} suppressed or in the baseline.`)
  if (output.held !== undefined)
    lines.push(`Baseline updated: ${formatCount(output.held, 'secret')}. Commit it with .svc/secrets.salt.`)
  if (output.shallow)
    lines.push(
      paint('yellow', 'This clone has only the last part of the history; `git fetch --unshallow` gets the rest.'),
    )
  if (output.not_read > 0) lines.push(paint('yellow', describeNotRead(output, nouns)))
  const skipped = output.skipped.filter(({ reason }) => !['own_file', 'excluded', 'binary'].includes(reason))
  const others = skipped.length - output.not_read
  if (others > 0)
    lines.push(`${formatCount(others, 'file was', 'files were')} not searched; --json lists them with the reason.`)
  if (output.unread.length > 0)
    lines.push(
      paint(
        'yellow',
        `Not searched though the change adds or modifies it: ${output.unread.slice(0, MOST_ARCHIVES).map(escapeInvisibleLine).join(', ')} (gate.unread).`,
      ),
    )
  const unknown = new Set(output.not_evaluated.map(({ file }) => file))
  if (unknown.size > 0)
    lines.push(
      paint(
        'yellow',
        `${formatCount(unknown.size, 'file was', 'files were')} searched only partly, so further secrets may be in ${unknown.size === 1 ? 'it' : 'them'}; --json lists ${unknown.size === 1 ? 'it' : 'them'} with the reason.`,
      ),
    )
  const archives = output.partly.filter(({ reason }) => reason.startsWith('archive'))
  if (archives.length > 0) lines.push(`${formatCount(archives.length, 'archive was', 'archives were')} opened.`)
  const incomplete = archives.filter(({ reason }) => reason !== 'archive')
  for (const { path, reason, detail } of incomplete.slice(0, MOST_ARCHIVES))
    lines.push(paint('yellow', `${escapeInvisibleLine(path)}: ${detail ?? reason}`))
  if (incomplete.length > MOST_ARCHIVES)
    lines.push(
      paint(
        'yellow',
        `${formatCount(incomplete.length - MOST_ARCHIVES, 'more archive was', 'more archives were')} not searched; --json lists them.`,
      ),
    )
  for (const { file, line, detail } of output.notices)
    lines.push(paint('yellow', `${escapeInvisibleLine(file)}${line === undefined ? '' : `:${line}`}: ${detail}`))
  return lines.join('\n')
}

/** That contents could not be read, and what to do about it. */
function describeNotRead({ not_read, commits }: Shown, [noun, plural]: [string, string]): string {
  const isOne = not_read === 1
  const next =
    commits === undefined
      ? 'make them readable, and run it again'
      : 'a clone made with `--filter` lacks contents, so search a full clone'
  return `${formatCount(not_read, noun, plural)} could not be read, so secrets may be in ${isOne ? 'it' : 'them'}; --json lists ${isOne ? 'it' : 'them'} with the reason. Next: ${next}.`
}

function secretLines(secret: Secret, { paint }: View): string[] {
  const facts = [
    `confidence ${secret.confidence.toFixed(2)}`,
    livenessOf(secret, paint),
    secret.at_head !== undefined && (secret.at_head ? 'still at HEAD' : 'removed from HEAD, but still in the history'),
  ].filter(Boolean)
  const severity = paint(SEVERITY_STYLE[secret.severity], secret.severity.padEnd(8))
  const lines = [
    `${severity}  ${secret.title}  ${paint('dim', nameRules(secret))}  ${secret.masked}  ${paint('dim', facts.join(', '))}`,
  ]
  for (const place of secret.places.slice(0, MOST_PLACES)) lines.push(`          ${placeLine(place)}`)
  const more = secret.places.length - MOST_PLACES
  if (more > 0) lines.push(`          and ${formatCount(more, 'more location')}`)
  return [...lines, '']
}

/** Whether the secret is valid: what this run was told, else what was said before, with its day. */
function livenessOf({ liveness, checked }: Secret, paint: View['paint']): string | undefined {
  const said = liveness ?? checked?.state
  if (said === undefined) return undefined
  const words = said === 'live' ? paint('red', 'valid') : WORDS[said]
  if (liveness !== undefined || checked === undefined) return words
  return `${words} (checked on ${checked.at.slice(0, 10)}${checked.current ? '' : ', not since'})`
}

/** The rule that names the secret, and those that report it too. */
function nameRules({ rule_id, also = [] }: Secret): string {
  return also.length === 0 ? rule_id : `${rule_id} (also ${also.join(', ')})`
}

function placeLine({ file, line, commit, author, date, reasons, written }: Place): string {
  const from = commit === undefined ? '' : `  ${commit.slice(0, 12)}  ${author}  ${date?.slice(0, 10)}`
  return `${escapeInvisibleLine(file)}:${line}${written === undefined ? '' : `  (${written})`}${from}${reasons === undefined ? '' : `\n            ${reasons}`}`
}
