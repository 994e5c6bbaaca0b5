// The OpenAPI document for the two reference pages, and the key that the server may ask for. The key is kept for this
// tab only, under the name that the dashboard uses.
const KEY = 'svc-api-key'

export function keyHeaders() {
  const key = sessionStorage.getItem(KEY)
  return key ? { 'X-API-Key': key } : {}
}

/** The document; asks for the key in `place` until the server accepts it. */
export async function openApiDocument(place) {
  for (let attempt = 0; ; attempt++) {
    const response = await fetch('/openapi.json', { headers: keyHeaders() })
    if (response.ok) return response.json()
    const problem = await response.json().catch(() => ({ detail: `The server answered ${response.status}.` }))
    if (response.status !== 401) {
      place.textContent = problem.detail
      throw new Error(problem.detail)
    }
    sessionStorage.setItem(KEY, await askForKey(place, attempt > 0))
  }
}

function askForKey(place, refused) {
  const form = document.createElement('form')
  form.className = 'key'
  const label = document.createElement('label')
  label.textContent = refused ? 'That key was not accepted. API key' : 'API key'
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
