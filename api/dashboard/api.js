// The page's only way out: its own server. Who has signed in is known by a cookie that no script can read; the token that goes with writes
// is kept in memory.
const SESSION = '/api/session'
let token

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
    const asked = signIns
    if (init.method && token === undefined) await showSession()
    const response = await reach(path, {
      ...init,
      headers: { ...init.headers, ...(token && { 'x-csrf-token': token }) },
    })
    if (response.ok) return response
    const problem = await response
      .json()
      .catch(() => ({ code: 'INTERNAL', detail: `The server answered ${response.status}.` }))
    if (response.status === 401) await signIn(asked)
    else if (response.status === 403 && (await hasNewToken(init, attempt))) continue
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

/** A request whose failure to reach the server is a Refusal too. */
async function reach(path, init) {
  try {
    return await fetch(path, init)
  } catch (error) {
    if (error.name === 'AbortError') throw error
    throw new Refusal({
      code: 'UNREACHABLE',
      status: 0,
      detail: 'The server does not answer. Is `svc dashboard` still running?',
    })
  }
}

/** Whether the server asks people to sign in, whether somebody has, and whether it is read-only. */
export async function showSession() {
  const session = await (await reach(SESSION)).json()
  token = session.csrf_token
  return session
}

/** Whether a write was refused with the token of a session that another tab has replaced. */
async function hasNewToken({ method }, attempt) {
  if (!method || attempt > 0) return false
  const before = token
  await showSession()
  return token !== before
}

export async function signOut() {
  if (token === undefined) await showSession()
  await reach(SESSION, { method: 'DELETE', headers: { 'x-csrf-token': token ?? '' } })
  location.reload()
}

let asking
/** How often somebody has signed in on this page: a request that was refused before needs no second question. */
let signIns = 0

/** One question for all requests that wait, until the key is right. */
function signIn(asked) {
  if (signIns > asked) return Promise.resolve()
  asking ??= new Promise(resolve => {
    const dialog = document.getElementById('key')
    const input = document.getElementById('key-input')
    const closed = async () => {
      const key = input.value.trim()
      input.value = ''
      const fault = key ? await openSession(key) : ''
      if (fault !== undefined) {
        if (fault) document.getElementById('key-why').textContent = fault
        return dialog.showModal()
      }
      dialog.removeEventListener('close', closed)
      signIns++
      asking = undefined
      resolve()
    }
    dialog.addEventListener('close', closed)
    dialog.showModal()
  })
  return asking
}

/** Signs in; what went wrong, in words for a person, or undefined. */
async function openSession(key) {
  try {
    const headers = { 'content-type': 'application/json' }
    const response = await reach(SESSION, { method: 'POST', headers, body: JSON.stringify({ key }) })
    const answer = await response.json()
    if (response.ok) token = answer.csrf_token
    else if (response.status === 401)
      return 'The server did not accept that key. Use the key that `svc dashboard` printed, or GUARD_API_KEY.'
    else return answer.detail
  } catch (error) {
    return error.message
  }
}
