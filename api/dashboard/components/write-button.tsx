import type { ComponentChildren } from 'preact'
import { session } from '../server/session.ts'

/** Why nothing can be changed here; undefined where it can. */
export function findRefusal(): string | undefined {
  return session.value?.read_only === true ? 'This server is read-only.' : undefined
}

/** A button that changes something: disabled while it does, and with the reason where the server refuses changes. */
export function WriteButton({
  class: kind,
  type = 'button',
  id,
  busy = false,
  refusal,
  onClick,
  children,
}: {
  class: string
  type?: 'button' | 'submit'
  id?: string
  /** Whether it is being done. */
  busy?: boolean
  /** Why it cannot be done now, whatever the server allows; '' where no reason needs to be said. */
  refusal?: string
  onClick?(): void
  children: ComponentChildren
}) {
  const reason = findRefusal() ?? refusal
  return (
    <button
      type={type}
      id={id}
      class={kind}
      disabled={busy || reason !== undefined}
      aria-busy={busy || undefined}
      title={reason || undefined}
      onClick={onClick}
    >
      {children}
    </button>
  )
}
