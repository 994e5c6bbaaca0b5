// The OpenAPI document for the two reference pages. Where the server asks for its key, a person signs in as in the dashboard: what stays is a
// cookie that no script can read, and whoever has signed in there is not asked again.
const SESSION = '/api/session'

/** The document; asks for the key in `place` until the server accepts it. */
export async function openApiDocument(place) {
  let fault = ''
  for (;;) {
    const response = await fetch('/openapi.json')
    if (response.ok) return response.json()
    if (response.status !== 401) {
      const detail = await detailOf(response)
      place.textContent = detail
      throw new Error(detail)
    }
    fault = await signIn(await askForKey(place, fault))
  }
}

/** The headers that a request of the page needs beside the cookie: writes carry the token of the session. */
export async function writeHeaders(method) {
  if (method === 'GET' || method === 'HEAD') return {}
  const { csrf_token } = await (await fetch(SESSION)).json()
  return csrf_token ? { 'X-CSRF-Token': csrf_token } : {}
}

/** What went wrong; empty where the key was accepted. */
async function signIn(key) {
  const response = await fetch(SESSION, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ key }),
  })
  if (response.ok) return ''
  return response.status === 401 ? 'That key was not accepted.' : detailOf(response)
}

async function detailOf(response) {
  const problem = await response.json().catch(() => ({}))
  return problem.detail ?? `The server answered ${response.status}.`
}

function askForKey(place, fault) {
  const form = document.createElement('form')
  form.className = 'key'
  const label = document.createElement('label')
  label.textContent = `${fault} API key`.trim()
  const input = document.createElement('input')
  input.type = 'password'
  input.autocomplete = 'off'
  input.required = true
  label.append(input)
  const button = document.createElement('button')
  button.textContent = 'Open'
  form.append(label, button)
  place.replaceChildren(form)
  input.focus()
  return new Promise(resolve => {
    form.addEventListener('submit', event => {
      event.preventDefault()
      place.replaceChildren()
      resolve(input.value.trim())
    })
  })
}
