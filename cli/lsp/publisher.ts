import { createHash } from 'node:crypto'
import type { Connection, Diagnostic } from 'vscode-languageserver/node'
import type { Documents } from './documents.ts'
import type { Settings } from './settings.ts'

/** Milliseconds without a change after which a text is checked, for clients that do not ask. */
const QUIET_MS = 30

/** Sends diagnostics to clients that do not ask for them, with the version of the text they are for. */
export class Publisher {
  readonly #connection: Connection
  readonly #documents: Documents
  readonly #settings: Settings
  readonly #timers = new Map<string, NodeJS.Timeout>()

  constructor(connection: Connection, documents: Documents, settings: Settings) {
    this.#connection = connection
    this.#documents = documents
    this.#settings = settings
  }

  /** Checks the document when no change has come for a while. */
  schedule(uri: string): void {
    clearTimeout(this.#timers.get(uri))
    const timer = setTimeout(() => {
      this.#timers.delete(uri)
      this.#publish(uri).catch(error => {
        // The text has changed, and is scheduled again, or the client has gone.
        if (error?.name !== 'AbortError') this.#connection.console.error(String(error?.stack ?? error))
      })
    }, QUIET_MS)
    this.#timers.set(uri, timer)
  }

  publishAll(): void {
    for (const [uri] of this.#documents.all()) this.schedule(uri)
  }

  /** The document was closed: what was said of it no longer holds. */
  clear(uri: string): void {
    clearTimeout(this.#timers.get(uri))
    this.#timers.delete(uri)
    void this.#connection.sendDiagnostics({ uri, diagnostics: [] })
  }

  async #publish(uri: string): Promise<void> {
    const document = this.#documents.get(uri)
    if (!document) return
    if (!(await this.#settings.isEnabled(uri))) return void this.#connection.sendDiagnostics({ uri, diagnostics: [] })
    const { version, diagnostics } = await this.#documents.check(document)
    // Closed or changed meanwhile.
    if (this.#documents.get(uri) !== document || document.text.version !== version) return
    await this.#connection.sendDiagnostics({ uri, version, diagnostics })
  }

  /** The same for the same diagnostics, so that a client that has them need not be sent them again. */
  computeResultId(diagnostics: readonly Diagnostic[]): string {
    return createHash('sha256').update(JSON.stringify(diagnostics)).digest('base64url').slice(0, 16)
  }
}
