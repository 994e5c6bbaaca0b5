import { type ChildProcess, spawn } from 'node:child_process'
import { fileURLToPath, pathToFileURL } from 'node:url'
import {
  type ClientCapabilities,
  createProtocolConnection,
  type Diagnostic,
  type DocumentDiagnosticReport,
  type InitializeResult,
  type ProtocolConnection,
  type PublishDiagnosticsParams,
  StreamMessageReader,
  StreamMessageWriter,
  type TextDocumentContentChangeEvent,
} from 'vscode-languageserver-protocol/node'
import { DIST } from '../../../engine/base/disk/assets.ts'

/** Capabilities of a client that asks for diagnostics. */
export const PULLING: ClientCapabilities = {
  general: { positionEncodings: ['utf-16'] },
  textDocument: {
    diagnostic: { relatedDocumentSupport: false },
    codeAction: { dataSupport: true, resolveSupport: { properties: ['edit'] } },
    hover: { contentFormat: ['markdown', 'plaintext'] },
    publishDiagnostics: { versionSupport: true, relatedInformation: true },
  },
  workspace: { workspaceEdit: { documentChanges: true }, workspaceFolders: true, applyEdit: true },
}

/** Capabilities of a client that is sent diagnostics. */
export const PUSHED: ClientCapabilities = { textDocument: { publishDiagnostics: { versionSupport: true } } }

/** `svc lsp-server` as a real program, and a client of it made with the protocol's own library. */
export class LspClient {
  readonly process: ChildProcess
  readonly connection: ProtocolConnection
  readonly root: string
  result!: InitializeResult
  /** What was pushed, in order. */
  readonly pushed: PublishDiagnosticsParams[] = []
  /** Messages that the user is shown. */
  readonly shown: string[] = []
  readonly exited: Promise<number | null>
  stderr = ''
  #onPush: (() => void) | undefined

  constructor(root: string, env: Record<string, string> = {}) {
    this.root = root
    this.process = spawn(process.execPath, [fileURLToPath(new URL('svc.js', DIST)), 'lsp-server', '--stdio'], {
      cwd: root,
      env: { ...process.env, ...env },
    })
    this.exited = new Promise(resolve => this.process.once('exit', resolve))
    this.process.stderr!.on('data', chunk => {
      this.stderr += chunk
    })
    this.connection = createProtocolConnection(
      new StreamMessageReader(this.process.stdout!),
      new StreamMessageWriter(this.process.stdin!),
    )
    this.connection.onNotification('textDocument/publishDiagnostics', (params: PublishDiagnosticsParams) => {
      this.pushed.push(params)
      this.#onPush?.()
    })
    this.connection.onNotification('window/showMessage', ({ message }: { message: string }) => {
      this.shown.push(message)
    })
    this.connection.listen()
  }

  /** Starts a server in a directory, as a client with these capabilities. */
  static async start(
    root: string,
    capabilities: ClientCapabilities = PULLING,
    env: Record<string, string> = {},
  ): Promise<LspClient> {
    const client = new LspClient(root, env)
    const uri = pathToFileURL(root).href
    client.result = await client.connection.sendRequest('initialize', {
      processId: process.pid,
      rootUri: uri,
      workspaceFolders: [{ uri, name: 'root' }],
      capabilities,
    })
    await client.connection.sendNotification('initialized', {})
    return client
  }

  uri(path: string): string {
    return pathToFileURL(`${this.root}/${path}`).href
  }

  open(path: string, text: string, version = 1): Promise<void> {
    const textDocument = { uri: this.uri(path), languageId: 'plaintext', version, text }
    return this.connection.sendNotification('textDocument/didOpen', { textDocument })
  }

  change(path: string, version: number, contentChanges: TextDocumentContentChangeEvent[]): Promise<void> {
    const textDocument = { uri: this.uri(path), version }
    return this.connection.sendNotification('textDocument/didChange', { textDocument, contentChanges })
  }

  close(path: string): Promise<void> {
    return this.connection.sendNotification('textDocument/didClose', { textDocument: { uri: this.uri(path) } })
  }

  pull(path: string, previousResultId?: string): Promise<DocumentDiagnosticReport> {
    return this.connection.sendRequest('textDocument/diagnostic', {
      textDocument: { uri: this.uri(path) },
      identifier: 'svc',
      ...(previousResultId !== undefined && { previousResultId }),
    })
  }

  /** The diagnostics of a file's present text. */
  async diagnostics(path: string): Promise<Diagnostic[]> {
    const report = await this.pull(path)
    if (report.kind !== 'full') throw new Error(`not a full report: ${report.kind}`)
    return report.items
  }

  request<T>(method: string, path: string, more: Record<string, unknown> = {}): Promise<T> {
    return this.connection.sendRequest(method, { textDocument: { uri: this.uri(path) }, ...more })
  }

  /** The diagnostics pushed for a version of a file; waits for them. */
  async awaitPush(path: string, version: number): Promise<Diagnostic[]> {
    const find = () => this.pushed.findLast(each => each.uri === this.uri(path) && each.version === version)
    while (!find()) {
      await new Promise<void>(resolve => {
        this.#onPush = resolve
      })
    }
    return find()!.diagnostics
  }

  /** Ends the session as an editor does; answers the exit code. */
  async stop(): Promise<number | null> {
    await this.connection.sendRequest('shutdown')
    await this.connection.sendNotification('exit')
    const code = await this.exited
    this.connection.dispose()
    return code
  }
}
