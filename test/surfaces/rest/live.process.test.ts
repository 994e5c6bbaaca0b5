import { describe, expect, it } from 'vitest'
import { createSessions } from '../../../api/sessions.ts'
import { OPERATIONS } from '../../../engine/door/operations.gen.ts'
import { loadSchemas } from '../../../engine/door/schemas.ts'
import { writeRun } from '../../../engine/sources/store/write.ts'
import { project } from '../../made/project.ts'
import { finding, run } from '../../sources/store/make.ts'
import { post, problem, startServer } from './server-under-test.ts'

const real = { rows: OPERATIONS, schemas: loadSchemas }
const names = ['live', 'query']
const some = {
  ...real,
  rows: OPERATIONS.filter(({ id }) => names.includes(id.split('.')[1]!) || id === 'findings.show'),
}

interface Told {
  id: string
  event: string
  data: Record<string, unknown>
}

/** The events of a live stream, one by one; `stop` leaves it. */
async function listen(base: string, last?: string, sent: Record<string, string> = {}) {
  const leaving = new AbortController()
  const response = await fetch(`${base}/api/live`, {
    signal: leaving.signal,
    headers: last === undefined ? sent : { ...sent, 'last-event-id': last },
  })
  expect(response.headers.get('content-type')).toContain('text/event-stream')
  const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  const next = async (): Promise<Told> => {
    for (;;) {
      const end = rest.indexOf('\n\n')
      if (end !== -1) {
        const block = rest.slice(0, end)
        rest = rest.slice(end + 2)
        const field = (name: string) =>
          block
            .split('\n')
            .find(line => line.startsWith(`${name}: `))
            ?.slice(name.length + 2)
        if (block.startsWith(':')) continue
        return { id: field('id')!, event: field('event')!, data: JSON.parse(field('data')!) }
      }
      const { done, value } = await reader.read()
      if (done) throw new Error('the stream ended')
      rest += value
    }
  }
  return { next, stop: () => leaving.abort() }
}

const key = 'k'.repeat(40)

/** A person who signs in: what the browser sends from then on. */
async function signIn(base: string): Promise<{ cookie: string; 'x-csrf-token': string }> {
  const response = await post(`${base}/api/session`, { key })
  const { csrf_token } = (await response.json()) as { csrf_token: string }
  return { cookie: response.headers.get('set-cookie')!.split(';')[0]!, 'x-csrf-token': csrf_token }
}

const store = (root: string, id: string, count: number) => {
  const findings = Array.from({ length: count }, (_, n) => finding(n))
  return writeRun(`${root}/out`, run(id, findings), findings, [])
}

describe('a page that listens', () => {
  it('is told of a run when it is stored, and after a gap of what it missed', async () => {
    const root = project({ 'a.py': 'x = 1\n' })
    await store(root, 'run-01', 1)
    const { base } = await startServer({ ...some, cwd: root })
    const first = await listen(base)
    const state = await first.next()
    expect(state).toMatchObject({ event: 'state', data: { run: { id: 'run-01', open: 1 }, pending_approvals: 0 } })
    await store(root, 'run-02', 2)
    expect(await first.next()).toMatchObject({ event: 'run', data: { id: 'run-02', open: 2 } })
    first.stop()
    const back = await listen(base, state.id)
    expect((await back.next()).event).toBe('state')
    expect(await back.next()).toMatchObject({ event: 'run', data: { id: 'run-02' } })
    back.stop()
  })

  it('hears nothing again of what it has seen, whatever id it sends', async () => {
    const root = project({ 'a.py': 'x = 1\n' })
    await store(root, 'run-01', 1)
    const { base } = await startServer({ ...some, cwd: root })
    for (const last of [undefined, 'x,y,z', 'run-01,0,']) {
      const page = await listen(base, last)
      expect((await page.next()).event).toBe('state')
      const later = await Promise.race([page.next(), new Promise(resolve => setTimeout(resolve, 300, 'nothing'))])
      expect(later, String(last)).toBe('nothing')
      page.stop()
    }
  })
})

