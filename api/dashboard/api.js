// The page's only way out: its own server. The key is kept for this tab, under the name that the reference pages use.
const KEY = 'svc-api-key'

/** A refusal of the server's; `message` is the problem's detail. */
export class Refusal extends Error {
  constructor(problem) {
    super(problem.detail)
    this.code = problem.code
    this.status = problem.status
  }
}

/** GET of JSON; query fields that are undefined or empty are left out, arrays are repeated. */
export async function get(path, query = {}, signal) {
  return (await send(withQuery(path, query), { signal })).json()
}

/** GET of a document. */
export async function download(path, signal) {
  return (await send(path, { signal })).blob()
}

/** POSTs and hands on each server-sent event; settles with the data of `done`, throws a Refusal for `error`. */
export async function stream(path, body, onEvent, signal) {
  const response = await send(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
    signal,
  })
  let rest = ''
  for await (const text of texts(response.body)) {
    const blocks = (rest + text).split('\n\n')
    rest = blocks.pop()
    for (const block of blocks) {
      const event = eventOf(block)
      if (event?.name === 'done') return event.data
      if (event?.name === 'error') throw new Refusal(event.data)
      if (event) onEvent(event.name, event.data)
    }
  }
  throw new Refusal({ code: 'INTERRUPTED', status: 0, detail: 'The connection ended before the scan did.' })
}

function withQuery(path, query) {
  const given = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const item of Array.isArray(value) ? value : [value])
      if (item !== undefined && item !== '') given.append(name, item)
  }
  return given.size > 0 ? `${path}?${given}` : path
}

async function* texts(body) {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader()
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield value
  }
}

function eventOf(block) {
  const lines = block.split('\n').filter(line => !line.startsWith(':'))
  const field = name =>
    lines
      .filter(line => line.startsWith(`${name}: `))
      .map(line => line.slice(name.length + 2))
      .join('\n')
  return lines.length > 0 ? { name: field('event'), data: JSON.parse(field('data')) } : undefined
}

/** Sends once more where the server wants its key, or wants us to wait a little. */
async function send(path, init) {
  for (let attempt = 0; ; attempt++) {
    const key = sessionStorage.getItem(KEY)
    const response = await fetch(path, {
      ...init,
      headers: { ...init.headers, ...(key ? { 'x-api-key': key } : {}) },
    }).catch(error => {
      if (error.name === 'AbortError') throw error
      throw new Refusal({
        code: 'UNREACHABLE',
        status: 0,
        detail: 'The server does not answer. Is `svc dashboard` still running?',
      })
    })
    if (response.ok) return response
    const problem = await response
      .json()
      .catch(() => ({ code: 'INTERNAL', detail: `The server answered ${response.status}.` }))
    if (response.status === 401) await askForKey(key)
    else if (response.status === 429 && attempt < 2)
      await wait(Number(response.headers.get('retry-after')) || 1, init.signal)
    else throw new Refusal({ ...problem, status: response.status })
  }
}

function wait(seconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, seconds * 1000)
    signal?.addEventListener('abort', () => {
      clearTimeout(timer)
      reject(signal.reason)
    })
  })
}

let asking

/** One question for all requests that wait; `refused` is the key that was not accepted. */
function askForKey(refused) {
  // Another request was answered in the meantime.
  if (sessionStorage.getItem(KEY) !== refused) return Promise.resolve()
  asking ??= new Promise(resolve => {
    const dialog = document.getElementById('key')
    const input = document.getElementById('key-input')
    if (refused)
      document.getElementById('key-why').textContent =
        'The server did not accept that key. Use the key that `svc dashboard` printed, or GUARD_API_KEY.'
    input.value = ''
    const closed = () => {
      if (!input.value.trim()) return dialog.showModal()
      dialog.removeEventListener('close', closed)
      sessionStorage.setItem(KEY, input.value.trim())
      asking = undefined
      resolve()
    }
    dialog.addEventListener('close', closed)
    dialog.showModal()
  })
  return asking
}
