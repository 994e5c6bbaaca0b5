import { useEffect, useState } from 'preact/hooks'

/** The names of the tokens, as tokens.css has them. */
const COLORS = [
  ...['page', 'panel', 'sunken', 'line', 'text', 'soft', 'accent', 'on-accent', 'mark', 'hit', 'code', 'good', 'bad'],
  ...['critical', 'high', 'medium', 'low', 'info'],
]
const FONTS = ['sans', 'mono']

/** The tokens with their values in the theme that is shown. */
export function Tokens() {
  const [values, setValues] = useState<ReadonlyMap<string, string>>(new Map())
  useEffect(() => {
    const read = () => {
      const style = getComputedStyle(document.documentElement)
      setValues(new Map([...COLORS, ...FONTS].map(name => [name, style.getPropertyValue(`--${name}`).trim()])))
    }
    read()
    // The theme is an attribute of the document, or the system's.
    const observer = new MutationObserver(read)
    observer.observe(document.documentElement, { attributes: true, attributeFilter: ['data-theme'] })
    const system = matchMedia('(prefers-color-scheme: dark)')
    system.addEventListener('change', read)
    return () => {
      observer.disconnect()
      system.removeEventListener('change', read)
    }
  }, [])
  return (
    <>
      <ul class="swatches" aria-label="Colors">
        {COLORS.map(name => (
          <li key={name}>
            <i aria-hidden="true" style={{ background: `var(--${name})` }} />
            <code>{name}</code> <span class="soft">{values.get(name)}</span>
          </li>
        ))}
      </ul>
      {FONTS.map(name => (
        <p key={name} style={{ fontFamily: `var(--${name})` }}>
          {name}: The quick brown fox jumps over the lazy dog, 0123456789
        </p>
      ))}
    </>
  )
}
