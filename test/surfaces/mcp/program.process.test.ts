import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { expect, it } from 'vitest'
import { DIST } from '../../../engine/base/disk/assets.ts'
import { OPERATIONS } from '../../../engine/door/operations.gen.ts'
import { loadSchemas } from '../../../engine/door/schemas.ts'
import { listTools } from '../../../mcp/tools.ts'

it('`svc mcp-server` offers every operation that is a tool, and leaves when its client does', async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [fileURLToPath(new URL('svc.js', DIST)), 'mcp-server'],
    cwd: mkdtempSync(join(tmpdir(), 'svc-mcp-')),
  })
  const client = new Client({ name: 'test', version: '1' })
  await client.connect(transport)
  const { tools } = await client.listTools()
  expect(tools).toEqual(listTools(OPERATIONS, loadSchemas))
  const pid = transport.pid!
  await client.close()
  expect(() => process.kill(pid, 0)).toThrow('ESRCH')
})

it('each tool is short enough that the list leaves room for work', () => {
  for (const tool of listTools(OPERATIONS, loadSchemas)) {
    expect(tool.description!.length, tool.name).toBeLessThanOrEqual(200)
    expect(JSON.stringify(tool.inputSchema).length, tool.name).toBeLessThanOrEqual(3000)
  }
})
