// A file of its own in the build, loaded where the language server runs.
export {
  createConnection,
  DidChangeWatchedFilesNotification,
  LSPErrorCodes,
  MessageType,
  ResponseError,
  TextDocumentSyncKind,
} from 'vscode-languageserver/node'
