import { request } from 'node:http'
import { connect } from 'node:net'
import { homedir } from 'node:os'
import { expect, it } from 'vitest'
import { waited } from '../rows.ts'
import { post, problem, startServer } from './server-under-test.ts'

it('/health says that the server is up, with its version', async () => {
  const { base } = await startServer()
  const response = await fetch(`${base}/health`)
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({ status: 'ok', version: expect.stringMatching(/^\d+\.\d+\.\d+/) })
})

it('path parameters and query become the input, in the types of the schema', async () => {
  const { base } = await startServer()
  const response = await fetch(`${base}/api/things/a%20b?limit=7&deep=true&tags=x,y&tags=z`)
  expect(response.status).toBe(200)
  expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
  expect(await response.json()).toEqual({ thing_id: 'a b', limit: 7, deep: true, tags: ['x', 'y', 'z'] })
})

it('what is not given has the default of the schema', async () => {
  const { base } = await startServer()
  expect(await (await fetch(`${base}/api/things/a`)).json()).toEqual({ thing_id: 'a', limit: 10, deep: false })
})

it('a query name may be written with hyphens', async () => {
  const { base } = await startServer()
  expect(await (await fetch(`${base}/api/things/a?with-size=true`)).json()).toMatchObject({ with_size: true })
})

it('the body adds to path and query, and a field given twice must be the same', async () => {
  const { base } = await startServer()
  const same = await post(`${base}/api/things/a?name=n`, { thing_id: 'a', name: 'n', files: { 'x.js': '1' } })
  expect(await same.json()).toEqual({ thing_id: 'a', name: 'n', files: 1 })
  const refused = await problem(await post(`${base}/api/things/a`, { thing_id: 'b' }))
  expect(refused).toMatchObject({ status: 422, code: 'INPUT_INVALID' })
  expect(refused.detail).toContain('thing_id is passed twice')
})

it('an empty body is an empty object', async () => {
  const { base } = await startServer()
  const response = await fetch(`${base}/api/things/a`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
  })
  expect(await response.json()).toEqual({ thing_id: 'a', files: 0 })
  expect((await fetch(`${base}/api/things/a`, { method: 'POST' })).status).toBe(200)
})

it('every fault of the input is named, with what it must be and the field that was meant', async () => {
  const { base } = await startServer()
  const { status, code, detail } = await problem(await fetch(`${base}/api/things/a?limit=many&depe=true`))
  expect([status, code]).toEqual([422, 'INPUT_INVALID'])
  expect(detail).toContain('a count from 1 to 100')
  expect(detail).toContain('did you mean deep?')
})

it('names that mean something to JavaScript mean nothing in a query or a body', async () => {
  const { base } = await startServer()
  expect((await fetch(`${base}/api/things/a?__proto__=1&constructor=2`)).status).toBe(422)
  const poisoned = await fetch(`${base}/api/things/a`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"__proto__":{"name":"x"}}',
  })
  expect(poisoned.status).toBe(400)
  expect(({} as Record<string, unknown>).name).toBeUndefined()
})

it('an address that does not exist is a 404 problem', async () => {
  const { base } = await startServer()
  expect(await problem(await fetch(`${base}/api/nothing`))).toMatchObject({ status: 404, code: 'NOT_FOUND' })
})

it('a method that is not offered is a 405 problem with Allow, whatever it carries', async () => {
  const { base } = await startServer()
  const response = await fetch(`${base}/api/things/a`, { method: 'DELETE' })
  expect(response.headers.get('allow')).toBe('GET, HEAD, POST')
  expect(await problem(response)).toMatchObject({ status: 405, code: 'METHOD_NOT_ALLOWED' })
  const carrying = await fetch(`${base}/api/fail`, {
    method: 'PUT',
    body: '<x/>',
    headers: { 'content-type': 'text/xml' },
  })
  expect(carrying.headers.get('allow')).toBe('POST')
  expect(carrying.status).toBe(405)
})

it('malformed JSON, a body that is no object and another media type are told apart', async () => {
  const { base } = await startServer()
  const send = (body: string, type: string) =>
    fetch(`${base}/api/fail`, { method: 'POST', body, headers: { 'content-type': type } })
  expect(await problem(await send('{"how":', 'application/json'))).toMatchObject({
    status: 400,
    code: 'BAD_REQUEST',
    detail: expect.stringMatching(/^The body is not valid JSON\./),
  })
  expect(await problem(await send('["engine"]', 'application/json'))).toMatchObject({
    status: 422,
    code: 'INPUT_INVALID',
  })
  expect(await problem(await send('how=engine', 'application/x-www-form-urlencoded'))).toMatchObject({
    status: 415,
    code: 'MEDIA_TYPE',
  })
  expect(await problem(await send('{}', 'text/plain'))).toMatchObject({ status: 415, code: 'MEDIA_TYPE' })
})

