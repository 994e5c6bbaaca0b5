import { writeFileSync } from 'node:fs'
import { afterEach, describe, expect, it } from 'vitest'
import type {
  CodeAction,
  CodeLens,
  Hover,
  TextDocumentEdit,
  TextEdit,
  WorkspaceEdit,
} from 'vscode-languageserver-protocol/node'
import { project } from '../../made/project.ts'
import { LspClient, PULLING, PUSHED } from './client.ts'

const LOAD = 'yaml.load(text, Loader=yaml.Loader)'
const UNSAFE = `import yaml\n\ndef read(text):\n    return ${LOAD}\n`
const RULE = 'python-yaml-unsafe-load'
let client: LspClient

afterEach(() => {
  client?.process.kill('SIGKILL')
})

/** The edits of one file's text. */
function listEdits(edit: WorkspaceEdit | undefined): TextEdit[] {
  return (edit!.documentChanges as TextDocumentEdit[])[0]!.edits as TextEdit[]
}

const toChanges = (edits: readonly TextEdit[]) => edits.map(({ range, newText }) => ({ range, text: newText }))

const codes = (items: readonly { code?: unknown }[]) => items.map(({ code }) => code)

describe('svc lsp-server', () => {
  it('answers a client that asks for diagnostics, pushes none, and ends with 0 after shutdown', async () => {
    client = await LspClient.start(project({ 'src/a.py': 'a = 1\n' }))
    expect(client.result.capabilities.diagnosticProvider).toMatchObject({ identifier: 'svc' })
    await client.open('src/a.py', UNSAFE)
    const [found] = await client.diagnostics('src/a.py')
    expect(found).toMatchObject({ source: 'svc', code: RULE, range: { start: { line: 3 } } })
    expect(found!.codeDescription!.href).toMatch(/^https:/)
    expect(client.pushed).toEqual([])
    expect(await client.stop()).toBe(0)
  })

  it('pushes diagnostics with their version to a client that does not ask, and takes them back on close', async () => {
    client = await LspClient.start(project({ 'a.py': '' }), PUSHED)
    expect(client.result.capabilities.diagnosticProvider).toBeUndefined()
    await client.open('a.py', UNSAFE)
    expect(codes(await client.awaitPush('a.py', 1))).toEqual([RULE])
    await client.change('a.py', 2, [{ text: 'b = 2\n' }])
    expect(await client.awaitPush('a.py', 2)).toEqual([])
    await client.close('a.py')
    await client.connection.sendRequest('shutdown')
    expect(client.pushed.at(-1)).toEqual({ uri: client.uri('a.py'), diagnostics: [] })
  })

  it('judges what is typed, not what is on disk', async () => {
    client = await LspClient.start(project({ 'a.py': UNSAFE }))
    await client.open('a.py', 'a = 1\n')
    expect(await client.diagnostics('a.py')).toEqual([])
  })

  it('judges a file that is not on disk yet', async () => {
    client = await LspClient.start(project({ 'a.py': '' }))
    await client.open('src/new.py', UNSAFE)
    expect(codes(await client.diagnostics('src/new.py'))).toEqual([RULE])
  })

  it('says unchanged for the same diagnostics', async () => {
    client = await LspClient.start(project({ 'a.py': '' }))
    await client.open('a.py', UNSAFE)
    const first = await client.pull('a.py')
    await client.change('a.py', 2, [{ text: `${UNSAFE}# more\n` }])
    expect(await client.pull('a.py', first.resultId)).toEqual({ kind: 'unchanged', resultId: first.resultId })
  })

  it('applies a change of a part at the right place behind characters beyond the basic plane', async () => {
    for (const encoding of ['utf-8', 'utf-16'] as const) {
      const capabilities = { ...PULLING, general: { positionEncodings: [encoding] } }
      client = await LspClient.start(project({ 'a.py': '' }), capabilities)
      expect(client.result.capabilities.positionEncoding).toBe(encoding)
      const start = 's = "😀é"; '
      await client.open('a.py', `import yaml\n${start}xaml.load(t, Loader=yaml.Loader)\n`)
      const character = encoding === 'utf-8' ? Buffer.byteLength(start) : start.length
      const range = { start: { line: 1, character }, end: { line: 1, character: character + 1 } }
      await client.change('a.py', 2, [{ range, text: 'y' }])
      const [found] = await client.diagnostics('a.py')
      expect(found).toMatchObject({ code: RULE, range: { start: { line: 1, character } } })
      await client.stop()
    }
  })

  it('shows the weakness and how to fix it on hover', async () => {
    client = await LspClient.start(project({ 'a.py': '' }))
    await client.open('a.py', UNSAFE)
    const hover = await client.request<Hover>('textDocument/hover', 'a.py', {
      position: { line: 3, character: 14 },
    })
    const { value } = hover.contents as { value: string }
    expect(value).toContain(RULE)
    expect(value).toContain('CWE-502')
    expect(value).toContain('How to fix')
    expect(await client.request('textDocument/hover', 'a.py', { position: { line: 0, character: 0 } })).toBeNull()
  })

  it('suppresses with a reason by an edit after which the finding counts as suppressed', async () => {
    client = await LspClient.start(project({ 'a.py': '' }))
    await client.open('a.py', UNSAFE)
    const range = (await client.diagnostics('a.py'))[0]!.range
    const actions = await client.request<CodeAction[]>('textDocument/codeAction', 'a.py', {
      range,
      context: { diagnostics: [] },
    })
    const chosen = actions.find(({ title }) => title.startsWith('Suppress') && title.includes('accepted risk'))!
    expect(chosen.edit).toBeUndefined()
    const { edit } = await client.connection.sendRequest<CodeAction>('codeAction/resolve', chosen)
    const edits = listEdits(edit)
    expect(edits[0]!.newText).toContain(`svc-ignore: ${RULE} -- accepted risk`)
    await client.change('a.py', 2, toChanges(edits))
    expect(await client.diagnostics('a.py')).toEqual([])
    const lenses = await client.request<CodeLens[]>('textDocument/codeLens', 'a.py')
    expect(lenses.map(({ command }) => command!.title)).toEqual(['svc: 1 suppressed'])
  })

  it('offers a certain fix, and the finding is gone after it', async () => {
    client = await LspClient.start(project({ 'a.py': '' }))
    await client.open('a.py', UNSAFE)
    const found = await client.diagnostics('a.py')
    const actions = await client.request<CodeAction[]>('textDocument/codeAction', 'a.py', {
      range: found[0]!.range,
      context: { diagnostics: found },
    })
    const fix = actions.find(({ isPreferred }) => isPreferred)!
    const { edit } = await client.connection.sendRequest<CodeAction>('codeAction/resolve', fix)
    await client.change('a.py', 2, toChanges(listEdits(edit)))
    expect(codes(await client.diagnostics('a.py'))).not.toContain(found[0]!.code)
  })

  it('refuses an agent that suppresses, and says why', async () => {
    client = await LspClient.start(project({ 'a.py': '' }), PULLING, { CLAUDECODE: '1' })
    await client.open('a.py', UNSAFE)
    const { data } = (await client.diagnostics('a.py'))[0]!
    const intended = { kind: 'suppress', uri: client.uri('a.py'), id: data.id, reason: 'accepted risk' }
    await expect(client.connection.sendRequest('codeAction/resolve', { title: 'x', data: intended })).rejects.toThrow(
      /agent/,
    )
  })

  it('counts with settings that change while a file is open', async () => {
    const root = project({ 'a.py': '', '.svc/config.yaml': 'scan_exclude: []\n' })
    client = await LspClient.start(root)
    await client.open('a.py', UNSAFE)
    expect(codes(await client.diagnostics('a.py'))).toEqual([RULE])
    writeFileSync(`${root}/.svc/config.yaml`, `packs:\n  overrides:\n    ${RULE}:\n      enabled: false\n`)
    expect(await client.diagnostics('a.py')).toEqual([])
    writeFileSync(`${root}/.svc/config.yaml`, 'packs: [\n')
    expect(await client.diagnostics('a.py')).toMatchObject([{ code: 'CONFIG_INVALID', source: 'svc', severity: 1 }])
  })

  it('cancels a request that the client takes back, and goes on', async () => {
    client = await LspClient.start(project({ 'a.py': '' }))
    await client.open('a.py', UNSAFE)
    const asked = client.pull('a.py')
    await client.change('a.py', 2, [{ text: 'c = 3\n' }])
    await expect(asked).rejects.toMatchObject({ code: -32802 })
    expect(await client.diagnostics('a.py')).toEqual([])
  })

  it('ends when its client has gone without a word', async () => {
    client = await LspClient.start(project({ 'a.py': '' }))
    client.process.stdin!.end()
    expect(await client.exited).toBe(1)
  })
})
