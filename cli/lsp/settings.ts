import type { Connection } from 'vscode-languageserver/node'

/** Settings that the client has for each file or folder: `svc.enable`. How files are judged is the repository's own configuration. */
export class Settings {
  /** The client answers questions about its configuration. */
  isAsked = false
  readonly #connection: Connection
  readonly #enabled = new Map<string, Promise<boolean>>()

  constructor(connection: Connection) {
    this.#connection = connection
  }

  /** The client's configuration has changed. */
  forget(): void {
    this.#enabled.clear()
  }

  /** Whether svc is on for a document; so where the client says nothing. */
  isEnabled(uri: string): Promise<boolean> {
    if (!this.isAsked) return Promise.resolve(true)
    let enabled = this.#enabled.get(uri)
    if (!enabled) {
      enabled = this.#ask(uri)
      this.#enabled.set(uri, enabled)
    }
    return enabled
  }

  /** The document was closed: nothing is kept for it, however many are opened in a day. */
  forgetDocument(uri: string): void {
    this.#enabled.delete(uri)
  }

  async #ask(scopeUri: string): Promise<boolean> {
    try {
      const settings = await this.#connection.workspace.getConfiguration({ scopeUri, section: 'svc' })
      return settings?.enable !== false
    } catch {
      // A client that fails to answer has not switched it off.
      return true
    }
  }
}
