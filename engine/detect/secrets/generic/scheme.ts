import type { Value } from './value.ts'

/** What stands before a credential in a header, and says how to read it. */
const SCHEME =
  /^(?:Bearer|Basic|Token|token|bearer|basic|ApiKey|Apikey|api-key|Key|JWT|AWS|Digest|SSWS|GoogleLogin auth=)[ \t]{1,4}(?=\S)/

/** Of a header's value the credential alone. */
export function removeScheme(value: Value): Value {
  const scheme = SCHEME.exec(value.text)
  if (!scheme) return value
  return { ...value, start: value.start + scheme[0].length, text: value.text.slice(scheme[0].length) }
}

/** What Spring and directories say before a password that they keep in clear. */
const STORAGE = /^\{(?:noop|plain|cleartext)\}(?=[^\s{}]{3})/i

/** Of a password the part behind how it is kept. */
export function removeStorage<V extends Pick<Value, 'start' | 'text'>>(value: V): V {
  const storage = STORAGE.exec(value.text)?.[0].length ?? 0
  return storage === 0 ? value : { ...value, start: value.start + storage, text: value.text.slice(storage) }
}
