import { execFileSync } from 'node:child_process'
import { copyFileSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import design from '../../engine/ops/review/design.ts'
import { readExchange, writeExchange } from '../../engine/review/llm/exchange-store.ts'
import { nameRepository } from '../../engine/sources/repository/repository-name.ts'
import { bindSeal, openSeal } from '../../engine/sources/state/cache-seal.ts'
import { context } from '../made/call.ts'
import { project } from '../made/project.ts'

const BEFORE = "const app = require('express')()\napp.get('/a', list)\n"
const none = { staged: false, pending: false, dry_run: false }
const changed = () => {
  const root = project({ 'a.js': BEFORE })
  writeFileSync(join(root, 'a.js'), `${BEFORE}app.post('/b', save)\n`)
  return root
}
const setOrigin = (root: string, url: string) =>
  execFileSync('git', ['config', 'remote.origin.url', url], { cwd: root })
const FILE = 'out/design_decisions.json'

/** The status that an acknowledgment of one repository has in another one with the same code. */
async function replay(from: string, to: string): Promise<string> {
  const { decisions } = await design.run(none, context(from))
  await design.run({ ...none, ack: decisions[0]!.id }, context(from))
  expect(JSON.parse(readFileSync(join(from, FILE), 'utf8')).decisions[0].status).toBe('acknowledged')
  await design.run(none, context(to))
  copyFileSync(join(from, FILE), join(to, FILE))
  return (await design.run(none, context(to))).decisions[0]!.status
}

it('does not take an acknowledgment of another repository', async () => {
  expect(await replay(changed(), changed())).toBe('pending')
})

it('takes an acknowledgment of another clone', async () => {
  const [one, two] = [changed(), changed()]
  setOrigin(one, 'git@git.example.com:team/app.git')
  setOrigin(two, 'https://kim@git.example.com/team/app')
  expect(await replay(one, two)).toBe('acknowledged')
})

it('does not take a kept answer of another repository', () => {
  const root = project({ 'a.js': BEFORE })
  const seal = openSeal({ SVC_CACHE_KEY: 'k'.repeat(32) })!
  const [own, other] = [root, changed()].map(each => bindSeal(seal, nameRepository(each)))
  const answer = { purpose: 'p', provider: 'openai', model: 'm', text: '{}', usage: { input: 1, output: 1 } }
  writeExchange(join(root, 'kept'), 'a', answer, own)
  expect(readExchange(join(root, 'kept'), 'a', own)?.text).toBe('{}')
  expect(readExchange(join(root, 'kept'), 'a', other)).toBeUndefined()
})
