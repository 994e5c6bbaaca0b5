import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'

/** What a stand-in for a model does with one request. */
export type Behavior =
  | { say: string }
  | { status: number; retryAfter?: string }
  | { refuse: true }
  | { slow: number; say: string }
  | { cut: true }
  | { noise: true; say: string }
  | { html: true }
  | { usage: { input: number; output: number }; say: string }

/** A request as the server got it. */
export interface Got {
  path: string
  key: string
  body: string
  /** All texts of its messages. */
  prompt: string
}

/** A server on loopback that speaks the wire formats of Anthropic and OpenAI, and misbehaves on demand. Gone after the test. */
export async function modelServer(behave: (got: Got, count: number) => Behavior) {
  const got: Got[] = []
  const server = createServer((request, response) => {
    void read(request).then(body => {
      const path = request.url ?? ''
      const key = String(request.headers.authorization ?? request.headers['x-api-key'] ?? '')
      const parsed = JSON.parse(body) as { messages: { content: unknown }[]; system?: unknown }
      const prompt = [parsed.system, ...parsed.messages.map(({ content }) => content)].map(toText).join('\n')
      const one = { path, key, body, prompt }
      got.push(one)
      answer(response, path.endsWith('/messages') ? 'anthropic' : 'openai', body, behave(one, got.length))
    })
  })
  await new Promise<void>(done => server.listen(0, '127.0.0.1', done))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const base_url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
  return { base_url, got }
}

function answer(response: ServerResponse, format: 'anthropic' | 'openai', body: string, behavior: Behavior): void {
  if ('status' in behavior) {
    response.writeHead(behavior.status, {
      'content-type': 'application/json',
      ...(behavior.retryAfter && { 'retry-after': behavior.retryAfter }),
    })
    response.end('{"error":{"message":"busy","type":"overloaded_error"},"type":"error"}')
    return
  }
  if ('html' in behavior) {
    response.writeHead(200, { 'content-type': 'text/html' })
    response.end('<html>proxy login</html>')
    return
  }
  const text = 'say' in behavior ? behavior.say : ''
  const usage = 'usage' in behavior ? behavior.usage : { input: 11, output: 7 }
  const noise = 'noise' in behavior
  const refused = 'refuse' in behavior
  const json = JSON.stringify(
    format === 'anthropic' ? anthropic(text, usage, noise, refused, body) : openai(text, usage, noise, refused),
  )
  if ('cut' in behavior) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': String(json.length + 100) })
    response.write(json.slice(0, 40))
    setTimeout(() => response.destroy(), 10)
    return
  }
  const send = () => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(json)
  }
  if ('slow' in behavior) setTimeout(send, behavior.slow)
  else send()
}

function openai(text: string, usage: { input: number; output: number }, noise: boolean, refused: boolean) {
  const tool_calls = noise
    ? [{ id: 'c1', type: 'function', function: { name: 'shell', arguments: '{"command":"rm -rf /"}' } }]
    : undefined
  const message = { role: 'assistant', content: refused ? '' : text, ...(tool_calls && { tool_calls }) }
  return {
    ...{ id: 'x', object: 'chat.completion', created: 1, model: 'm' },
    choices: [{ index: 0, message, finish_reason: refused ? 'content_filter' : 'stop' }],
    usage: { prompt_tokens: usage.input, completion_tokens: usage.output, total_tokens: usage.input + usage.output },
  }
}

function anthropic(
  text: string,
  usage: { input: number; output: number },
  noise: boolean,
  refused: boolean,
  body: string,
) {
  // Where the client asks for the answer by a tool, it comes by the tool.
  const asksByTool = /"tool_choice"/.test(body)
  let input: unknown
  try {
    input = JSON.parse(text)
  } catch {
    input = undefined
  }
  const own =
    asksByTool && input !== undefined ? { type: 'tool_use', id: 't1', name: 'json', input } : { type: 'text', text }
  const content = [
    ...(noise ? [{ type: 'tool_use', id: 't0', name: 'shell', input: { command: 'rm' } }] : []),
    ...(refused ? [] : [own]),
  ]
  return {
    ...{ id: 'x', type: 'message', role: 'assistant', model: 'm', content, stop_sequence: null },
    stop_reason: refused ? 'refusal' : own.type === 'tool_use' ? 'tool_use' : 'end_turn',
    usage: { input_tokens: usage.input, output_tokens: usage.output },
  }
}

function toText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map(part => (typeof (part as { text?: unknown }).text === 'string' ? (part as { text: string }).text : ''))
    .join('\n')
}

async function read(request: IncomingMessage): Promise<string> {
  const parts: Buffer[] = []
  for await (const part of request) parts.push(part as Buffer)
  return Buffer.concat(parts).toString('utf8')
}
