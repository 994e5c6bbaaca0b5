import { existsSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import type { ApplyWorkspaceEditParams, CodeLens, TextDocumentEdit } from 'vscode-languageserver-protocol/node'
import { folder } from '../../made/folder.ts'
import { project } from '../../made/project.ts'
import { LspClient, PULLING, PUSHED } from './client.ts'

const UNSAFE = 'import yaml\n\ndef read(text):\n    return yaml.load(text, Loader=yaml.Loader)\n'
const RULE = 'python-yaml-unsafe-load'
const OFF = `packs:\n  overrides:\n    ${RULE}:\n      enabled: false\n`
let client: LspClient

afterEach(() => {
  client?.process.kill('SIGKILL')
})

const codes = (items: readonly { code?: unknown }[]) => items.map(({ code }) => code)

/** Answers questions about `svc.enable` per document, off for paths that end so; lists the documents asked about. */
function answerSettings(isOff: (uri: string) => boolean): string[] {
  const asked: string[] = []
  client.connection.onRequest('workspace/configuration', ({ items }: { items: { scopeUri: string }[] }) =>
    items.map(({ scopeUri }) => {
      asked.push(scopeUri)
      return { enable: !isOff(scopeUri) }
    }),
  )
  return asked
}

describe('svc lsp-server in a workspace', () => {
  it('asks for the settings of each document once while it is open, again when it is opened again or they change', async () => {
    const capabilities = { ...PULLING, workspace: { ...PULLING.workspace, configuration: true } }
    client = await LspClient.start(project({ 'on/a.py': '', 'off/a.py': '' }), capabilities)
    let isAllOff = false
    const asked = answerSettings(uri => isAllOff || uri.includes('/off/'))
    for (const path of ['on/a.py', 'off/a.py']) await client.open(path, UNSAFE)
    expect(codes(await client.diagnostics('on/a.py'))).toEqual([RULE])
    expect(await client.diagnostics('off/a.py')).toEqual([])
    await client.diagnostics('on/a.py')
    expect(asked).toEqual([client.uri('on/a.py'), client.uri('off/a.py')])
    await client.close('on/a.py')
    await client.open('on/a.py', UNSAFE)
    await client.diagnostics('on/a.py')
    expect(asked.slice(2)).toEqual([client.uri('on/a.py')])
    isAllOff = true
    await client.connection.sendNotification('workspace/didChangeConfiguration', { settings: null })
    expect(await client.diagnostics('on/a.py')).toEqual([])
  })

  it('has the files watched that decide how others are judged, and pushes anew when one changes', async () => {
    const capabilities = { ...PUSHED, workspace: { didChangeWatchedFiles: { dynamicRegistration: true } } }
    const root = project({ 'a.py': '', '.svc/config.yaml': 'scan_exclude: []\n' })
    client = await LspClient.start(root, capabilities)
    const registered = new Promise<unknown>(resolve => {
      client.connection.onRequest('client/registerCapability', params => void resolve(params))
    })
    expect(JSON.stringify(await registered)).toContain('"**/.svc/**"')
    await client.open('a.py', UNSAFE)
    expect(codes(await client.awaitPush('a.py', 1))).toEqual([RULE])
    client.pushed.length = 0
    writeFileSync(join(root, '.svc/config.yaml'), OFF)
    const changes = [{ uri: client.uri('.svc/config.yaml'), type: 2 }]
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes })
    expect(await client.awaitPush('a.py', 1)).toEqual([])
  })

  it('asks a client that pulls to ask again when a watched file changes', async () => {
    const capabilities = { ...PULLING, workspace: { ...PULLING.workspace, diagnostics: { refreshSupport: true } } }
    client = await LspClient.start(project({ 'a.py': '' }), capabilities)
    const refreshed = new Promise<void>(resolve => {
      client.connection.onRequest('workspace/diagnostic/refresh', () => resolve())
    })
    const changes = [{ uri: client.uri('.gitignore'), type: 1 }]
    await client.connection.sendNotification('workspace/didChangeWatchedFiles', { changes })
    await refreshed
  })

  it('judges each file by the settings of its own folder, those of one that is added too', async () => {
    const root = project({ 'a.py': '', 'quiet/a.py': '', 'quiet/.svc/config.yaml': OFF })
    const other = folder({ 'a.py': '', '.svc/config.yaml': OFF })
    client = await LspClient.start(root)
    const added = { uri: pathToFileURL(other).href, name: 'other' }
    await client.connection.sendNotification('workspace/didChangeWorkspaceFolders', {
      event: { added: [added], removed: [] },
    })
    const there = relative(root, join(other, 'a.py'))
    for (const path of ['a.py', 'quiet/a.py', there]) await client.open(path, UNSAFE)
    expect(codes(await client.diagnostics('a.py'))).toEqual([RULE])
    expect(await client.diagnostics('quiet/a.py')).toEqual([])
    expect(await client.diagnostics(there)).toEqual([])
  })

  it('shows the steps of a data flow as related locations, in order', async () => {
    client = await LspClient.start(project({ 'a.py': '' }))
    const code = [
      'from flask import Flask, request',
      'app = Flask(__name__)',
      '@app.route("/")',
      'def run():',
      '    text = request.args.get("text")',
      '    return str(eval(text))',
      '',
    ]
    await client.open('a.py', code.join('\n'))
    const [found] = await client.diagnostics('a.py')
    const steps = found!.relatedInformation!
    expect(steps.map(({ location }) => location.uri)).toEqual(steps.map(() => client.uri('a.py')))
    expect(steps[0]!.location.range.start.line).toBe(4)
    expect(steps.at(-1)!.location.range.start.line).toBe(5)
    expect(found!.range.start.line).toBe(5)
  })

  it('executes each of its commands', async () => {
    const root = project({ 'a.py': UNSAFE })
    client = await LspClient.start(root, { ...PULLING, window: { showDocument: { support: true } } })
    const edits: ApplyWorkspaceEditParams[] = []
    client.connection.onRequest('workspace/applyEdit', (params: ApplyWorkspaceEditParams) => {
      edits.push(params)
      return { applied: true }
    })
    const opened: string[] = []
    client.connection.onRequest('window/showDocument', ({ uri }: { uri: string }) => {
      opened.push(uri)
      return { success: true }
    })
    const execute = (command: string, ...words: string[]) =>
      client.connection.sendRequest('workspace/executeCommand', { command, arguments: words })
    const uri = client.uri('a.py')
    await client.open('a.py', UNSAFE)
    const [found] = await client.diagnostics('a.py')
    const id: string = found!.data.id
    const offered = client.result.capabilities.executeCommandProvider!.commands

    expect(await execute('svc.fix', uri, id)).toBe(true)
    expect(await execute('svc.suppress', uri, id, 'read from our own disk')).toBe(true)
    const texts = edits.map(({ edit }) =>
      (edit.documentChanges as TextDocumentEdit[])[0]!.edits.map(each => (each as { newText: string }).newText).join(),
    )
    expect(texts[0]).toMatch(/[sS]afe/)
    expect(texts[1]).toContain(`svc-ignore: ${RULE} -- read from our own disk`)
    expect(await execute('svc.explain', RULE)).toContain(RULE)
    expect(client.shown).toHaveLength(1)
    expect(await execute('svc.openRule', uri, RULE)).toBe(true)
    expect(opened).toEqual([found!.codeDescription!.href])
    expect(await execute('svc.scanWorkspace')).toContain('1')
    expect(existsSync(join(root, 'out/findings.json'))).toBe(true)
    await execute('svc.reload')
    await client.change('a.py', 2, [{ text: UNSAFE.replace('Loader)\n', `Loader)  ${texts[1]!.trim()}\n`) }])
    expect(await client.diagnostics('a.py')).toEqual([])
    const lenses = await client.request<CodeLens[]>('textDocument/codeLens', 'a.py')
    expect(lenses.map(({ command }) => command!.command)).toEqual(['svc.showHidden'])
    expect(await execute('svc.showHidden', uri)).toContain('read from our own disk')
    await expect(execute('svc.fix', uri)).rejects.toThrow('svc.fix')
    await expect(execute('svc.fix', uri, id)).rejects.toThrow('not there any more')
    const tried = ['svc.fix', 'svc.suppress', 'svc.explain', 'svc.openRule', 'svc.scanWorkspace', 'svc.showHidden']
    expect([...offered].sort()).toEqual([...tried, 'svc.reload'].sort())
  })

  it('keeps what anything else prints out of the messages', async () => {
    const print = `const own = process.stdout.write
      const timer = setInterval(() => {
        if (process.stdout.write === own) return
        clearInterval(timer)
        console.log('stray')
        process.stdout.write('Content-Length: 5\\r\\n')
      }, 1)`
    const preload = join(folder({ 'print.mjs': print }), 'print.mjs')
    client = await LspClient.start(project({ 'a.py': '' }), PULLING, {
      NODE_OPTIONS: `--import ${pathToFileURL(preload).href}`,
    })
    await client.open('a.py', UNSAFE)
    expect(codes(await client.diagnostics('a.py'))).toEqual([RULE])
    await expect.poll(() => client.stderr).toContain('stray\nContent-Length')
    expect(await client.stop()).toBe(0)
  })
})
