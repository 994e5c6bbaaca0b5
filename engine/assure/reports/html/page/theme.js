// Runs in the head, so that a chosen theme is there before the first paint. Without a choice the system decides.
const THEMES = ['system', 'light', 'dark']
const KEY = 'svc-report-theme'

function stored() {
  // A page opened from disk may have no storage.
  try {
    return localStorage.getItem(KEY)
  } catch {
    return null
  }
}

function show(theme) {
  if (theme === 'system') delete document.documentElement.dataset.theme
  else document.documentElement.dataset.theme = theme
  const button = document.getElementById('theme')
  if (button) button.textContent = `Theme: ${theme}`
}

let theme = THEMES.includes(stored()) ? stored() : 'system'
show(theme)

document.addEventListener('DOMContentLoaded', () => {
  const button = document.getElementById('theme')
  button.hidden = false
  show(theme)
  button.addEventListener('click', () => {
    theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]
    show(theme)
    try {
      localStorage.setItem(KEY, theme)
    } catch {
      // The choice then holds for this page only.
    }
  })
})
