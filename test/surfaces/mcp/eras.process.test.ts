import { fileURLToPath } from 'node:url'
import { Client as NewClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as NewStdio } from '@modelcontextprotocol/client/stdio'
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as OldStdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { describe, expect, it, onTestFinished } from 'vitest'

const SERVER = {
  command: process.execPath,
  args: ['--import', 'tsx', fileURLToPath(new URL('./fixture-server.ts', import.meta.url))],
}
const INFO = { name: 'test', version: '1' }

interface Era {
  client: NewClient | OldClient
  version: string | undefined
}

/** Clients of each generation, as they speak to the same command. */
const ERAS: Record<string, () => Promise<Era>> = {
  'the client of the first SDK': async () => {
    const client = new OldClient(INFO)
    const transport = new OldStdio(SERVER)
    let version: string | undefined
    Object.assign(transport, {
      setProtocolVersion(said: string) {
        version = said
      },
    })
    await client.connect(transport)
    return { client, version }
  },
  'a new client that begins with initialize': () => connect('legacy'),
  'a new client that finds out': () => connect('auto'),
  'a client pinned to the newest revision': () => connect({ pin: '2026-07-28' }),
}

async function connect(mode: 'legacy' | 'auto' | { pin: string }): Promise<Era> {
  const client = new NewClient(INFO, { versionNegotiation: { mode } })
  await client.connect(new NewStdio(SERVER))
  return { client, version: client.getNegotiatedProtocolVersion() }
}

describe.each(Object.entries(ERAS))('%s', (name, open) => {
  it('lists and calls tools, gets progress, and cancels', async () => {
    const { client, version } = await open()
    onTestFinished(() => client.close())
    const isNewest = name.includes('newest') || name.includes('finds out')
    expect(version).toBe(isNewest ? '2026-07-28' : '2025-11-25')
    const { tools } = await client.listTools()
    expect(tools.map(tool => tool.name)).toContain('show_thing')
    const shown = await client.callTool({ name: 'show_thing', arguments: { thing_id: 'a' } })
    expect(shown.structuredContent).toMatchObject({ thing_id: 'a', limit: 10 })
    const wrong = await client.callTool({ name: 'show_thing', arguments: { limit: 1000 } })
    expect(wrong.isError).toBe(true)

    const progress: number[] = []
    const onprogress = (update: { progress: number }) => void progress.push(update.progress)
    await callSlowly(client, 1000, { onprogress })
    expect(progress).toEqual([0, 1, 2, 3, 4])

    const cancel = new AbortController()
    setTimeout(() => cancel.abort('enough'), 100)
    await expect(callSlowly(client, 3_600_000, { signal: cancel.signal })).rejects.toThrow('enough')
    expect((await client.listResources()).resources).toEqual([])
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1)
    await expect(client.readResource({ uri: 'svc://results/none/1' })).rejects.toThrow(/not found/i)
  })
})

function callSlowly(
  client: Era['client'],
  ms: number,
  options: { onprogress?: (update: { progress: number }) => void; signal?: AbortSignal },
): Promise<unknown> {
  const call = { name: 'wait_thing', arguments: { ms } }
  return client instanceof OldClient ? client.callTool(call, undefined, options) : client.callTool(call, options)
}

it('the newest revision tells how long a list may be kept', async () => {
  const { client } = await connect({ pin: '2026-07-28' })
  onTestFinished(() => client.close())
  expect(await client.listTools()).toMatchObject({ ttlMs: 300_000, cacheScope: 'public' })
  expect(await client.listResources()).toMatchObject({ ttlMs: 0, cacheScope: 'private' })
})
