import type { Notice } from '../../base/records/run.ts'
import { judgesValues } from '../../detect/constants/value-rules.ts'
import type { Collected } from '../stages/collect.ts'
import { hasCrossFileName } from './names.ts'

/**
 * Says that a part of the repository was scanned whose other files are not known: input is not followed into them, and values that stand in them
 * are not looked up. Nothing is said where no rule would do so, or no file is of a language that is followed; nor of contents that an editor
 * sends, which are judged again with the whole.
 */
export function listNotFollowed({ request, rules }: Pick<Collected, 'request' | 'rules'>): Notice[] {
  const { listing, scope, contents } = request
  const isBare = listing.kind === 'bare'
  if (contents || (scope === 'everything' && !isBare)) return []
  if (!listing.files.some(file => hasCrossFileName(file.path) && !file.in_test && !file.class)) return []
  if (!rules.some(rule => rule.type === 'taint' || judgesValues(rule))) return []
  const what = isBare ? 'The repository has no work tree' : 'A part of the repository was scanned'
  const detail = `${what}: data flow between files was not followed and values in other files were not looked up; \`svc scan\` of the whole work tree does both`
  return [{ kind: 'other_files_not_followed', file: '.', detail }]
}
