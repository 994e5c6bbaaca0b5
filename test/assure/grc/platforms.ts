import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** What a platform has taken, and what it refused. */
export interface Platform {
  url: string
  accepted: { path: string; content: unknown }[]
  refused: { path: string; status: number; because: string }[]
}

export const TOKEN = 'made-up-token'

type Judge = (
  path: string,
  request: { headers: IncomingMessage['headers']; body: Buffer },
) => Promise<Verdict> | Verdict
type Verdict = { status: number; answer?: unknown; content?: unknown; because?: string }

/** A platform on the loopback that takes a request only where it is as the platform's description says. */
async function start(judge: Judge): Promise<Platform> {
  const platform: Platform = { url: '', accepted: [], refused: [] }
  const server = createServer(async (request, response) => {
    const pieces: Buffer[] = []
    for await (const piece of request) pieces.push(piece as Buffer)
    const path = request.url!
    const known = { headers: request.headers, body: Buffer.concat(pieces) }
    const verdict: Verdict =
      request.method !== 'POST'
        ? { status: 405, because: 'the method' }
        : request.headers.authorization !== `Bearer ${TOKEN}`
          ? { status: 401, because: 'the token' }
          : await judge(path, known)
    if (verdict.because === undefined) platform.accepted.push({ path, content: verdict.content })
    else platform.refused.push({ path, status: verdict.status, because: verdict.because })
    response.writeHead(verdict.status, { 'content-type': 'application/json' })
    response.end(verdict.answer === undefined ? '' : JSON.stringify(verdict.answer))
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  platform.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return platform
}

/** Fields of the form that an upload may have, by Vanta's description; `file` is needed. */
const FORM = ['file', 'effectiveAtDate', 'description']

/** Vanta's documents `doc` and `other`, written field by field after its description: an upload is a form, a submission has no body. */
export function startVanta(): Promise<Platform> {
  const uploads = new Map([
    ['doc', 0],
    ['other', 0],
  ])
  return start(async (path, { headers, body }) => {
    const [, id = '', verb] = /^\/v1\/documents\/([^/]+)\/(uploads|submit)$/.exec(path) ?? []
    const document = decodeURIComponent(id)
    if (!uploads.has(document)) return { status: 404, because: 'no such document' }
    if (verb === 'submit') {
      if (body.length > 0) return { status: 422, because: 'a submission has no body' }
      return { status: 204, content: 'submitted' }
    }
    const type = String(headers['content-type'])
    if (!type.startsWith('multipart/form-data')) return { status: 422, because: 'the content type' }
    // The platform's own reader of forms is not known; this is the one of fetch.
    const form = await new Response(new Uint8Array(body), { headers: { 'content-type': type } }).formData()
    const unknown = [...form.keys()].find(key => !FORM.includes(key))
    if (unknown !== undefined) return { status: 422, because: `the field ${unknown}` }
    const file = form.get('file')
    if (!(file instanceof File) || file.name === '') return { status: 422, because: 'no file' }
    const date = form.get('effectiveAtDate')
    if (typeof date === 'string' && Number.isNaN(Date.parse(date))) return { status: 422, because: 'effectiveAtDate' }
    uploads.set(document, uploads.get(document)! + 1)
    return {
      status: 201,
      answer: { id: String(uploads.get(document)), fileName: file.name, mimeType: file.type },
      content: { name: file.name, event: JSON.parse(await file.text()), description: form.get('description') },
    }
  })
}

/** Drata's connection 12 with the resource 34, after its description of version 2: numbers in the path, `data` alone in the body. */
export function startDrata(): Promise<Platform> {
  return start((path, { headers, body }) => {
    const [, connection, resource] =
      /^\/public\/v2\/custom-connections\/(\d+)\/resources\/(\d+)\/records$/.exec(path) ?? []
    if (connection !== '12' || resource !== '34') return { status: 404, because: 'no such resource' }
    if (headers['content-type'] !== 'application/json') return { status: 400, because: 'the content type' }
    const sent = JSON.parse(body.toString('utf8')) as Record<string, unknown>
    const { data } = sent
    if (Object.keys(sent).join() !== 'data' || data === null || typeof data !== 'object')
      return { status: 400, because: 'data must be a record or a list of records' }
    if (Array.isArray(data)) {
      // A list is taken whatever becomes of its records: each has a status of its own in the answer.
      return { status: 200, answer: data.map(one => ({ statusCode: 201, data: one })), content: data }
    }
    return { status: 201, answer: { id: 'made', statusCode: 201, data }, content: data }
  })
}