describe('a stream of a person', () => {
  it('ends when the person signs out, and those of others go on', async () => {
    const root = project({ 'a.py': 'x = 1\n' })
    const { base } = await startServer({ ...some, cwd: root, key })
    const [leaving, staying] = [await signIn(base), await signIn(base)]
    const [gone, there] = [await listen(base, undefined, leaving), await listen(base, undefined, staying)]
    for (const page of [gone, there]) expect((await page.next()).event).toBe('state')
    await fetch(`${base}/api/session`, { method: 'DELETE', headers: leaving })
    expect(await gone.next()).toMatchObject({ event: 'done', data: { reason: 'closed' } })
    await expect(gone.next()).rejects.toThrow('the stream ended')
    await store(root, 'run-01', 1)
    expect(await there.next()).toMatchObject({ event: 'run' })
    there.stop()
  })

  it('ends with the session, when its time is over or another takes its place', async () => {
    const sessions = createSessions({ lifetime: 50, most: 1 })
    const first = sessions.open().session
    const second = sessions.open().session
    expect([first.ended.aborted, second.ended.aborted]).toEqual([true, false])
    await new Promise(resolve => setTimeout(resolve, 120))
    expect([second.ended.aborted, sessions.size]).toEqual([true, 0])
  })

  it('takes its place of the few that one client has, and leaves places to others', async () => {
    const { base } = await startServer({ ...some, cwd: project({ 'a.py': 'x = 1\n' }), key })
    const [many, few] = [await signIn(base), await signIn(base)]
    const pages = await Promise.all(Array.from({ length: 16 }, () => listen(base, undefined, many)))
    const refused = await fetch(`${base}/api/live`, { headers: many })
    expect((await problem(refused)).code).toBe('RATE_LIMITED')
    const other = await listen(base, undefined, few)
    expect((await other.next()).event).toBe('state')
    pages[0]!.stop()
    await expect
      .poll(async () => {
        const again = await fetch(`${base}/api/live`, { headers: many })
        await again.body?.cancel()
        return again.status
      })
      .toBe(200)
    for (const page of [...pages, other]) page.stop()
  })
})

describe('an answer about a run', () => {
  it('carries an ETag, and is not sent again while the run is the same', async () => {
    const root = project({ 'a.py': 'x = 1\n' })
    await store(root, 'run-01', 3)
    const { base } = await startServer({ ...some, cwd: root })
    const ask = (body: object, headers: Record<string, string> = {}) =>
      post(`${base}/api/findings/query`, body, { headers })
    const first = await ask({ limit: 2 })
    const etag = first.headers.get('etag')!
    expect(first.headers.get('cache-control')).toBe('private, no-cache')
    expect((await first.json()) as object).toMatchObject({ total: 3, undated: 0 })
    const again = await ask({ limit: 2 }, { 'if-none-match': `"other", ${etag}` })
    expect([again.status, await again.text()]).toEqual([304, ''])
    expect((await ask({ limit: 3 }, { 'if-none-match': etag })).status, 'another question').toBe(200)
    await store(root, 'run-02', 4)
    expect((await ask({ limit: 2 }, { 'if-none-match': etag })).status, 'another latest run').toBe(200)
    expect((await ask({ limit: 2, facets: ['owner'] })).headers.get('etag'), 'owners may change').toBeNull()
  })

  it('gives a finding by its id or fingerprint, with the run that first saw it', async () => {
    const root = project({ 'a.py': 'x = 1\n' })
    await store(root, 'run-01', 1)
    await store(root, 'run-02', 2)
    const { base } = await startServer({ ...some, cwd: root })
    for (const id of ['F-0', 'fp-0'])
      expect(await (await fetch(`${base}/api/findings/${id}`)).json()).toMatchObject({
        run_id: 'run-02',
        finding: { id: 'F-0' },
        first_seen: { run_id: 'run-01' },
      })
    expect((await fetch(`${base}/api/findings/nope`)).status).toBe(404)
  })
})
