import { EngineError } from '../../base/errors.ts'
import { getOrder, type RunList, type RunSummary } from './runs.ts'

export interface RunPage {
  runs: RunSummary[]
  total: number
  next_cursor?: string
}

/** A page of the runs, newest first. Runs that come while somebody turns pages stand before the cursor and are not repeated. */
export function runPage({ runs }: RunList, limit: number, cursor?: string): RunPage {
  const after = cursor === undefined ? undefined : decode(cursor)
  const rest = after === undefined ? runs : runs.filter(run => getOrder(run) < after)
  const page = rest.slice(0, limit)
  return {
    runs: page,
    total: runs.length,
    ...(rest.length > limit && { next_cursor: Buffer.from(getOrder(page.at(-1)!)).toString('base64url') }),
  }
}

function decode(cursor: string): string {
  const key = Buffer.from(cursor, 'base64url').toString()
  if (/^\d{4}-\S+ \S+$/.test(key)) return key
  throw new EngineError(
    'INPUT_INVALID',
    `cursor must be the next_cursor of the page before, but was ${JSON.stringify(cursor.slice(0, 80))}.`,
    {
      hint: 'Omit the cursor to start with the first page.',
    },
  )
}
