import { resolve } from 'node:path'
import { measure, type Row, sideBySide } from './process.ts'

const SVC = resolve(import.meta.dirname, '../dist/svc.js')

/** Start-up as a ratio to a Node that does nothing. */
export async function bench(): Promise<Row[]> {
  const node = process.execPath
  const [empty, version] = await sideBySide(31, [
    () => measure(node, ['-e', '0'], '.'),
    () => measure(node, [SVC, 'version'], '.'),
  ])
  const ratio = version!.ms / empty!.ms
  return [
    {
      name: 'svc version against node -e 0',
      figure: `${ratio.toFixed(2)} × (${version!.ms.toFixed(0)} ms, ${empty!.ms.toFixed(0)} ms)`,
      target: '≤ 1.2 ×',
      ok: ratio <= 1.2 && version!.code === 0,
    },
  ]
}
