import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Diagnostic, TextDocumentContentChangeEvent } from 'vscode-languageserver/node'
import { type EngineError, toEngineError } from '../../engine/base/errors.ts'
import type { CheckedPlace, DocumentCheckers, DocumentVerdict } from '../../engine/base/records/document-check.ts'
import { locateFindings, type Shown, toDiagnostics } from './diagnostics.ts'
import { type Encoding, OpenText } from './open-text.ts'

/** What a check of an open document came to. */
export interface Checked {
  version: number
  verdict: DocumentVerdict
  /** Findings with their places in the editor's text. */
  shown: readonly Shown[]
  diagnostics: Diagnostic[]
  /** Why it could not be checked. */
  fault?: EngineError
}

/** A document that an editor has open. */
export interface OpenDocument {
  text: OpenText
  /** Where it lies. */
  place: CheckedPlace
  current?: Running | undefined
}

interface Running {
  /** Version, generation of the settings, and date: what a verdict depends on beside the text. */
  key: string
  answer: Promise<Checked>
  abort: AbortController
}

/** The open documents and their verdicts. Checks take turns; one whose text has changed meanwhile is given up. */
export class Documents {
  readonly #checkers: DocumentCheckers
  readonly #byUri = new Map<string, OpenDocument>()
  /** The client's folder around a file, if any. */
  readonly #folderOf: (file: string) => string | undefined
  #turn: Promise<unknown> = Promise.resolve()
  encoding: Encoding = 'utf-16'

  constructor(checkers: DocumentCheckers, folderOf: (file: string) => string | undefined) {
    this.#checkers = checkers
    this.#folderOf = folderOf
  }

  get(uri: string): OpenDocument | undefined {
    return this.#byUri.get(uri)
  }

  all(): Iterable<[string, OpenDocument]> {
    return this.#byUri
  }

  /** Only files: what has no path has no settings that hold for it. */
  open(uri: string, version: number, text: string): OpenDocument | undefined {
    const file = toFile(uri)
    if (file === undefined) return undefined
    const place = this.#checkers.find(file, this.#folderOf(file))
    const document = { text: new OpenText(uri, version, text, this.encoding), place }
    this.#byUri.set(uri, document)
    return document
  }

  change(uri: string, version: number, changes: readonly TextDocumentContentChangeEvent[]): void {
    const document = this.#byUri.get(uri)
    if (!document) return
    document.text.change(changes, version)
    document.current?.abort.abort()
    document.current = undefined
  }

  close(uri: string): void {
    this.#byUri.get(uri)?.current?.abort.abort()
    this.#byUri.delete(uri)
    this.#checkers.keep(new Set([...this.#byUri.values()].map(({ place }) => place.checker)))
  }

  /** Finds the repositories of all documents anew: folders were added or removed. */
  relocate(): void {
    for (const [uri, document] of this.#byUri) {
      const file = toFile(uri)!
      document.place = this.#checkers.find(file, this.#folderOf(file))
      this.#forget(document)
    }
    this.#checkers.keep(new Set([...this.#byUri.values()].map(({ place }) => place.checker)))
  }

  /** Settings changed: every verdict is asked for anew. */
  reload(): void {
    for (const document of this.#byUri.values()) {
      document.place.checker.reload()
      this.#forget(document)
    }
  }

  /** The verdict on the document's present text. Rejects with an AbortError where the text changes or the document is closed meanwhile. */
  async check(document: OpenDocument): Promise<Checked> {
    const { checker, path } = document.place
    const { version } = document.text
    const key = () => `${version} ${checker.generation} ${new Date().toISOString().slice(0, 10)}`
    if (document.current?.key === key()) {
      const changed = await checker.refresh(path, document.current.abort.signal).catch(() => true)
      if (!changed && document.current?.key === key()) return document.current.answer
    }
    const abort = new AbortController()
    const running: Running = { key: key(), abort, answer: this.#takeTurn(document, abort.signal) }
    this.#forget(document)
    document.current = running
    running.answer.then(
      () => {
        // The first check reads the settings.
        running.key = key()
      },
      () => {
        if (document.current === running) document.current = undefined
      },
    )
    return running.answer
  }

  #forget(document: OpenDocument): void {
    document.current?.abort.abort()
    document.current = undefined
  }

  #takeTurn(document: OpenDocument, signal: AbortSignal): Promise<Checked> {
    const work = async () => {
      // Changes that wait in the stream come first: then there is nothing to check for this one.
      await setImmediate()
      signal.throwIfAborted()
      return checkText(document, signal)
    }
    const turn = this.#turn.then(work, work)
    this.#turn = turn.catch(() => {})
    return turn
  }
}

async function checkText({ text: open, place }: OpenDocument, signal: AbortSignal): Promise<Checked> {
  const { text, version } = open
  try {
    const verdict = await place.checker.check(place.path, text, signal)
    const shown = locateFindings(verdict.findings, open)
    return { version, verdict, shown, diagnostics: toDiagnostics(shown, open, place) }
  } catch (error) {
    if (signal.aborted) throw error
    const fault = toEngineError(error)
    const verdict = { findings: [], notices: [], not_evaluated: [] }
    return { version, verdict, shown: [], diagnostics: [describeFault(fault)], fault }
  }
}

/** A file that could not be checked must not look like one without findings. */
function describeFault({ code, message, hint }: EngineError): Diagnostic {
  const start = { line: 0, character: 0 }
  return {
    range: { start, end: start },
    severity: 1,
    source: 'svc',
    code,
    message: `svc cannot check this file: ${message}${hint === undefined ? '' : ` ${hint}`}`,
  }
}

/** The path of a URI; undefined where it names no file of this machine. */
export function toFile(uri: string): string | undefined {
  try {
    return uri.startsWith('file:') ? fileURLToPath(uri) : undefined
  } catch {
    // A host that is not this machine, or an escape that is none.
    return undefined
  }
}
