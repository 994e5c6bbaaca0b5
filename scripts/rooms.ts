// npx tsx scripts/rooms.ts: the rooms of engine/, floor by floor, and which rooms each imports; exit 1 where an import points up, or
// where rooms import each other in a circle.
import { pathToFileURL } from 'node:url'
import { textOf } from '../test/root.ts'
import { type Import, importsOf, projectFiles } from '../test/sources.ts'

/** The floors of engine/, the lowest first, each with why it stands there. Rooms import their own floor and lower ones, types included. */
export const FLOORS = [
  ['base', 'text, disk and the records that everybody exchanges: whoever knows them must know nobody else'],
  ['detect', 'bytes in, flat records out: it runs on any thread, and what it found is kept by the bytes alone'],
  ['sources', 'what is read and kept: repository, configuration, packs, runs, state; they keep records and judge none'],
  ['domain', 'what a user asks for: each says what the records mean, and knows no surface'],
  ['door', 'the one way in: input checked, permission asked, audit entry written, whatever the surface'],
  ['ops', 'a capability a file: it sees all below, and only the manifest imports it'],
] as const

/** Generated, and the one file of a lower floor that loads operations. */
const MANIFEST = 'engine/door/operations.gen.ts'

/** Floors whose folders are rooms of their own. */
const DIVIDED = new Set(['base', 'detect', 'sources', 'ops'])

/** The room of a file of engine/: `engine/gate`, `engine/detect/taint`; a file that lies beside rooms is in the floor's own. */
export function roomOf(path: string): string {
  const [, floor = '', room = '', ...rest] = path.split('/')
  return DIVIDED.has(floor) && rest.length > 0 ? `engine/${floor}/${room}` : `engine/${floor}`
}

/** How high a file's floor is, from 0. */
export function floorOf(path: string): number {
  const name = path.split('/')[1]
  const found = FLOORS.findIndex(([floor]) => floor === name)
  return found === -1 ? FLOORS.findIndex(([floor]) => floor === 'domain') : found
}

/** All imports within engine/, but those of the manifest. */
export function importsWithin(): Import[] {
  const files = projectFiles().filter(path => /^engine\/.*\.ts$/.test(path) && path !== MANIFEST)
  return files.flatMap(path => importsOf(path, textOf(path))).filter(({ to }) => to.startsWith('engine/'))
}

/** The imports that point to a higher floor. */
export function upwardImports(imports: readonly Import[]): Import[] {
  return imports.filter(({ from, to }) => floorOf(to) > floorOf(from))
}

/** The rooms that each room imports, with how many imports it takes. */
export function roomGraph(imports: readonly Import[]): Map<string, Map<string, number>> {
  const graph = new Map<string, Map<string, number>>()
  for (const { from, to } of imports) {
    const [own, other] = [roomOf(from), roomOf(to)]
    const edges = graph.get(own) ?? new Map<string, number>()
    graph.set(own, edges)
    if (own !== other) edges.set(other, (edges.get(other) ?? 0) + 1)
  }
  return graph
}

/** Groups of rooms that reach each other in a circle, by Tarjan's algorithm; a mutual pair is one of two. */
export function circlesOf(graph: ReadonlyMap<string, ReadonlyMap<string, number>>): string[][] {
  const order = new Map<string, number>()
  const lowest = new Map<string, number>()
  const open: string[] = []
  const circles: string[][] = []
  const visit = (room: string) => {
    order.set(room, order.size)
    lowest.set(room, order.get(room)!)
    open.push(room)
    for (const next of graph.get(room)?.keys() ?? []) {
      if (!order.has(next)) {
        visit(next)
        lowest.set(room, Math.min(lowest.get(room)!, lowest.get(next)!))
      } else if (open.includes(next)) lowest.set(room, Math.min(lowest.get(room)!, order.get(next)!))
    }
    if (lowest.get(room) !== order.get(room)) return
    const circle = open.splice(open.indexOf(room))
    if (circle.length > 1) circles.push(circle.sort())
  }
  for (const room of graph.keys()) if (!order.has(room)) visit(room)
  return circles
}

/** The graph for a person: a line a room, floor by floor from the top. */
function drawn(graph: ReadonlyMap<string, ReadonlyMap<string, number>>): string {
  const floors = [...FLOORS.entries()].reverse().map(([height, [floor, because]]) => {
    const rooms = [...graph].filter(([room]) => floorOf(`${room}/`) === height).sort(([a], [b]) => (a < b ? -1 : 1))
    const lines = rooms.map(([room, edges]) => {
      const seen = [...edges.keys()].map(each => each.replace('engine/', '')).sort()
      return `  ${room.replace('engine/', '')} → ${seen.join(', ') || 'nothing'}`
    })
    return `${floor}: ${because}\n${lines.join('\n')}`
  })
  return floors.join('\n\n')
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const imports = importsWithin()
  const graph = roomGraph(imports)
  const [up, circles] = [upwardImports(imports), circlesOf(graph)]
  if (process.argv.includes('--draw')) console.log(drawn(graph))
  for (const { from, line, to } of up) console.log(`${from}:${line} imports ${to}, which is on a higher floor`)
  for (const circle of circles) console.log(`in a circle: ${circle.join(', ')}`)
  if (up.length + circles.length > 0) process.exitCode = 1
}
