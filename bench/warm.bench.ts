import { appendFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { measure, type Row, sideBySide } from './process.ts'
import { TREES, treeFolder } from './trees.ts'

const SVC = resolve(import.meta.dirname, '../dist/svc.js')
/** A file of the kernel that is changed before each scan. */
const CHANGED = 'kernel/fork.c'

/** A scan of the kernel after one file of it was changed, beside `git status` there. */
export async function bench(): Promise<Row[]> {
  const tree = TREES.find(({ name }) => name === 'linux')!
  const folder = treeFolder(tree)
  if (!folder) return []
  const file = join(folder, CHANGED)
  const before = readFileSync(file)
  try {
    await measure(process.execPath, [SVC, 'scan', '--quiet'], folder)
    let round = 0
    const [status, warm] = await sideBySide(9, [
      () => {
        appendFileSync(file, `/* ${round++} */\n`)
        return measure('git', ['status', '--porcelain'], folder)
      },
      () => measure(process.execPath, [SVC, 'scan', '--quiet'], folder),
    ])
    const ratio = warm!.ms / status!.ms
    return [
      {
        name: 'linux: scan after a change of one file against git status',
        figure: `${ratio.toFixed(1)} × (${warm!.ms.toFixed(0)} ms, ${status!.ms.toFixed(0)} ms; ${warm!.peak_mb} MB)`,
        target: '≤ 5 ×',
        ok: ratio <= 5 && warm!.code === 0,
      },
    ]
  } finally {
    writeFileSync(file, before)
    for (const own of ['out', '.svc']) rmSync(join(folder, own), { recursive: true, force: true })
  }
}
