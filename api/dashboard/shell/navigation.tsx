import { signal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { count } from '../format.ts'
import { pendingApprovals } from '../server/live.ts'
import { GROUPS, PAGES } from './registry.ts'
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
  const groups = GROUPS.filter(group => pages.some(([, page]) => page.group === group))
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
                    {name === 'approvals' && (pendingApprovals.value ?? 0) > 0 && (
                      <span class="tag">{count(pendingApprovals.value!)}</span>
                    )}
                  </a>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}
