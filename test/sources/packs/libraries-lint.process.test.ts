import { expect, it } from 'vitest'
import { lintLibraries } from '../../../engine/sources/packs/lint/libraries.ts'
import { folder } from '../../ci/project.ts'
import { write } from '../../made/folder.ts'

const LIBRARY = `library: Acme
languages: [python]
sources: [{ kind: request, label: Acme argument, members: [acme.request.args] }]
sinks: [{ kind: shell, calls: [acme.shell.launch], arguments: [0] }]
sanitizers: [{ calls: [acme.shell.quote], for: [shell] }]
match: ["import acme, acme.shell\\ndef run():\\n    acme.shell.launch(acme.request.args)\\n"]
clean: ["import acme, acme.shell\\ndef run():\\n    acme.shell.launch(acme.shell.quote(acme.request.args))\\n"]
`
const CODE = 'from acme import request\nfrom acme.shell import launch\n\ndef run():\n    launch(request.args)\n'

async function lint(library: string, code: Record<string, string>) {
  const root = folder()
  write(root, { '.svc/libraries/acme.yaml': library, ...code })
  const context = { cwd: root, env: {}, signal: new AbortController().signal }
  return (await lintLibraries('.svc/libraries', root, context as never)).problems
}

it('names the entries that no file of the repository uses, of its own languages alone', async () => {
  expect(await lint(LIBRARY, { 'src/a.py': CODE, 'src/b.js': 'quote(1)\n' })).toMatchObject([
    {
      check: 'unused-entry',
      file: '.svc/libraries/acme.yaml',
      line: 5,
      message: expect.stringContaining('acme.shell.quote'),
    },
  ])
  expect(await lint(LIBRARY, { 'src/a.py': `${CODE}\n\nquote = 1\n` })).toEqual([])
})

it('names examples that fail, and files that are not valid', async () => {
  const broken = LIBRARY.replace('[acme.shell.quote]', '[acme.shell.other]')
  expect(await lint(broken, { 'src/a.py': `${CODE}\nother()\n` })).toMatchObject([{ check: 'example-broken' }])
  expect((await lint(`${LIBRARY}sink: []\n`, {}))[0]).toMatchObject({ check: 'invalid', line: 8 })
})
