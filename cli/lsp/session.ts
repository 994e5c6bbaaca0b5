import { pathToFileURL } from 'node:url'
import type {
  CancellationToken,
  CodeLens,
  Connection,
  DocumentDiagnosticReport,
  Hover,
  InitializeParams,
  InitializeResult,
} from 'vscode-languageserver/node'
import type { Context } from '../../engine/base/context.ts'
import type { DocumentCheckers } from '../../engine/base/records/document-check.ts'
import { findKey } from '../../engine/base/records/rule-ids.ts'
import { VERSION } from '../../engine/base/version.ts'
import type { ManifestRow } from '../../engine/door/operation.ts'
import type { Schemas } from '../../engine/door/schemas.ts'
import { Actions, COMMANDS } from './actions.ts'
import { type Client, readClient } from './client.ts'
import { describeFindings, makeLenses } from './describe.ts'
import { overlaps } from './diagnostics.ts'
import { type Checked, Documents, type OpenDocument, toFile } from './documents.ts'
import { Publisher } from './publisher.ts'
import { Settings } from './settings.ts'

/** What `svc lsp-server` gives to the surface. */
export interface LspInput {
  checkers: DocumentCheckers
}

/** What a session is made of. */
export interface SessionOptions extends LspInput {
  connection: Connection
  /** Of the command: whoever started the server is who acts. */
  context: Context
  operations: readonly ManifestRow[]
  schemas: (id: string) => Schemas
  library: typeof import('./library.ts')
}

/** Files that decide how others are judged. */
const WATCHED = ['**/.svc/**', '**/.guard.yaml', '**/.gitattributes', '**/.gitignore']
const DECIDES = /\/(?:\.svc\/(?!local\/)|\.guard\.yaml$|\.gitattributes$|\.gitignore$)/

