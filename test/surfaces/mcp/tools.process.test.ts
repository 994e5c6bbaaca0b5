import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { DIST } from '../../../engine/base/disk/assets.ts'
import { OPERATIONS } from '../../../engine/door/operations.gen.ts'
import { loadSchemas } from '../../../engine/door/schemas.ts'
import { BYTES_PER_TOKEN, MAX_ANSWER_TOKENS } from '../../../mcp/size.ts'
import { listToolRows } from '../../../mcp/tools.ts'
import { repository } from '../../made/git.ts'

const SNIPPET = 'const run = require("child_process").exec\napp.get("/", (req, res) => run(req.query.a))\n'
const TASK = 'TS-0123456789ab'

/** Valid input of each tool. */
const VALID: Record<string, { input?: object }> = {
  run_scan: { input: { dry_run: true } },
  scan_file: { input: { path: 'src/a0.js' } },
  check_code_snippet: { input: { code: SNIPPET, filename: 'a.js' } },
  get_scan_summary: {},
  explain_rule: { input: { rule_id: 'node-request-in-command' } },
  get_compliance_context: { input: { filename: 'src/a0.js' } },
  get_vulnerabilities: {},
  get_design_constraints: {},
  review_design_decisions: {},
  get_threat_model: {},
  suggest_packs: {},
  lint_pack_yaml: { input: { yaml: 'id: p\n' } },
  manage_pack: { input: { action: 'enable', pack_id: 'owasp-asvs' } },
  get_agent_status: {},
  check_anomalies: {},
  check_blast_radius: {},
  check_tool_grant: { input: { scope: 'config:write' } },
  request_tool_grant: { input: { scope: 'config:write' } },
  release_tool_grant: { input: { id: 'GR-0123456789ab' } },
  bind_task: { input: { intent: 'change it', path: ['src/**'] } },
  check_task_scope: { input: { paths: ['src/a0.js'] } },
  complete_task: { input: { id: TASK } },
  delegate_task: { input: { parent: TASK, task: 'a part of it' } },
  check_delegation: { input: { id: TASK } },
  rollback_task: { input: { id: TASK, dry_run: true } },
  generate_harness_report: {},
}

/** What no tool should trip over, as an argument of any name. */
const HOSTILE = [
  '../../../../etc/passwd',
  '\u0000\u001b[2J\u202e',
  '$(touch owned)`touch owned`; touch owned',
  '__proto__',
  '\ud800',
  '(a+)+$'.repeat(500),
]

/** Fields that name something that must be there. */
const NAMES = /^(agent|id|parent)$/

interface Answered {
  isError?: boolean
  content: { type: string; text?: string; uri?: string }[]
  structuredContent?: Record<string, unknown>
}

