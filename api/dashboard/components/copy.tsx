import { useState } from 'preact/hooks'
import { say, showFault } from '../shell/said.ts'

/** Milliseconds for which the button says that it copied. */
const SHOWN = 1500

/** A button that copies a text. `text` is made when it is pressed. */
export function CopyButton({ label = 'Copy', text }: { label?: string; text: string | (() => string) }) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : text())
      setCopied(true)
      say('Copied.')
      setTimeout(() => setCopied(false), SHOWN)
    } catch {
      showFault(new Error('The browser does not let this page copy: it allows that on localhost and over HTTPS alone.'))
    }
  }
  return (
    <button type="button" class="quiet small" onClick={copy}>
      {copied ? 'Copied' : label}
    </button>
  )
}
