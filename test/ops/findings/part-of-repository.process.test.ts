import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { Run } from '../../../engine/base/records/run.ts'
import attest from '../../../engine/ops/assure/attest.ts'
import grcPush from '../../../engine/ops/assure/grc-push.ts'
import agentContext from '../../../engine/ops/findings/context.ts'
import nextAction from '../../../engine/ops/findings/next-action.ts'
import { writeRun } from '../../../engine/sources/store/write.ts'
import { context } from '../../made/call.ts'
import { project } from '../../made/project.ts'
import { finding, run } from '../../sources/store/make.ts'

const WHOLE = '20250101-000000-aaaa00'
const PART = '20250102-000000-aaaa01'

const FAILED = { gate: { passed: false, reasons: ['a rule could not be evaluated'] } }

/** A repository with a finding, and after it a scan of a change without one: a gate that failed, or what else it was. */
async function scanned(of: Partial<Run> = FAILED): Promise<string> {
  const root = project({ 'a.py': 'x = 1\n', '.svc/config.yaml': 'grc_webhook_url: https://grc.example/\n' })
  await writeRun(join(root, 'out'), run(WHOLE, [finding(1)], { git_sha: 'a'.repeat(40) }), [finding(1)], [])
  await writeRun(join(root, 'out'), run(PART, [], { scope: 'range', ...of }), [], [])
  return root
}

const requests = async (root: string, event: 'scan_complete' | 'gate_failed') => {
  const input = { event, dry_run: true, test: false, resend: false } as const
  return (await grcPush.run(input, context(root))).requests!.map(({ body }) => JSON.parse(body))
}

test('what is to be done next is of the whole repository, whatever part was scanned since', async () => {
  const answer = await nextAction.run({ repo_path: '.', limit: 5 }, context(await scanned()))
  expect(answer).toMatchObject({ run_id: WHOLE, open: 1 })
})

test('what an agent is told of is the whole repository', async () => {
  const answer = await agentContext.run({ output: '-' }, context(await scanned()))
  expect(answer).toMatchObject({ run_id: WHOLE, open: 1 })
})

test('a scan is pushed as that of the whole repository, and a gate as the one that ran last', async () => {
  const root = await scanned()
  expect(JSON.stringify(await requests(root, 'scan_complete'))).toContain(WHOLE)
  expect(JSON.stringify(await requests(root, 'gate_failed'))).toContain(PART)
})

test('the whole repository is attested, and a scan of a part only by its own id', async () => {
  const root = await scanned({})
  const attestRun = async (run_id: string) =>
    (await attest.run({ run_id, notarize: false, slsa: false, cyclonedx: false }, context(root))).attestation
  expect(await attestRun('latest')).toMatchObject({ run_id: WHOLE })
  expect(await attestRun(PART)).toMatchObject({ run_id: PART })
})

test('a gate that failed on a change is attested, and no earlier run in its place', async () => {
  const input = { run_id: 'latest', notarize: false, slsa: false, cyclonedx: false }
  const { attestation } = await attest.run(input, context(await scanned()))
  expect(attestation).toMatchObject({ run_id: PART, gate_status: 'failed' })
})

test('where only parts were scanned the last of them is what there is', async () => {
  const root = project({ 'a.py': 'x = 1\n' })
  await writeRun(join(root, 'out'), run(PART, [finding(2)], { scope: 'range' }), [finding(2)], [])
  const answer = await nextAction.run({ repo_path: '.', limit: 5 }, context(root))
  expect(answer).toMatchObject({ run_id: PART, open: 1 })
})
