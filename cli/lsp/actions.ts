import type {
  CancellationToken,
  CodeAction,
  Command,
  MessageType,
  Range,
  TextEdit,
  WorkDoneProgressReporter,
  WorkspaceEdit,
} from 'vscode-languageserver/node'
import { type EngineError, toEngineError } from '../../engine/base/errors.ts'
import type { Finding } from '../../engine/base/records/finding.ts'
import { invoke } from '../../engine/door/invoke.ts'
import type { Client } from './client.ts'
import { listHidden } from './describe.ts'
import { overlaps } from './diagnostics.ts'
import { type Checked, type Documents, type OpenDocument, toFile } from './documents.ts'
import { makeAllFixEdits, makeFixEdits, makeSuppression } from './edits.ts'
import type { SessionOptions } from './session.ts'

/** Commands that a client may execute; docs/editors.md has their arguments. */
export const COMMANDS = [
  'svc.fix',
  'svc.suppress',
  'svc.explain',
  'svc.openRule',
  'svc.scanWorkspace',
  'svc.showHidden',
  'svc.reload',
] as const

/** Reasons that a suppression is offered with; any other goes through the command. */
const REASONS = ['false positive', 'accepted risk', 'test or example only']

/** A fix or a suppression that has not been asked permission for yet. */
interface Intended {
  kind: 'fix' | 'suppress'
  uri: string
  /** The finding's. */
  id: string
  reason?: string
}

/** What a command has beside its arguments. */
interface Execution {
  token: CancellationToken
  progress: WorkDoneProgressReporter
  folders: readonly string[]
  reload: () => void
}

type Options = Omit<SessionOptions, 'checkers'> & { documents: Documents }

/** Code actions and commands. Each edit is permitted by the guard before the editor gets it. */
export class Actions {
  readonly #options: Options
  readonly #client: () => Client

  constructor(options: Options, client: () => Client) {
    this.#options = options
    this.#client = client
  }

