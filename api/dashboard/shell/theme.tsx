import { signal } from '@preact/signals'

const THEMES = ['system', 'light', 'dark'] as const
/** As in theme.js, which sets the theme before the first paint. */
const KEY = 'svc-theme'

const theme = signal(THEMES.find(each => each === localStorage.getItem(KEY)) ?? 'system')

/** Goes through the themes; without a choice the system decides. */
export function ThemeButton() {
  const next = () => {
    theme.value = THEMES[(THEMES.indexOf(theme.value) + 1) % THEMES.length]!
    if (theme.value === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme.value
    localStorage.setItem(KEY, theme.value)
  }
  return (
    <button type="button" class="quiet" id="theme" onClick={next}>
      Theme: {theme.value}
    </button>
  )
}
