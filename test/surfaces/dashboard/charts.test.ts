import { expect, it } from 'vitest'
import { layerNodes } from '../../../api/dashboard/charts/layers.ts'
import { squarify } from '../../../api/dashboard/charts/squarify.ts'
import { sortRows } from '../../../api/dashboard/components/rows.ts'
import { listBelow } from '../../../api/dashboard/pages/files/tree.ts'
import fc from '../../made/property.ts'

const BOX = { x: 0, y: 0, width: 600, height: 300 }

it('areas of a treemap are as the sizes, and fill the box', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 10_000 }), { minLength: 1, maxLength: 60 }), sizes => {
      const total = sizes.reduce((sum, size) => sum + size, 0)
      const tiles = squarify(sizes, size => size, BOX)
      expect(tiles).toHaveLength(sizes.length)
      for (const { item, x, y, width, height } of tiles) {
        expect(width * height).toBeCloseTo((item / total) * BOX.width * BOX.height, 3)
        expect(x).toBeGreaterThanOrEqual(0)
        expect(y).toBeGreaterThanOrEqual(0)
        expect(x + width).toBeLessThanOrEqual(BOX.width + 1e-6)
        expect(y + height).toBeLessThanOrEqual(BOX.height + 1e-6)
      }
    }),
  )
})

it('what has no size gets no area', () => {
  expect(squarify([0, 3], size => size, BOX).map(({ item }) => item)).toEqual([3])
})

it('every node of a graph stands in one layer, below what leads to it where no cycle forbids it', () => {
  expect(
    layerNodes(4, [
      { from: 2, to: 0 },
      { from: 0, to: 1 },
      { from: 2, to: 1 },
    ]),
  ).toEqual([[2, 3], [0], [1]])
  const link = fc.record({ from: fc.nat(19), to: fc.nat(19) })
  fc.assert(
    fc.property(fc.array(link, { maxLength: 80 }), links => {
      expect(
        layerNodes(20, links)
          .flat()
          .sort((a, b) => a - b),
      ).toEqual(Array.from({ length: 20 }, (_, at) => at))
    }),
  )
})

it('what is not known comes last, however a list is sorted', () => {
  const rows = [{ n: null }, { n: 3 }, { n: 10 }]
  const columns = [{ name: 'n', by: ({ n }: { n: number | null }) => n }]
  expect(sortRows(rows, columns, 'n').map(({ n }) => n)).toEqual([3, 10, null])
  expect(sortRows(rows, columns, '-n').map(({ n }) => n)).toEqual([10, 3, null])
})

it('a directory is as bad as the worst that lies below it', () => {
  const file = (path: string, findings: number, worst?: 'high' | 'low') =>
    ({ path, lines: 10, findings, worst }) as never
  const [api, readme] = listBelow([file('api/a.ts', 2, 'low'), file('api/b/c.ts', 1, 'high'), file('readme', 0)], '')
  expect(api).toMatchObject({ path: 'api/', lines: 20, files: 2, findings: 3, worst: 'high' })
  expect(readme).toMatchObject({ path: 'readme', findings: 0 })
  expect(readme!.worst).toBeUndefined()
})
