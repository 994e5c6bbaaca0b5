import type { ComponentChildren } from 'preact'
import { useId } from 'preact/hooks'

/** A titled part of a page. */
export function Panel({
  title,
  class: name = '',
  aside,
  children,
}: {
  title: string
  class?: string
  /** What stands beside the title: a link, a count. */
  aside?: ComponentChildren
  children: ComponentChildren
}) {
  const id = useId()
  return (
    <section class={`panel ${name}`} aria-labelledby={id}>
      <div class="heading">
        <h2 id={id}>{title}</h2>
        {aside}
      </div>
      {children}
    </section>
  )
}
