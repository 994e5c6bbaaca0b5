// Writes engine/supply/malice/popular-packages.br from lists of names, the most downloaded first:
//   npx tsx scripts/popular-packages.ts 2026-10 npm=names.txt PyPI=names.txt
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliCompressSync } from 'node:zlib'

/** Names of each ecosystem that are kept: far more than anybody imitates, so that what is known is not taken for an imitation. */
const KEPT = 20_000

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')
const [made = '', ...lists] = process.argv.slice(2)
const names = Object.fromEntries(
  lists.map(list => {
    const [ecosystem = '', file = ''] = list.split('=')
    return [ecosystem, readFileSync(file, 'utf8').split('\n').filter(Boolean).slice(0, KEPT)]
  }),
)
const packed = brotliCompressSync(JSON.stringify({ made, names }))
writeFileSync(join(root, 'engine/supply/malice/popular-packages.br'), packed)