  /** The actions for the open findings in a range. */
  list(
    { text, place }: OpenDocument,
    checked: Checked,
    range: Range,
    only: readonly string[] | undefined,
  ): CodeAction[] {
    const wants = (kind: string) =>
      only === undefined || only.some(each => kind === each || kind.startsWith(`${each}.`))
    const { uri } = text
    const open = checked.shown.filter(({ finding }) => finding.status === 'open')
    const actions: CodeAction[] = []
    if (wants('quickfix'))
      for (const { finding } of open.filter(each => overlaps(each.range, range))) {
        const { id, rule_id, title } = finding
        const diagnostics = checked.diagnostics.filter(({ data }) => data?.id === id)
        const offer = (label: string, intended: Intended, more: Partial<CodeAction> = {}) =>
          actions.push({ title: label, kind: 'quickfix', diagnostics, ...more, ...this.#defer(label, intended) })
        if (finding.fix) offer(`Fix: ${title}`, { kind: 'fix', uri, id }, { isPreferred: true })
        for (const reason of REASONS) offer(`Suppress ${rule_id}: ${reason}`, { kind: 'suppress', uri, id, reason })
        actions.push({ title: `Explain ${rule_id}`, kind: 'quickfix', diagnostics, command: explain(rule_id) })
        if (place.checker.describe(rule_id)?.href !== undefined) {
          const command = { title: 'Open the rule page', command: 'svc.openRule', arguments: [uri, rule_id] }
          actions.push({ title: `Open the page of ${rule_id}`, kind: 'quickfix', diagnostics, command })
        }
      }
    const fixable = open.filter(({ finding }) => finding.fix)
    if (fixable.length > 0 && only?.some(each => 'source.fixAll.svc'.startsWith(each))) {
      const title = 'Fix all findings that svc can fix'
      actions.push({ title, kind: 'source.fixAll.svc', ...this.#defer(title, { kind: 'fix', uri, id: '*' }) })
    }
    return actions
  }

  /** Permission and edit come when the action is chosen: as its edit, or by a command that sends the edit. */
  #defer(title: string, intended: Intended): Pick<CodeAction, 'data' | 'command'> {
    if (this.#client().resolvesActions) return { data: intended }
    const { kind, uri, id, reason } = intended
    return { command: { title, command: `svc.${kind}`, arguments: [uri, id, ...(reason ? [reason] : [])] } }
  }

  /** Adds the edit to an action that was chosen. Rejects with what the guard says where it does not permit it. */
  async resolve(action: CodeAction): Promise<CodeAction> {
    if (!isIntended(action.data)) return action
    return { ...action, edit: await this.#permit(action.data) }
  }

  async execute(command: string, words: readonly unknown[], execution: Execution): Promise<unknown> {
    const [uri, id, reason] = words.map(word => (typeof word === 'string' ? word : ''))
    if (command === 'svc.fix' && uri && id) return this.#apply({ kind: 'fix', uri, id })
    if (command === 'svc.suppress' && uri && id) return this.#apply({ kind: 'suppress', uri, id, reason: reason ?? '' })
    if (command === 'svc.explain' && uri) return this.#explain(uri)
    if (command === 'svc.openRule' && uri && id) return this.#openRule(uri, id)
    if (command === 'svc.showHidden' && uri) return this.#showHidden(uri)
    if (command === 'svc.scanWorkspace') return this.#scan(execution)
    if (command === 'svc.reload') return execution.reload()
    throw this.#refuse(`There is no command ${command} with these arguments.`)
  }

  async #apply(intended: Intended): Promise<boolean> {
    const edit = await this.#permit(intended)
    const { applied } = await this.#options.connection.workspace.applyEdit({ label: `svc: ${intended.kind}`, edit })
    return applied
  }

  /** The edit, once the guard has permitted it. */
  async #permit(intended: Intended): Promise<WorkspaceEdit> {
    const { documents } = this.#options
    const document = documents.get(intended.uri)
    if (!document) throw this.#refuse('The file is not open any more.')
    const { version } = document.text
    const checked = await documents.check(document)
    const { id, kind, reason } = intended
    const meant = checked.verdict.findings.filter(
      finding => finding.status === 'open' && (id === '*' ? finding.fix !== undefined : finding.id === id),
    )
    if (meant.length === 0) throw this.#refuse('The finding is not there any more.')
    if (kind === 'suppress' && !reason?.trim()) throw this.#refuse('A suppression needs a reason.')
    try {
      for (const finding of meant) await this.#ask(document, finding, intended)
    } catch (error) {
      throw this.#refuse(describe(toEngineError(error)))
    }
    const edits = await this.#makeEdits(document, meant, intended)
    if (edits.length === 0) throw this.#refuse(NO_COMMENT)
    if (document.text.version !== version) throw this.#refuse('The text has changed meanwhile.')
    const { uri } = intended
    return this.#client().versionsEdits
      ? { documentChanges: [{ textDocument: { uri, version }, edits }] }
      : { changes: { [uri]: edits } }
  }

  async #makeEdits(
    document: OpenDocument,
    meant: readonly Finding[],
    { kind, reason, id }: Intended,
  ): Promise<TextEdit[]> {
    if (kind === 'fix')
      return id === '*' ? makeAllFixEdits(meant, document.text) : makeFixEdits(meant[0]!, document.text)
    // A line break would end the comment.
    const line = reason!.replace(/\s+/g, ' ').trim()
    const edit = await makeSuppression(document, meant[0]!, line, this.#options.context.signal)
    return edit ? [edit] : []
  }

  /** Throws where the guard does not permit the edit. */
  async #ask({ place }: OpenDocument, { rule_id, severity }: Finding, { kind, reason }: Intended): Promise<void> {
    const fix = kind === 'fix'
    const input = { file_path: place.path, fix, rule: rule_id, severity, ...(!fix && { reason }) }
    await this.#invoke('fixes.edit', input, place.checker.root)
  }

  async #invoke(id: string, input: unknown, cwd: string, more: Partial<Options['context']> = {}) {
    const { operations, schemas, context } = this.#options
    const row = operations.find(each => each.id === id)
    if (!row) throw new Error(`no operation ${id}`)
    return invoke(row, input, { ...context, cwd, ...more }, schemas)
  }

  async #explain(rule_id: string): Promise<string> {
    const { context } = this.#options
    const { output, operation } = await this.#invoke('rules.explain', { rule_id }, context.cwd)
    const { title, message, remediation } = output as { title: string; message: string; remediation: string }
    this.#tell(`${title}. ${message} ${remediation.trimEnd()}`)
    return operation.text(output as never, { verbose: false, quiet: false, width: 100, paint: (_, text) => text })
  }