describe('each tool, asked by a client of the official SDK', () => {
  const root = join(realpathSync(mkdtempSync(join(tmpdir(), 'svc-mcp-tools-'))), 'repo')
  const client = new Client({ name: 'test', version: '1' })
  const rows = listToolRows(OPERATIONS)

  beforeAll(async () => {
    const files = Object.fromEntries(Array.from({ length: 60 }, (_, n) => [`src/a${n}.js`, SNIPPET.repeat(3)]))
    repository(root, { ...files, 'package.json': '{"name":"x","version":"1.0.0"}' })
    const home = join(root, '..')
    const env = { PATH: process.env.PATH!, HOME: home, XDG_STATE_HOME: home, XDG_CACHE_HOME: home }
    const args = [fileURLToPath(new URL('svc.js', DIST)), 'mcp-server']
    await client.connect(
      new StdioClientTransport({ command: process.execPath, args, cwd: root, env, stderr: 'ignore' }),
    )
    // The client checks structured content against the schemas that it has listed.
    await client.listTools()
    await ask('run_scan', {})
  }, 60_000)

  afterAll(async () => {
    await client.close()
    rmSync(join(root, '..'), { recursive: true, force: true })
  })

  /** Calls the tool; the answer must be short, and an error must say what to do. */
  async function ask(name: string, input: object): Promise<Answered> {
    const answer = (await client.callTool({ name, arguments: { ...input } }, undefined, {
      timeout: 60_000,
    })) as unknown as Answered
    const tokens = Buffer.byteLength(JSON.stringify(answer)) / BYTES_PER_TOKEN
    expect(tokens, `${name} ${JSON.stringify(input).slice(0, 100)}`).toBeLessThanOrEqual(MAX_ANSWER_TOKENS)
    if (answer.isError) expect(answer.content[0]!.text).toMatch(/^[A-Z].* \([A-Z_]+\)\.\n/)
    else expect(answer.structuredContent).toBeTypeOf('object')
    return answer
  }

  it('is one of the 26', () => {
    expect(Object.keys(VALID).sort()).toEqual([...rows.keys()].sort())
  })

  it.each(Object.entries(VALID))('%s answers valid input', async (name, { input = {} }) => {
    const { isError, content } = await ask(name, input)
    expect(isError ? content[0]!.text : '').not.toMatch(/INTERNAL|INPUT_INVALID/)
  })

  it.each(Object.keys(VALID))('%s refuses what it does not know, names the field and goes on', async name => {
    const { isError, content } = await ask(name, { ...VALID[name]!.input, no_such_field: 1 })
    expect(isError).toBe(true)
    expect(content[0]!.text).toMatch(/INPUT_INVALID[\s\S]*no_such_field/)
    for (const field of loadSchemas(rows.get(name)!.id).input.required ?? []) {
      const { [field]: _, ...rest } = VALID[name]!.input as Record<string, unknown>
      expect((await ask(name, rest)).content[0]!.text).toContain(`${field} is missing`)
    }
  })

  it.each(Object.keys(VALID))(
    '%s stands hostile and huge input',
    async name => {
      const { properties = {} } = loadSchemas(rows.get(name)!.id).input
      const texts = Object.entries(properties).filter(([, { type }]) => type === 'string' || type === 'array')
      const stands = async (fields: typeof texts, value: string) => {
        const given = Object.fromEntries(fields.map(([field, { type }]) => [field, type === 'array' ? [value] : value]))
        const { isError, content } = await ask(name, { ...VALID[name]!.input, ...given })
        const asked = `${fields.map(([field]) => field)} ${value.slice(0, 50)}`
        expect(isError ? content[0]!.text : '', asked).not.toContain('(INTERNAL)')
        expect(JSON.stringify(content)).not.toContain('root:x:0:0')
        return isError !== true
      }
      await Promise.all(
        [...HOSTILE, 'x'.repeat(200_000)].map(async value => {
          // What is taken in all fields at once was looked at in each; a refusal may have looked at one only. A wrong name is one by itself.
          const [names, free] = [true, false].map(isName => texts.filter(([field]) => NAMES.test(field) === isName))
          const isTaken = free!.length > 1 && (await stands(free!, value))
          for (const field of isTaken ? names! : texts) await stands([field], value)
        }),
      )
      for (const cursor of ['', 'x'.repeat(100_000), 'AAAAAAAAAAAAAAAA.2', 7, null, {}])
        expect((await ask(name, { ...VALID[name]!.input, cursor })).isError).toBe(true)
    },
    60_000,
  )

  it('gives a long answer in pages: by cursor and as resources, the same', async () => {
    let page = await ask('run_scan', { cache: false })
    const all = [...(page.structuredContent!.findings as unknown[])]
    const total = page.structuredContent!.total as number
    let pages = 1
    while (page.structuredContent!.next_cursor !== undefined) {
      const cursor = page.structuredContent!.next_cursor as string
      const link = page.content.find(({ type }) => type === 'resource_link')!
      page = await ask('run_scan', { cursor })
      const { contents } = await client.readResource({ uri: link.uri! })
      expect(JSON.parse((contents[0] as { text: string }).text)).toEqual(page.structuredContent)
      all.push(...((page.structuredContent!.findings as unknown[] | undefined) ?? []))
      pages += 1
    }
    expect(pages).toBeGreaterThan(5)
    expect(total).toBeGreaterThan(100)
    expect(new Set(all.map(finding => JSON.stringify(finding))).size).toBe(all.length)
    // A scan lists the 50 most severe.
    expect(all).toHaveLength(50)
  }, 60_000)

  it('is there after all of that', async () => {
    const { tools } = await client.listTools()
    expect(tools).toHaveLength(26)
  })
})
