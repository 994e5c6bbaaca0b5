import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { OPERATIONS } from '../../../engine/door/operations.gen.ts'
import { loadSchemas } from '../../../engine/door/schemas.ts'
import { write } from '../../made/folder.ts'
import { project } from '../../made/project.ts'
import { post, problem, startServer } from '../../surfaces/rest/server-under-test.ts'

const KEY = 's3cret'
const git = (root: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@localhost', ...args], { cwd: root, stdio: 'pipe' })

/** A server on a repository whose last commit weakens its gate; kim may agree to that. */
async function served({ key }: { key?: string } = { key: KEY }) {
  const root = project({
    '.gitignore': 'out/\n.svc/local/\n',
    '.svc/config.yaml': 'gate:\n  fail_on: [critical, high]\n  trusted: [kim]\n',
    'a.txt': 'fine\n',
  })
  write(root, { '.svc/config.yaml': 'gate:\n  fail_on: [critical]\n  trusted: [kim, mallory]\n' })
  git(root, 'commit', '-qam', 'weaken')
  const { base } = await startServer({ rows: OPERATIONS, schemas: loadSchemas, cwd: root, ...(key && { key }) })
  const body = { repo_path: '.', git_range: 'HEAD~1..HEAD' }
  return (more: object, headers: Record<string, string> = { authorization: `Bearer ${KEY}` }) =>
    post(`${base}/gate`, { ...body, ...more }, { headers })
}

test('POST /gate takes reviewed_by from whoever has the key of the server, and the base says who counts', async () => {
  const send = await served()
  const passed = async (more: object) => ((await (await send(more)).json()) as { passed: boolean }).passed
  expect(await passed({})).toBe(false)
  expect(await passed({ reviewed_by: ['mallory'] })).toBe(false)
  expect(await passed({ reviewed_by: ['kim'] })).toBe(true)
})

test('POST /gate refuses reviewed_by without the key, and from an agent by its credential', async () => {
  const send = await served()
  expect((await problem(await send({ reviewed_by: ['kim'] }, {}))).status).toBe(401)
  const agent = { authorization: `Bearer ${KEY}`, 'x-agent-key': `svc_agent_${'a'.repeat(43)}` }
  const refused = await send({ reviewed_by: ['kim'] }, agent)
  expect([refused.status, ((await refused.json()) as { code: string }).code]).toEqual([403, 'FORBIDDEN'])
})

test('POST /gate refuses reviewed_by on a server without a key: nothing tells who asks', async () => {
  const send = await served({})
  const refused = await problem(await send({ reviewed_by: ['kim'] }, {}))
  expect([refused.status, refused.code]).toEqual([403, 'FORBIDDEN'])
  expect((await send({}, {})).status).toBe(200)
})
