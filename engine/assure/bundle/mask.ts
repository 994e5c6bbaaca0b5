import { redactCredentials } from '../../base/text/credentials.ts'

/** Keys whose values are credentials, by a word of their name. */
const SECRET_KEY =
  /(?:secret|token|passw(?:or)?d|passphrase|credential|private|api_?key|access_?key|authorization|cookie)/i
/** Keys that have such a word and name where a credential is found, not the credential. */
const NAMES_ONE = /(?:_env|_file|_path|_url)$/i
/** Texts that are credentials whatever their key is. */
const SECRET_TEXT =
  /-----BEGIN [A-Z ]{0,20}PRIVATE KEY|\b(?:AKIA|ASIA)[A-Z0-9]{16}\b|\bgh[pousr]_[A-Za-z0-9]{30,}|\bglpat-[\w-]{20,}|\bxox[abprs]-[\w-]{10,}|\bsvc_(?:agent|auditor)_[\w-]{20,}|\beyJ[\w-]{10,}\.eyJ[\w-]{10,}|\bsk-[\w-]{20,}/

/** What stands in the place of a credential. */
export const MASK = '***'

/** Settings without credentials: values of keys that name one, texts that are one, and what an address carries. */
export function maskSecrets(value: unknown, key = ''): unknown {
  if (Array.isArray(value)) return value.map(item => maskSecrets(item, key))
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, maskSecrets(own, name)]))
  if (typeof value !== 'string') return value
  if (SECRET_KEY.test(key) && !NAMES_ONE.test(key)) return MASK
  return SECRET_TEXT.test(value) ? MASK : maskAddress(redactCredentials(value))
}

/** An address of a webhook is a credential by its path: the host says enough. */
function maskAddress(text: string): string {
  return /^https:\/\/(?:hooks\.|[\w.-]*webhook)/i.test(text)
    ? text.replace(/^(https:\/\/[^/]+\/).+$/, `$1${MASK}`)
    : text
}