/** Registers the handlers of one client's session. Diagnostics are pulled where the client can, else pushed, never both. */
export function startSession({ connection, library, checkers, ...more }: SessionOptions): void {
  let client: Client
  let folders: string[] = []
  const documents = new Documents(checkers, file => findFolder(folders, file))
  const settings = new Settings(connection)
  const publisher = new Publisher(connection, documents, settings)
  const actions = new Actions({ connection, documents, library, ...more }, () => client)
  // A client that refuses asks again by itself, or not at all: nothing hangs on it.
  const ask = (method: string) => void connection.sendRequest(method).catch(() => {})
  const refresh = () => {
    if (!client.pulls) publisher.publishAll()
    else if (client.refreshesDiagnostics) ask('workspace/diagnostic/refresh')
    if (client.refreshesLenses) ask('workspace/codeLens/refresh')
  }

  connection.onInitialize((params: InitializeParams): InitializeResult => {
    client = readClient(params)
    documents.encoding = client.encoding
    settings.isAsked = client.configures
    folders = listFolders(params)
    return {
      serverInfo: { name: 'svc', version: VERSION },
      capabilities: {
        positionEncoding: client.encoding,
        textDocumentSync: {
          openClose: true,
          change: library.TextDocumentSyncKind.Incremental,
          save: { includeText: false },
        },
        ...(client.pulls && {
          diagnosticProvider: { identifier: 'svc', interFileDependencies: false, workspaceDiagnostics: false },
        }),
        hoverProvider: true,
        codeLensProvider: { resolveProvider: false },
        codeActionProvider: {
          codeActionKinds: ['quickfix', 'source.fixAll.svc'],
          resolveProvider: client.resolvesActions,
        },
        executeCommandProvider: { commands: [...COMMANDS], workDoneProgress: true },
        workspace: { workspaceFolders: { supported: true, changeNotifications: true } },
      },
    }
  })

  connection.onInitialized(() => {
    if (client.watches) {
      const watchers = WATCHED.map(globPattern => ({ globPattern }))
      void connection.client.register(library.DidChangeWatchedFilesNotification.type, { watchers }).catch(() => {})
    }
    if (client.hasFolders)
      connection.workspace.onDidChangeWorkspaceFolders(({ added, removed }) => {
        const gone = new Set(removed.map(({ uri }) => toFile(uri)))
        folders = [...folders.filter(folder => !gone.has(folder)), ...added.flatMap(({ uri }) => toFile(uri) ?? [])]
        settings.forget()
        documents.relocate()
        refresh()
      })
  })

  connection.onDidOpenTextDocument(({ textDocument: { uri, version, text } }) => {
    if (documents.open(uri, version, text) && !client.pulls) publisher.schedule(uri)
  })
  connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
    documents.change(uri, version, contentChanges)
    if (!client.pulls) publisher.schedule(uri)
  })
  connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
    documents.close(uri)
    settings.forgetDocument(uri)
    if (!client.pulls) publisher.clear(uri)
  })
  const reload = () => {
    documents.reload()
    refresh()
  }
  connection.onDidSaveTextDocument(({ textDocument: { uri } }) => {
    if (DECIDES.test(uri)) reload()
  })
  connection.onDidChangeWatchedFiles(({ changes }) => {
    if (changes.some(({ uri }) => DECIDES.test(uri))) reload()
  })
  connection.onDidChangeConfiguration(() => {
    settings.forget()
    refresh()
  })

  connection.languages.diagnostics.on(async ({ textDocument: { uri }, previousResultId }, token) => {
    const checked = await find(uri, token)
    const diagnostics = checked?.diagnostics ?? []
    const resultId = publisher.computeResultId(diagnostics)
    const report: DocumentDiagnosticReport =
      previousResultId === resultId ? { kind: 'unchanged', resultId } : { kind: 'full', resultId, items: diagnostics }
    return report
  })

  connection.onHover(async ({ textDocument: { uri }, position }, token): Promise<Hover | null> => {
    const document = documents.get(uri)
    const checked = await find(uri, token)
    if (!document || !checked) return null
    const at = { start: position, end: position }
    const met = checked.shown.filter(({ finding, range }) => finding.status === 'open' && overlaps(range, at))
    if (met.length === 0) return null
    const { checker } = document.place
    const described = met.map(({ finding }) => ({ finding, card: checker.describe(findKey(finding)) }))
    return { contents: describeFindings(described, client.hoversMarkdown), range: met[0]!.range }
  })

  connection.onCodeLens(async ({ textDocument: { uri } }, token): Promise<CodeLens[]> => {
    const checked = await find(uri, token)
    return checked ? makeLenses(uri, checked) : []
  })
  connection.onCodeAction(async ({ textDocument: { uri }, range, context }, token) => {
    const document = documents.get(uri)
    const checked = await find(uri, token)
    return document && checked ? actions.list(document, checked, range, context.only) : []
  })
  connection.onCodeActionResolve(action => actions.resolve(action))
  connection.onExecuteCommand(({ command, arguments: words = [] }, token, progress) =>
    actions.execute(command, words, { token, progress, folders, reload }),
  )

  /** The verdict on an open document; undefined where the client has switched svc off for it, or does not have it open. */
  async function find(uri: string, token: CancellationToken): Promise<Checked | undefined> {
    const document = documents.get(uri)
    if (!document || !(await settings.isEnabled(uri))) return undefined
    return refuseStale(document, token)
  }

  async function refuseStale(document: OpenDocument, token: CancellationToken): Promise<Checked> {
    const cancelled = () =>
      new library.ResponseError(library.LSPErrorCodes.RequestCancelled, 'The request was cancelled.')
    if (token.isCancellationRequested) throw cancelled()
    const { promise, stop } = makeCancellation(token, cancelled)
    try {
      return await Promise.race([documents.check(document), promise])
    } catch (error) {
      if (!(error instanceof Error && error.name === 'AbortError')) throw error
      // The text it was asked about is gone: the client asks again.
      throw new library.ResponseError(library.LSPErrorCodes.ServerCancelled, 'The text has changed.', {
        retriggerRequest: true,
      })
    } finally {
      stop()
    }
  }
}

/** A promise that rejects when the client takes its request back. */
function makeCancellation(token: CancellationToken, makeError: () => Error) {
  let stop = () => {}
  const promise = new Promise<never>((_, reject) => {
    const listening = token.onCancellationRequested(() => reject(makeError()))
    stop = () => listening.dispose()
  })
  return { promise, stop: () => stop() }
}

/** The innermost folder of the client around a file. */
function findFolder(folders: readonly string[], file: string): string | undefined {
  return folders
    .filter(folder => file.startsWith(folder.endsWith('/') ? folder : `${folder}/`))
    .sort((a, b) => b.length - a.length)[0]
}

function listFolders({ workspaceFolders, rootUri, rootPath }: InitializeParams): string[] {
  const uris =
    workspaceFolders?.map(({ uri }) => uri) ?? (rootUri ? [rootUri] : rootPath ? [pathToFileURL(rootPath).href] : [])
  return uris.flatMap(uri => toFile(uri) ?? [])
}
