import { expect, it } from 'vitest'
import { openEventStream } from '../../../api/stream.ts'
import { waited } from '../rows.ts'
import { post, problem, startServer } from './server-under-test.ts'

interface ServerEvent {
  event: string
  data: unknown
}

/** The events of a stream as its standard says, comments left out. */
function parse(text: string): ServerEvent[] {
  return text
    .split('\n\n')
    .filter(block => block !== '' && !block.startsWith(':'))
    .map(block => {
      const lines = block.split('\n')
      return { event: lines[0]!.replace('event: ', ''), data: JSON.parse(lines[1]!.replace('data: ', '')) }
    })
}

it('a scan is told as events: started, findings, the last progress, done with the output', async () => {
  const { base } = await startServer()
  const response = await post(`${base}/api/run-scan-stream`, { findings: 2 })
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8')
  expect(response.headers.get('cache-control')).toBe('no-store')
  expect(parse(await response.text())).toEqual([
    { event: 'started', data: { run_id: 'r1', files: 3 } },
    { event: 'finding', data: { id: 'f0', snippet: 'a\n\nb\r\ndata: c' } },
    { event: 'finding', data: { id: 'f1', snippet: 'a\n\nb\r\ndata: c' } },
    { event: 'progress', data: { done: 3, total: 3, bytes: 42, findings: 2, phase: 'scan' } },
    { event: 'done', data: { run_id: 'r1', findings: 2 } },
  ])
})

it('what is refused before anything has happened is an ordinary problem', async () => {
  const { base } = await startServer()
  expect(await problem(await post(`${base}/api/run-scan-stream`, { fail: 'early' }))).toMatchObject({
    status: 422,
    code: 'CONFIG_INVALID',
  })
  expect(await problem(await post(`${base}/api/run-scan-stream`, { findings: 'two' }))).toMatchObject({
    status: 422,
    code: 'INPUT_INVALID',
  })
})

it('what fails after the start is the last event, with the problem as its data', async () => {
  const { base, notices } = await startServer()
  const events = parse(await (await post(`${base}/api/run-scan-stream`, { fail: 'late', pause: 20 })).text())
  expect(events.at(-1)).toEqual({
    event: 'error',
    data: expect.objectContaining({ status: 500, code: 'DISK', detail: expect.stringContaining('ENOSPC') }),
  })
  expect(notices.join()).toContain('/api/run-scan-stream')
})

it('an idle stream sends comments, so that nothing between cuts it', async () => {
  const { base } = await startServer({ heartbeat: 20 })
  const client = new AbortController()
  const idle = { pause: 3_600_000 }
  const response = await post(`${base}/api/run-scan-stream`, idle, { signal: client.signal })
  let text = ''
  for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) {
    text += chunk
    if (text.match(/^: alive$/gm)?.length === 3) break
  }
  expect(text).not.toContain('event: done')
  client.abort()
})

it('a stream that was idle goes on', async () => {
  const { base } = await startServer({ heartbeat: 20 })
  const text = await (await post(`${base}/api/run-scan-stream`, { pause: 150 })).text()
  expect(text).toContain(': alive')
  expect(parse(text).at(-1)!.event).toBe('done')
})

it('when the client goes, the scan is aborted', async () => {
  const { base } = await startServer()
  waited.length = 0
  const client = new AbortController()
  const response = await post(`${base}/api/run-scan-stream`, { pause: 20_000 }, { signal: client.signal })
  await response.body!.getReader().read()
  client.abort()
  await expect.poll(() => waited).toEqual(['scanning', 'scan aborted'])
})

it('a client that is slow gets the findings there is room for, and is told how many it missed', async () => {
  const { readable, send, end } = openEventStream({ pending: 50 })
  send('started', {})
  for (let n = 0; n < 1000; n++) send('finding', { n, text: 'x'.repeat(100) })
  send('progress', { done: 1 })
  send('progress', { done: 2 })
  end('done', { total: 1000 })
  let text = ''
  for await (const chunk of readable) text += chunk
  const events = parse(text)
  const findings = events.filter(({ event }) => event === 'finding')
  expect(findings.length).toBeLessThan(1000)
  expect(findings.map(({ data }) => (data as { n: number }).n)).toEqual(findings.map((_, n) => n))
  expect(text).toContain(`: ${1000 - findings.length} events dropped`)
  expect(events.filter(({ event }) => event === 'progress')).toEqual([{ event: 'progress', data: { done: 2 } }])
  expect(events.at(-1)).toEqual({ event: 'done', data: { total: 1000 } })
})

it('a client that reads gets every finding of a long scan', async () => {
  const { base } = await startServer()
  const events = parse(await (await post(`${base}/api/run-scan-stream`, { findings: 5000 })).text())
  expect(events.filter(({ event }) => event === 'finding')).toHaveLength(5000)
})
