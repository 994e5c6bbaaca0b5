import { describe, expect, it } from 'vitest'
import { findDecisions } from '../../../engine/review/design/find.ts'

const none = () => new Set<string>()
const find = async (before: Record<string, string>, after: Record<string, string>, known: string[] = []) => {
  const paths = [...new Set([...Object.keys(before), ...Object.keys(after)])]
  const sides = paths.map(path => ({
    ...{ path, in_test: path.startsWith('test/') },
    ...(before[path] !== undefined && { before: before[path] }),
    ...(after[path] !== undefined && { after: after[path] }),
  }))
  const { decisions } = await findDecisions(sides, known.length > 0 ? () => new Set(known) : none)
  return decisions.map(({ kind, category, line, summary }) => ({ kind, category, line, summary }))
}

describe('a change that adds', () => {
  it('a dependency is one decision, on its line', async () => {
    const before = '{\n "dependencies": {\n  "ms": "2"\n }\n}'
    const after = '{\n "dependencies": {\n  "ms": "3",\n  "left-pad": "^1.3.0"\n }\n}'
    expect(await find({ 'package.json': before }, { 'package.json': after })).toEqual([
      { kind: 'dependency', category: 'dependency-choice', line: 4, summary: 'New dependency left-pad (npm ^1.3.0)' },
    ])
  })

  it('an endpoint is one, and one that only moved to another file is none', async () => {
    const route = "const router = require('express').Router()\nrouter.get('/a', list)\n"
    const added = `${route}router.post('/b', save)\n`
    expect((await find({ 'a.js': route }, { 'a.js': added })).map(({ summary }) => summary)).toEqual([
      'New endpoint POST /b',
    ])
    expect(await find({ 'a.js': route }, { 'b.js': route })).toEqual([])
  })

  it('a store that the repository does not use is one', async () => {
    const code = "import { Pool } from 'pg'\n"
    expect((await find({}, { 'db.ts': code })).map(({ summary }) => summary)).toEqual(['New data store: PostgreSQL'])
    expect(await find({}, { 'db.ts': code }, ['store postgresql'])).toEqual([])
  })

  it('concurrency, a schema change and a swallowed error are one each', async () => {
    const before = 'def load(path):\n    return path\n'
    const after =
      'import threading\n\ndef load(path):\n    threading.Thread(target=path).start()\n    try:\n        return open(path)\n    except OSError:\n        pass\n\nclass User(db.Model):\n    id = 1\n'
    expect((await find({ 'a.py': before }, { 'a.py': after })).map(({ kind, line }) => `${kind} ${line}`)).toEqual([
      'concurrency 4',
      'swallowed 7',
      'schema 10',
    ])
  })

  it('a test is none', async () => {
    expect(await find({}, { 'test/a.js': "const app = express()\napp.get('/x', y)\n" })).toEqual([])
  })
})

describe('a change of authorization', () => {
  const guarded = '@login_required\ndef me():\n    return user\n'
  it('is a decision where the check goes', async () => {
    expect(await find({ 'a.py': guarded }, { 'a.py': 'def me():\n    return user\n' })).toEqual([
      {
        ...{ kind: 'auth', category: 'security-pattern', line: 1 },
        summary: 'Authentication or authorization check removed: @login_required',
      },
    ])
  })

  it('is a decision where the check becomes another', async () => {
    const java = (role: string) => `class A {\n  @PreAuthorize("hasRole('${role}')")\n  void drop() {}\n}\n`
    const [decision, ...more] = await find({ 'A.java': java('ADMIN') }, { 'A.java': java('USER') })
    expect(more).toEqual([])
    expect(decision).toMatchObject({ kind: 'auth', line: 2 })
    expect(decision!.summary).toMatch(/^Authentication or authorization check changed/)
  })

  it('is none where the lines only move or are indented', async () => {
    const moved = `import x\n\n\nclass A:\n    @login_required\n    def me(self):\n        return user\n`
    expect(await find({ 'a.py': guarded }, { 'a.py': moved })).toEqual([])
  })
})
