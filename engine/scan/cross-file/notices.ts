import type { Notice } from '../../base/records/run.ts'
import { formatCount } from '../../base/text/words.ts'
import type { FollowedFiles } from './search.ts'

/** Functions that are named at most. */
const NAMED = 5

/** Where input was not followed to the end: functions that took too many steps, files that could not be parsed, and calls beyond the limits. */
export function listNotices({ nodes, unparsed, left }: FollowedFiles): Notice[] {
  const notices: Notice[] = []
  const add = (file: string, detail: string) =>
    notices.push({ kind: 'calls_not_followed', file, detail: `taint analysis did not follow ${detail}` })
  for (const { file, followed } of nodes) {
    const { exhausted } = followed
    if (exhausted.length === 0 || notices.some(known => known.file === file.path)) continue
    add(file.path, `all calls of other files in ${listNames(exhausted)}: limit reached`)
  }
  for (const [file, reason] of unparsed) add(file, `calls of other files: ${reason}`)
  if (left > 0) add('.', `${formatCount(left, 'call')} from file to file: limit reached`)
  return notices
}

function listNames(names: readonly string[]): string {
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : ''
  return `${names.slice(0, NAMED).join(', ')}${more}`
}
