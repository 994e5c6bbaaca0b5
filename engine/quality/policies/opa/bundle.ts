import { gunzipSync } from 'node:zlib'
import { readSettings } from '../../../base/disk/settings-file.ts'

/** Of a module or a bundle, packed and unpacked. */
const MOST_BYTES = 64 << 20

/** A compiled policy, with the documents of its bundle. */
export interface OpaBundle {
  wasm: Uint8Array
  data: unknown
}

/** Reads a module, or the one of a bundle (`opa build -t wasm`); an Error with the reason where there is none. */
export async function readBundle(root: string, path: string): Promise<OpaBundle> {
  const bytes = readSettings(root, path, { most: MOST_BYTES })
  if (!bytes) throw new Error(`there is no file ${path}`)
  if (isWasm(bytes)) return { wasm: bytes, data: undefined }
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b)
    throw new Error(`${path} is neither a WebAssembly module nor a bundle (.tar.gz)`)
  const files = await unpack(gunzipSync(bytes, { maxOutputLength: MOST_BYTES }))
  const modules = [...files].filter(([name]) => name.endsWith('.wasm'))
  if (modules.length !== 1)
    throw new Error(
      `${path} has ${modules.length} WebAssembly modules, but must have one: build it with \`opa build -t wasm\``,
    )
  const [, wasm] = modules[0]!
  if (!isWasm(wasm)) throw new Error(`the module in ${path} is not WebAssembly`)
  const data = files.get('data.json')
  return { wasm, data: data && JSON.parse(data.toString('utf8')) }
}

function isWasm(bytes: Uint8Array): boolean {
  return Buffer.from(bytes.subarray(0, 4)).toString('latin1') === '\0asm'
}

/** The files of a tar archive by name, without the slash that bundles put before it. */
async function unpack(archive: Buffer): Promise<Map<string, Buffer>> {
  const { extract } = await import('tar-stream')
  const files = new Map<string, Buffer>()
  const reader = extract()
  reader.end(archive)
  for await (const entry of reader) {
    const parts: Buffer[] = []
    for await (const part of entry) parts.push(part as Buffer)
    files.set(entry.header.name.replace(/^[./]+/, ''), Buffer.concat(parts))
  }
  return files
}
