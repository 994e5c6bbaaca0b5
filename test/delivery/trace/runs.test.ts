import { expect, it } from 'vitest'
import { RunIndex } from '../../../engine/delivery/trace/match-runs.ts'
import { parseJUnit } from '../../../engine/delivery/trace/test-runs.ts'

const REPORT = `<?xml version="1.0"?>
<testsuites>
 <testsuite name="pytest"><testcase classname="tests.test_login.TestLogin" name="test_ok"/>
  <testcase classname="tests.test_login.TestLogin" name="test_wrong[a]"><failure message="no">x</failure></testcase></testsuite>
 <testsuite name="junit"><testcase classname="com.acme.LoginTest" name="opens"><skipped/></testcase></testsuite>
 <testsuite name="vitest" file="/home/me/project/test/door.test.ts"><testcase classname="x" name="door opens"/></testsuite>
</testsuites>`
const FILES = [
  'tests/test_login.py',
  'src/test/java/com/acme/LoginTest.java',
  'test/door.test.ts',
  'test/other.test.ts',
]

it('finds the last run of a file by its path, its module or its class', async () => {
  const { cases, fault } = await parseJUnit(REPORT)
  expect(fault).toBeUndefined()
  const index = new RunIndex({ cases: cases.map(each => ({ ...each, ran_at: '2026-01-01' })) }, FILES)
  expect(FILES.map(file => index.find(file)?.outcome)).toEqual(['failed', 'skipped', 'passed', undefined])
})

it('takes the outcome of one test where the link is to it', async () => {
  const { cases } = await parseJUnit(REPORT)
  const index = new RunIndex({ cases: cases.map(each => ({ ...each, ran_at: '2026-01-01' })) }, FILES)
  expect(index.find(FILES[0]!, 'test_ok')).toMatchObject({ outcome: 'passed', tests: 1 })
  expect(index.find(FILES[0]!, 'test_wrong')).toMatchObject({ outcome: 'failed', failed: 1 })
})

it('keeps the tests before a fault, and says that there is one', async () => {
  const { cases, fault } = await parseJUnit(REPORT.slice(0, REPORT.indexOf('<failure')))
  expect(cases.map(({ name }) => name)).toEqual(['test_ok'])
  expect(fault).toMatch(/not well-formed/)
})
