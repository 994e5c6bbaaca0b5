// Not a module: it runs before the first paint. Without a choice the system decides; the button is in shell/theme.tsx.
;(() => {
  const theme = localStorage.getItem('svc-theme')
  if (theme === 'light' || theme === 'dark') document.documentElement.dataset.theme = theme
})()
