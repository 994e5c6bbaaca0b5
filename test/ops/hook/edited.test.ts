import { join } from 'node:path'
import { expect, it } from 'vitest'
import edited from '../../../engine/ops/hook/edited.ts'
import { context } from '../../made/call.ts'
import { folder } from '../../made/folder.ts'

const run = (root: string, message: unknown) =>
  edited.run(
    {},
    { ...context(root), readStdin: async () => (typeof message === 'string' ? message : JSON.stringify(message)) },
  )
const message = (root: string, file: string) => ({
  ...{ hook_event_name: 'PostToolUse', tool_name: 'Write', cwd: root, session_id: '1' },
  tool_input: { file_path: join(root, file), content: '' },
})

it('tells the assistant of findings in the file that it edited, in its own protocol', async () => {
  const root = folder({ '.git/HEAD': '', 'a.py': 'eval(input())\n', 'b.py': 'eval(input())\n' })
  const output = await run(root, message(root, 'a.py'))
  expect([output.files, output.findings]).toEqual([['a.py'], 1])
  expect(JSON.parse(output.response)).toMatchObject({ decision: 'block', reason: expect.stringContaining('a.py:1') })
})

it('says nothing where nothing is found', async () => {
  const root = folder({ '.git/HEAD': '', 'a.py': 'print(1)\n' })
  const output = await run(root, message(root, 'a.py'))
  expect([output.findings, output.response, edited.exit!(output)]).toEqual([0, '', 0])
})

it('names what it did not scan: a message that it cannot parse', async () => {
  const root = folder({ '.git/HEAD': '' })
  const output = await run(root, 'no JSON')
  expect(output.not_scanned).toHaveLength(1)
})

it('takes a file as it is: names that it declares nowhere stand for nothing', async () => {
  const root = folder({ '.git/HEAD': '', 'a.js': 'eval(req.query.x)\neval(input)\n' })
  const output = await run(root, message(root, 'a.js'))
  expect([output.files, output.findings]).toEqual([['a.js'], 0])
})

it('names a file of which only severe patterns were searched among those that it did not wholly scan', async () => {
  const padded = `app.get("/",(req)=>{require("child_process").exec(req.query.x)});${'a[0]=b(c);'.repeat(500)}\n`
  const root = folder({ '.git/HEAD': '', 'a.js': padded })
  const notices: string[] = []
  const output = await edited.run(
    {},
    {
      ...context(root),
      readStdin: async () => JSON.stringify(message(root, 'a.js')),
      notice: (text: string) => notices.push(text),
    },
  )
  expect(output).toMatchObject({
    files: ['a.js'],
    not_scanned: [expect.stringMatching(/^a\.js: partly scanned: minified/)],
  })
  expect(notices.join('\n')).toContain('a.js')
})
