import { useRef, useState } from 'preact/hooks'
import type { Answers, Takes } from '../../server/answers.gen.ts'
import { ask } from '../../server/request.ts'
import { showFault } from '../../shell/said.ts'

export type Answer = Answers['POST /api/findings/query']
export type Asked = Takes['POST /api/findings/query']
export type Row = Answer['findings'][number]

/** Rows of one request. */
export const PAGE = 200

/** Rows by place, read a page at a time as they come into view. */
export function useRows(first: Answer, asked: Asked) {
  const pages = useRef(new Map<number, Row[]>([[0, first.findings]]))
  const asking = useRef(new Map<number, Promise<void>>())
  const [, drawn] = useState(0)
  const read = (page: number): Promise<void> => {
    const known = asking.current.get(page)
    if (known || pages.current.has(page)) return known ?? Promise.resolve()
    const { facets: _, ...rest } = asked
    const reading = ask('POST /api/findings/query', {
      ...{ ...rest, run_id: first.run_id },
      ...{ limit: PAGE, offset: page * PAGE },
    })
      .then(({ findings }) => {
        pages.current.set(page, findings)
        drawn(pages.current.size)
      })
      .finally(() => asking.current.delete(page))
    asking.current.set(page, reading)
    return reading
  }
  const listPages = (from: number, to: number): number[] => {
    const [begin, end] = [Math.floor(from / PAGE), Math.ceil(Math.min(to, first.total) / PAGE)]
    return Array.from({ length: Math.max(0, end - begin) }, (_, at) => begin + at)
  }
  const load = (from: number, to: number) => {
    for (const page of listPages(from, to)) read(page).catch(showFault)
  }
  const rowAt = (at: number): Row | undefined => pages.current.get(Math.floor(at / PAGE))?.[at % PAGE]
  const placeOf = (id: string): number | undefined => {
    for (const [page, rows] of pages.current) {
      const at = rows.findIndex(row => row.id === id || row.fingerprint === id)
      if (at >= 0) return page * PAGE + at
    }
    return undefined
  }
  /** The first rows, so many at most. */
  const readFirst = async (most: number): Promise<Row[]> => {
    await Promise.all(listPages(0, most).map(read))
    return listPages(0, most)
      .flatMap(page => pages.current.get(page) ?? [])
      .slice(0, most)
  }
  return { load, rowAt, placeOf, readFirst }
}