  async #openRule(uri: string, rule_id: string): Promise<boolean> {
    const { documents, connection } = this.#options
    const href = documents.get(uri)?.place.checker.describe(rule_id)?.href
    if (href === undefined) throw this.#refuse(`${rule_id} has no page.`)
    if (this.#client().showsDocuments)
      return (await connection.window.showDocument({ uri: href, external: true })).success
    this.#tell(href)
    return true
  }

  async #showHidden(uri: string): Promise<string> {
    const { documents } = this.#options
    const document = documents.get(uri)
    const list = document ? listHidden(await documents.check(document)) : ''
    if (list !== '') this.#tell(list)
    return list
  }

  /** Scans the workspace's folders as `svc scan` does, with progress, and says what came out. */
  async #scan({ token, progress, folders }: Execution): Promise<string> {
    const { context } = this.#options
    const abort = new AbortController()
    const listening = token.onCancellationRequested(() => abort.abort())
    const signal = AbortSignal.any([context.signal, abort.signal])
    progress.begin('svc scan', 0, undefined, true)
    const said: string[] = []
    try {
      for (const folder of folders.length > 0 ? folders : [context.cwd]) {
        const { output, operation } = await this.#invoke('scan.run', { repo_path: '.' }, folder, {
          signal,
          emit: event => {
            if (event.type !== 'progress' || event.progress.total === 0) return
            const { done, total } = event.progress
            progress.report(Math.floor((100 * done) / total), `${done} of ${total} files`)
          },
        })
        const view = { verbose: false, quiet: true, width: 100, paint: (_: unknown, text: string) => text }
        said.push(operation.text(output as never, view))
      }
    } catch (error) {
      throw this.#refuse(describe(toEngineError(error)))
    } finally {
      listening.dispose()
      progress.done()
    }
    this.#tell(`svc scan: ${said.map(text => text.split('\n')[0]).join(' ')}`)
    return said.join('\n')
  }

  /** A notification: the library's own methods ask a question, which a client may refuse. */
  #tell(message: string, type: MessageType = this.#options.library.MessageType.Info): void {
    void this.#options.connection.sendNotification('window/showMessage', { type, message })
  }

  /** Tells the user, since clients show errors of requests in different ways or not at all. */
  #refuse(text: string): Error {
    const { library } = this.#options
    this.#tell(`svc: ${text}`, library.MessageType.Warning)
    return new library.ResponseError(library.LSPErrorCodes.RequestFailed, text)
  }
}

const NO_COMMENT =
  'No comment can suppress this finding here. Suppress it by file: svc suppress --rule … --file … --reason ….'

function describe({ message, hint }: EngineError): string {
  return hint === undefined ? message : `${message} ${hint}`
}

function explain(rule_id: string): Command {
  return { title: `Explain ${rule_id}`, command: 'svc.explain', arguments: [rule_id] }
}

function isIntended(data: unknown): data is Intended {
  const { kind, uri, id } = (data ?? {}) as Partial<Intended>
  return (
    (kind === 'fix' || kind === 'suppress') &&
    typeof uri === 'string' &&
    toFile(uri) !== undefined &&
    typeof id === 'string'
  )
}