it('a body of 10 MiB is taken and one byte more is a 413 problem', async () => {
  const { base } = await startServer()
  const bytes = (total: number) => `{"name":"${'x'.repeat(total - 11)}"}`
  const send = (body: string) =>
    fetch(`${base}/api/things/a`, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
  expect((await send(bytes(10 * 1024 * 1024))).status).toBe(200)
  expect(await problem(await send(bytes(10 * 1024 * 1024 + 1)))).toMatchObject({ status: 413, code: 'BODY_TOO_LARGE' })
})

it('an address or a request that is not well-formed is a 400 problem', async () => {
  const { base } = await startServer()
  expect(await problem(await fetch(`${base}/api/things/%E0%A4%A`))).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
  const raw = await new Promise<string>(resolve => {
    let text = ''
    const socket = connect(Number(new URL(base).port), '127.0.0.1', () => socket.write('this is no HTTP\r\n\r\n'))
    socket.on('data', chunk => {
      text += chunk
    })
    socket.on('close', () => resolve(text))
  })
  expect(raw).toMatch(/^HTTP\/1.1 400 /)
  expect(JSON.parse(raw.split('\r\n\r\n')[1]!)).toMatchObject({ status: 400, code: 'BAD_REQUEST' })
})

it("an operation's own error has the status of its row in the errors table", async () => {
  const { base } = await startServer()
  const refused = await problem(await post(`${base}/api/fail`, { how: 'engine' }))
  expect(refused).toMatchObject({ status: 404, code: 'RULE_NOT_FOUND', title: 'No such rule' })
  expect(refused.detail).toBe('There is no rule nope. List the rules with `svc list-rules`.')
})

it('a crash tells the client nothing and the log everything', async () => {
  const { base, notices, cwd } = await startServer()
  const { status, detail } = await problem(await post(`${base}/api/fail`, { how: 'crash' }))
  expect(status).toBe(500)
  expect(detail).not.toContain('boom')
  expect(notices.join('\n')).toContain(`TypeError: boom in ${cwd}`)
})

it("no answer names the server's own folders", async () => {
  const { base, cwd } = await startServer()
  const { detail } = await problem(await post(`${base}/api/fail`, { how: 'path' }))
  expect(detail).not.toContain(cwd)
  expect(detail).not.toContain(homedir())
  expect(detail).not.toContain('/etc/very')
  expect(detail).toContain('run.json and secret.db are damaged')
})

it('a row with a raw field sends that text with its media type, and the document cannot reach the API', async () => {
  const { base } = await startServer()
  const response = await fetch(`${base}/api/page`)
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(response.headers.get('content-security-policy')).toMatch(/^sandbox allow-scripts; default-src 'none'/)
  expect(await response.text()).toBe('<h1>Report</h1>')
})

it('when the client goes, the work it asked for is aborted', async () => {
  const { base } = await startServer()
  waited.length = 0
  const client = request(`${base}/api/wait`, { method: 'POST', headers: { 'content-type': 'application/json' } })
  client.on('error', () => {})
  client.end('{}')
  await expect.poll(() => waited).toEqual(['started'])
  client.destroy()
  await expect.poll(() => waited).toEqual(['started', 'aborted'])
})

it('work that ends by itself is never aborted', async () => {
  const { base } = await startServer()
  waited.length = 0
  expect(await (await post(`${base}/api/wait`, { ms: 50 })).json()).toEqual({ ms: 50 })
  expect(waited).toEqual(['started', 'finished'])
})

it('closing the server aborts what it is doing', async () => {
  const { app, base } = await startServer()
  waited.length = 0
  const answer = post(`${base}/api/wait`, {})
  await expect.poll(() => waited).toEqual(['started'])
  await app.close()
  expect((await answer).status).toBeGreaterThanOrEqual(499)
  expect(waited).toEqual(['started', 'aborted'])
})

it('rows without a REST name are not offered', async () => {
  const { base } = await startServer()
  expect(await (await fetch(`${base}/api`)).text()).not.toContain('on the command line')
})
