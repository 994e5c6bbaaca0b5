import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import audit from '../../../engine/ops/assistants/audit.ts'
import suppress from '../../../engine/ops/findings/suppress.ts'
import { context, refusal, view } from '../../made/call.ts'
import { folder } from '../../made/folder.ts'

const input = { user: false, connect: false, update_lock: false, timeout: 30 }
const BAD = { '.mcp.json': '{"mcpServers":{"docs":{"command":"npx","args":["-y","team-docs"]}}}' }

it('exits with 1 on a finding or a file that cannot be read, and with 0 without either', async () => {
  const exits = [BAD, { '.mcp.json': '{' }, {}].map(async files =>
    audit.exit!(await audit.run(input, context(folder(files)))),
  )
  expect(await Promise.all(exits)).toEqual([1, 1, 0])
})

it('writes SARIF with the rule, the location and the tag of OWASP', async () => {
  const root = folder(BAD)
  await audit.run({ ...input, sarif: 'mcp.sarif' }, context(root))
  const [run] = JSON.parse(readFileSync(join(root, 'mcp.sarif'), 'utf8')).runs
  expect(run.results.map((one: { ruleId: string }) => one.ruleId)).toEqual(['mcp-unpinned-package'])
  expect(run.results[0].locations[0].physicalLocation.artifactLocation.uri).toBe('.mcp.json')
  expect(run.tool.driver.rules[0].properties.tags).toContain('owasp-mcp:MCP04')
})

it('a suppression with a reason covers a finding', async () => {
  const root = folder({
    ...BAD,
    '.svc/suppressions.yaml': '- { rule: mcp-unpinned-package, file: .mcp.json, reason: built by us }\n',
  })
  const output = await audit.run(input, context(root))
  expect(output.findings.map(({ status }) => status)).toEqual(['suppressed'])
  expect(audit.exit!(output)).toBe(0)
  expect(audit.text(output, view)).toContain('(1 suppressed)')
})

it('refuses tools that are no map, a file that is not there, and a lock update without connecting', async () => {
  const root = folder({ 'tools.json': '[]' })
  const codes = [{ tools: 'tools.json' }, { tools: 'none.json' }, { update_lock: true }].map(
    async more => (await refusal(() => audit.run({ ...input, ...more }, context(root)))).code,
  )
  expect(await Promise.all(codes)).toEqual(['INPUT_INVALID', 'NOT_FOUND', 'USAGE'])
})

it('a check can be suppressed by command', async () => {
  const root = folder(BAD)
  await suppress.run({ rule: 'mcp-unpinned-package', reason: 'built by us', remove: false, list: false }, context(root))
  expect(audit.exit!(await audit.run(input, context(root)))).toBe(0)
})
