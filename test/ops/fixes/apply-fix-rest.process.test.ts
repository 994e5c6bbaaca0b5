import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { OPERATIONS } from '../../../engine/door/operations.gen.ts'
import { loadSchemas } from '../../../engine/door/schemas.ts'
import { repository } from '../../made/project.ts'
import { post, problem, startServer } from '../../surfaces/rest/server-under-test.ts'

/** What the server takes for its key. */
const KEY = 's3cret'

const BODY = { file_path: 'src/a.js', fixed_code: 'two()', start_line: 1, end_line: 1 }

async function served(options = {}) {
  const root = repository({ 'src/a.js': 'one()\n' })
  const { base } = await startServer({ rows: OPERATIONS, schemas: loadSchemas, cwd: root, ...options })
  return { root, send: (body: unknown, init: RequestInit = {}) => post(`${base}/api/apply-fix`, body, init) }
}

it('POST /api/apply-fix changes the file and answers what it did', async () => {
  const { root, send } = await served()
  const response = await send({ ...BODY, original_code: '  one()  ' })
  expect(response.status).toBe(200)
  expect(await response.json()).toEqual({
    file_path: 'src/a.js',
    applied: true,
    start_line: 1,
    end_line: 1,
    lines_removed: 1,
    lines_added: 1,
  })
  expect(readFileSync(join(root, 'src/a.js'), 'utf8')).toBe('two()\n')
})

it.each([
  ['a field that is missing', { file_path: 'src/a.js', start_line: 1, end_line: 1 }, 422, 'INPUT_INVALID'],
  ['a field that is not known', { ...BODY, force: true }, 422, 'INPUT_INVALID'],
  ['a line from 0', { ...BODY, start_line: 0 }, 422, 'INPUT_INVALID'],
  ['a line that is text', { ...BODY, end_line: '1' }, 422, 'INPUT_INVALID'],
  ['a line that is not there', { ...BODY, end_line: 2 }, 422, 'INPUT_INVALID'],
  ['a path outside', { ...BODY, file_path: '../../../../etc/passwd' }, 400, 'PATH_ESCAPES'],
  ['an absolute path', { ...BODY, file_path: '/etc/passwd' }, 400, 'PATH_ESCAPES'],
  ['a link that leads outside', { ...BODY, file_path: 'out/passwd' }, 400, 'PATH_ESCAPES'],
  ['a NUL', { ...BODY, file_path: 'src/a.js\0' }, 400, 'PATH_ESCAPES'],
  ["git's own folder", { ...BODY, file_path: '.git/config' }, 403, 'FORBIDDEN'],
  ["svc's own folder", { ...BODY, file_path: '.svc/config.yaml' }, 403, 'FORBIDDEN'],
  ['a file that is not there', { ...BODY, file_path: 'src/b.js' }, 404, 'NOT_FOUND'],
  ['a folder', { ...BODY, file_path: 'src' }, 422, 'INPUT_INVALID'],
  ['other code than expected', { ...BODY, original_code: 'three()' }, 409, 'CONFLICT'],
])(
  'POST /api/apply-fix refuses %s, tells no path of the machine, and changes nothing',
  async (_, body, status, code) => {
    const { root, send } = await served()
    mkdirSync(join(root, '.svc'))
    writeFileSync(join(root, '.svc/config.yaml'), '')
    symlinkSync('/etc', join(root, 'out'))
    const refused = await problem(await send(body))
    expect(refused).toMatchObject({ status, code })
    expect(JSON.stringify(refused)).not.toContain(root)
    expect(readFileSync(join(root, 'src/a.js'), 'utf8')).toBe('one()\n')
  },
)

it('POST /api/apply-fix needs the key where the server has one', async () => {
  const { root, send } = await served({ key: KEY })
  expect(await problem(await send(BODY))).toMatchObject({ status: 401, code: 'UNAUTHENTICATED' })
  expect(await problem(await send(BODY, { headers: { 'x-api-key': 'wrong' } }))).toMatchObject({ status: 401 })
  expect(readFileSync(join(root, 'src/a.js'), 'utf8')).toBe('one()\n')
  expect((await send(BODY, { headers: { 'x-api-key': KEY } })).status).toBe(200)
})
