/** A key that a user gave to the running server; it is in memory only, and gone with the process. */
export interface SessionKey {
  provider: string
  key: string
  model?: string
}

let current: SessionKey | undefined

/** Keeps a key for as long as the process runs; undefined forgets it. */
export function setSessionKey(key: SessionKey | undefined): void {
  current = key
}

export function getSessionKey(): SessionKey | undefined {
  return current
}
