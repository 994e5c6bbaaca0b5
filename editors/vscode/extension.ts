import { LanguageClient, TransportKind } from 'vscode-languageclient/node'

/** What the extension needs of VS Code's own module, which VS Code gives it. */
interface Editor {
  workspace: { getConfiguration(section: string): { get<T>(name: string): T | undefined } }
}

let client: LanguageClient | undefined

/** Starts `svc lsp-server`, which does all the rest. */
export async function activate(): Promise<void> {
  const { workspace } = (await import('vscode' as string)) as Editor
  const [command = 'svc', ...args] = workspace.getConfiguration('svc').get<string[]>('command') ?? []
  const named = args.length > 0 ? args : ['lsp-server']
  client = new LanguageClient(
    'svc',
    'svc',
    // `--stdio` is added by the client's library.
    { command, args: named.filter(word => word !== '--stdio'), transport: TransportKind.stdio },
    { documentSelector: [{ scheme: 'file' }] },
  )
  await client.start()
}

/** Ends the server with the window. */
export function deactivate(): Promise<void> | undefined {
  return client?.stop()
}
