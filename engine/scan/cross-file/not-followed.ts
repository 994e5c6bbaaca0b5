import type { Notice } from '../../base/records/run.ts'
import { formatCount } from '../../base/text/words.ts'
import { judgesValues } from '../../detect/constants/value-rules.ts'
import { followsInput } from '../../detect/taint/runs.ts'
import { isOfReleases } from '../releases/release-rules.ts'
import type { Collected } from '../stages/collect.ts'
import type { Asked } from './join.ts'
import { hasCrossFileName } from './names.ts'

/**
 * Says that a part of the repository was scanned whose other files are not known: input is not followed into them, values that stand in them
 * are not looked up, and what their functions free is not known. Nothing is said where no rule would do so, or no file is of a language that is followed; nor of contents that an editor
 * sends, which are judged again with the whole. `asked`: how much functions of other files were asked about findings.
 */
export function listNotFollowed({ request, rules }: Pick<Collected, 'request' | 'rules'>, asked?: Asked): Notice[] {
  const { listing, scope, contents } = request
  const isBare = listing.kind === 'bare'
  if (contents || (scope === 'everything' && !isBare)) return []
  const files = listing.files.filter(file => !file.in_test && !file.class)
  const isFollowed =
    files.some(({ path }) => hasCrossFileName(path)) && rules.some(rule => followsInput(rule) || judgesValues(rule))
  const isFreed = files.some(({ language }) => language === 'c' || language === 'cpp') && rules.some(isOfReleases)
  const left = [
    ...(isFollowed ? [describeFlow(asked), 'values in other files were not looked up'] : []),
    ...(isFreed ? ['functions of other files that free memory were not known'] : []),
  ]
  if (left.length === 0) return []
  const what = isBare ? 'The repository has no work tree' : 'A part of the repository was scanned'
  const whole = `\`svc scan\` of the whole work tree does ${['this', 'both', 'all of this'][left.length - 1]}`
  // The locale's own formatter takes 10 ms to load, in each commit.
  const list = [left.slice(0, -1).join(', '), left.at(-1)].filter(Boolean).join(' and ')
  return [{ kind: 'other_files_not_followed', file: '.', detail: `${what}: ${list}; ${whole}` }]
}

/** Of other files only functions that findings depend on were analyzed, if any. */
function describeFlow(asked: Asked | undefined): string {
  const flow = 'data flow between files was not followed'
  if (!asked || (asked.files === 0 && !asked.isCut)) return flow
  const cut = asked.isCut ? ', where the limit was reached' : ''
  return `${flow}, except to ask functions of ${formatCount(asked.files, 'other file')} about findings${cut}`
}
