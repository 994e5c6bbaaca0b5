// Writes engine/supply/licenses/license-texts.gen.br: names and texts of the licenses on SPDX's list, compressed.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib'

interface Listed {
  name: string
  licenseText: string
}

/** Ids that are only another spelling of a current one: `GPL-2.0` for `GPL-2.0-only`. */
const OLD = /\+$|^(?:A?GPL|LGPL|GFDL)-\d\.\d$/

/** Writes the file under the root, where the list is another than the one in it: compressing takes seconds. */
export function generateLicenses(root: string): void {
  const listed = createRequire(import.meta.url)('spdx-license-list/full') as Record<string, Listed>
  const current = Object.keys(listed)
    .filter(id => !OLD.test(id))
    .sort()
    .map(id => [id, [listed[id]!.name, listed[id]!.licenseText]])
  const json = JSON.stringify(Object.fromEntries(current))
  const file = join(root, 'engine/supply/licenses/license-texts.gen.br')
  if (existsSync(file) && brotliDecompressSync(readFileSync(file)).toString('utf8') === json) return
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_LGWIN]: 24,
    [constants.BROTLI_PARAM_SIZE_HINT]: json.length,
  }
  writeFileSync(file, brotliCompressSync(json, { params }))
}
