import type { ComponentChildren } from 'preact'
import { Heading } from './heading.tsx'

/** A figure at the head of a page. */
export interface Figure {
  label: string
  value: ComponentChildren
  tone?: 'good' | 'bad'
}

/** What a page comes to, in a few figures under its title. */
export function Figures({
  title,
  figures,
  children,
}: {
  title: string
  figures: readonly Figure[]
  children?: ComponentChildren
}) {
  return (
    <div class="head">
      <Heading title={title} />
      {figures.length > 0 && (
        <dl class="figures">
          {figures.map(({ label, value, tone }) => (
            <div key={label}>
              <dt>{label}</dt>
              <dd class={tone}>{value}</dd>
            </div>
          ))}
        </dl>
      )}
      {children}
    </div>
  )
}
