import type { InitializeParams } from 'vscode-languageserver/node'
import type { Encoding } from './open-text.ts'

/** What a client can do, as far as it matters here. */
export interface Client {
  encoding: Encoding
  /** It asks for diagnostics (LSP 3.17); others are sent them. */
  pulls: boolean
  refreshesDiagnostics: boolean
  refreshesLenses: boolean
  watches: boolean
  hasFolders: boolean
  configures: boolean
  /** A code action's edit may come when it is chosen. */
  resolvesActions: boolean
  /** Edits may name the version of the text that they are for. */
  versionsEdits: boolean
  hoversMarkdown: boolean
  showsDocuments: boolean
  showsProgress: boolean
}

/** Reads what the client says of itself. UTF-8 is used where the client prefers it, UTF-16 (which every client has) else. */
export function readClient({ capabilities: { general, textDocument, workspace, window } }: InitializeParams): Client {
  const { diagnostic, codeAction, hover } = textDocument ?? {}
  return {
    encoding:
      general?.positionEncodings?.find(name => name === 'utf-8' || name === 'utf-16') === 'utf-8' ? 'utf-8' : 'utf-16',
    pulls: diagnostic !== undefined,
    refreshesDiagnostics: workspace?.diagnostics?.refreshSupport === true,
    refreshesLenses: workspace?.codeLens?.refreshSupport === true,
    watches: workspace?.didChangeWatchedFiles?.dynamicRegistration === true,
    hasFolders: workspace?.workspaceFolders === true,
    configures: workspace?.configuration === true,
    resolvesActions:
      codeAction?.dataSupport === true && codeAction.resolveSupport?.properties.includes('edit') === true,
    versionsEdits: workspace?.workspaceEdit?.documentChanges === true,
    hoversMarkdown: hover?.contentFormat?.includes('markdown') === true,
    showsDocuments: window?.showDocument?.support === true,
    showsProgress: window?.workDoneProgress === true,
  }
}
