import { readSettings } from '../../base/disk/settings-file.ts'
import { EngineError } from '../../base/errors.ts'
import { isObject, type JsonObject } from '../../base/text/json-object.ts'
import { CLIENT_NAMES, type ClientName, getClient, type McpFile } from '../clients.ts'
import { findMember, type Json, loadJson, parseTree } from '../insert-json.ts'
import { INSTRUCTION_FILES, SETTINGS_FILES } from './known.ts'
import { listAssistantFiles } from './list-files.ts'

/** A server as a configuration has it. */
export interface Server {
  name: string
  client: ClientName
  /** From the repository's root, or with `~/` for one of the user. */
  file: string
  line: number
  command?: string
  args: readonly string[]
  env: JsonObject
  headers: JsonObject
  url?: string
  raw: JsonObject
}

/** A text file that an assistant reads. */
export interface TextFile {
  file: string
  text: string
  /** Of settings: what they say. */
  value?: JsonObject
}

export interface Discovered {
  configurations: string[]
  servers: Server[]
  settings: TextFile[]
  instructions: TextFile[]
  /** What could not be read: unknown, never clean. */
  unread: { file: string; detail: string }[]
}

const MOST = 4 << 20

/** Reads the configurations of all assistants. Starts nothing. */
export async function discover(root: string, home: string | undefined): Promise<Discovered> {
  const found: Discovered = { configurations: [], servers: [], settings: [], instructions: [], unread: [] }
  const json = await loadJson()
  for (const client of CLIENT_NAMES)
    for (const file of getClient(client).mcp as readonly McpFile[]) {
      const base = file.user ? home : root
      if (base === undefined) continue
      const shown = file.user ? `~/${file.path}` : file.path
      await attempt(found, shown, async () => {
        const text = readText(base, file.path)
        if (text === undefined) return
        found.configurations.push(shown)
        found.servers.push(...(await readServers(json, { text, shown, client, file })))
      })
    }
  for (const path of SETTINGS_FILES)
    for (const file of listFiles(found, root, path))
      await attempt(found, file, async () => {
        const text = readText(root, file)
        if (text !== undefined) found.settings.push({ file, text, value: await readValue(json, text, file) })
      })
  for (const path of INSTRUCTION_FILES)
    for (const file of listFiles(found, root, path))
      await attempt(found, file, async () => {
        const text = readText(root, file)
        if (text !== undefined) found.instructions.push({ file, text })
      })
  return found
}

async function attempt(found: Discovered, file: string, work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    if (!(error instanceof EngineError)) throw error
    const detail = error.message.replace(/, so nothing was written\.$/, '.')
    if (!found.unread.some(one => one.file === file)) found.unread.push({ file, detail })
  }
}

function readText(root: string, path: string): string | undefined {
  return readSettings(root, path, { most: MOST })?.toString('utf8')
}

/** The file, or those of a directory. */
function listFiles({ unread }: Discovered, root: string, path: string): string[] {
  if (!path.endsWith('/')) return [path]
  const listing = listAssistantFiles(root, path)
  unread.push(...listing.unread.filter(({ file }) => !unread.some(one => one.file === file)))
  return listing.files
}

async function readValue(json: Json, text: string, file: string): Promise<JsonObject> {
  if (text.replace(/^\uFEFF/, '').trim() === '') return {}
  if (!file.endsWith('.toml')) return json.getNodeValue(parseTree(json, text, file)) as JsonObject
  const { parse, TomlError } = await import('smol-toml')
  try {
    return parse(text.replace(/^\uFEFF/, '')) as JsonObject
  } catch (error) {
    if (!(error instanceof TomlError)) throw error
    throw new EngineError('CONFLICT', `${file}:${error.line} is not well-formed TOML.`, { cause: error })
  }
}

async function readServers(
  json: Json,
  { text, shown, client, file }: { text: string; shown: string; client: ClientName; file: McpFile },
): Promise<Server[]> {
  let value: unknown = await readValue(json, text, file.path)
  for (const key of file.keys) value = isObject(value) ? value[key] : undefined
  if (!isObject(value)) return []
  const lines = file.format === 'json' ? findLines(json, text, file) : new Map<string, number>()
  return Object.entries(value).flatMap(([name, raw]) => {
    if (!isObject(raw)) return []
    const nested = isObject(raw.command) ? raw.command : raw
    const program = isObject(raw.command) ? raw.command.path : raw.command
    const url = [raw.url, raw.httpUrl, raw.serverUrl].find(one => typeof one === 'string')
    const server: Server = {
      ...{ name, client, file: shown, raw, line: lines.get(name) ?? findTomlLine(text, name) },
      args: Array.isArray(nested.args) ? nested.args.map(String) : [],
      env: isObject(nested.env) ? nested.env : {},
      headers: [raw.headers, raw.http_headers].find(isObject) ?? {},
      ...(typeof program === 'string' && { command: program }),
      ...(typeof url === 'string' && { url }),
    }
    return [server]
  })
}

function findLines(json: Json, text: string, file: McpFile): Map<string, number> {
  let node = parseTree(json, text, file.path)
  for (const key of file.keys) node = findMember(node, key, text, file.path) ?? node
  const lines = new Map<string, number>()
  let [line, done] = [1, 0]
  for (const { offset, children } of node.children ?? []) {
    for (let at = text.indexOf('\n', done); at !== -1 && at < offset; at = text.indexOf('\n', at + 1)) line++
    done = offset
    const name: unknown = children?.[0]?.value
    if (typeof name === 'string') lines.set(name, line)
  }
  return lines
}

function findTomlLine(text: string, name: string): number {
  const at = text.split('\n').findIndex(line => /^\s*\[\s*mcp_servers\b/.test(line) && line.includes(name))
  return at === -1 ? 1 : at + 1
}
