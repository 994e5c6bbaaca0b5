import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { PAGES } from './registry.ts'
import { href, route } from './route.ts'

/** Whether the menu of a narrow screen is open. */
const menuOpen = signal(false)

/** Opens and closes the navigation where there is no room for it. */
export function MenuButton() {
  return (
    <button
      type="button"
      class="quiet menu"
      aria-expanded={menuOpen.value}
      aria-controls="views"
      onClick={() => {
        menuOpen.value = !menuOpen.value
      }}
    >
      Menu
    </button>
  )
}

/** The pages in groups. */
export function Navigation() {
  const { page: current } = route.value
  useEffect(() => {
    menuOpen.value = false
  }, [current])
  const pages = Object.entries(PAGES).filter(([, { hidden }]) => !hidden)
  const groups = [...new Set(pages.map(([, { group }]) => group))]
  return (
    <nav aria-label="Pages" id="views" class={menuOpen.value ? 'open' : ''}>
      {groups.map(group => (
        <div key={group} class="group">
          <p aria-hidden="true">{group}</p>
          <ul aria-label={group}>
            {pages
              .filter(([, page]) => page.group === group)
              .map(([name, { title }]) => (
                <li key={name}>
                  <a href={href(name)} aria-current={name === current ? 'page' : undefined}>
                    {title}
                  </a>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
