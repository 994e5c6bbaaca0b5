// Not a module: it runs before the first paint. Without a choice the system decides.
;(() => {
  const THEMES = ['system', 'light', 'dark']
  const KEY = 'svc-theme'
  let theme = THEMES.includes(localStorage.getItem(KEY)) ? localStorage.getItem(KEY) : 'system'

  function show() {
    if (theme === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
    const button = document.getElementById('theme')
    if (button) button.textContent = `Theme: ${theme}`
  }

  show()
  document.addEventListener('DOMContentLoaded', () => {
    const button = document.getElementById('theme')
    button.hidden = false
    show()
    button.addEventListener('click', () => {
      theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length]
      localStorage.setItem(KEY, theme)
      show()
    })
  })
})()
