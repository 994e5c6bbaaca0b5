import { checkRules } from './check.ts'
import { findCyclicGroups, makeDigraph } from './cycles.ts'
import { type ImportGraph, listEdges, listSources } from './graph.ts'
import { countFans } from './rules/limits.ts'
import type { ArchitectureRules } from './rules.ts'
import { parseRules } from './rules-file.ts'
import { matchAny } from './scope.ts'

export const TEMPLATE_PATH = 'architecture.yaml'

/** Files that a list of exceptions names; where they are more, the rule is left as a comment. */
const MOST_EXCEPTIONS = 50
/** Layers of a template; a repository with more top directories gets none. */
const MOST_LAYERS = 60
/** Where tests are, by language; those that match a file are written. */
const TEST_GLOBS = [
  'test/**',
  'tests/**',
  '**/{test,tests,__tests__,spec}/**',
  '**/*.{test,spec}.*',
  '**/*_{test,spec}.*',
  '**/test_*.py',
  '**/*{Test,Tests}.{java,kt,cs}',
]

/** A part of the template: a rule, with what it says. */
interface Section {
  comment: string
  yaml: string
}

/** The text of the template: each section is a rule where the graph meets it, and a comment where it does not. */
export function formatTemplate(graph: ImportGraph): string {
  const sections = [
    formatLayers(graph),
    formatTests(graph),
    formatCycles(graph),
    formatOrphans(graph),
    formatLimits(graph),
  ]
  const body = sections
    .filter(section => section !== undefined)
    .map(({ comment, yaml }) => {
      const isMet = checkRules(graph, parseRules(Buffer.from(yaml), TEMPLATE_PATH)).length === 0
      return isMet
        ? `# ${comment}\n${yaml}`
        : `# ${comment} The present code violates it, so it is a comment:\n${yaml.replace(/^(?=.)/gm, '# ')}`
    })
  return `# Architecture rules: \`svc check-arch\` checks them, and \`svc scan\` reports violations as findings.
# Written from the present structure by \`svc check-arch --init\`. Add a reason to each rule: violations show it.

${body.join('\n')}`
}

/** The top directories in the order in which they import each other; those that import each other in cycles share a layer. */
function formatLayers(graph: ImportGraph): Section | undefined {
  const folders = listComponents(graph)
  const numbers = new Map(folders.map((folder, index) => [folder, index]))
  const findComponent = (file: number) =>
    numbers.get(folders.find(folder => graph.paths[file]!.startsWith(`${folder}/`)) ?? '')
  const members = graph.paths.map((_, file) => findComponent(file))
  const pairs: [number, number][] = []
  for (const { from, to, kind } of listEdges(graph)) {
    if (to === undefined || kind === 'declare') continue
    const [own, other] = [members[from], members[to]]
    if (own !== undefined && other !== undefined) pairs.push([own, other])
  }
  const layers = sortTopologically(folders.length, pairs)
  if (layers.length < 2 || layers.length > MOST_LAYERS) return undefined
  const names = new Set<string>()
  const rows = layers.map(layer => {
    const paths = layer.map(index => `${escapeGlob(folders[index]!)}/**`)
    return `  - name: ${nameLayer(folders[layer[0]!]!, names)}\n    paths: [${paths.map(path => JSON.stringify(path)).join(', ')}]`
  })
  return {
    comment: 'From top to bottom: a layer imports itself and layers below it.',
    yaml: `layers:\n${rows.join('\n')}\n`,
  }
}

/** The directories of the first level that has several of them. */
function listComponents(graph: ImportGraph): string[] {
  const paths = listSources(graph).map(file => graph.paths[file]!.split('/').slice(0, -1))
  const deepest = Math.max(0, ...paths.map(parts => parts.length))
  for (let depth = 1; depth <= deepest; depth++) {
    const folders = new Set(paths.filter(parts => parts.length >= depth).map(parts => parts.slice(0, depth).join('/')))
    if (folders.size > 1) return [...folders].sort()
  }
  return []
}

/** Groups of nodes such that each imports only later ones; nodes in a cycle are one group. Among equals the lowest number is first. */
function sortTopologically(count: number, pairs: readonly (readonly [number, number])[]): number[][] {
  const group = Int32Array.from({ length: count }, (_, node) => node)
  for (const cyclic of findCyclicGroups(makeDigraph(count, pairs))) for (const node of cyclic) group[node] = cyclic[0]!
  const open = new Set(group)
  const order: number[][] = []
  while (open.size > 0) {
    const imported = new Set(
      pairs.flatMap(([from, to]) => (open.has(group[from]!) && group[from] !== group[to] ? [group[to]!] : [])),
    )
    const next = [...open].find(each => !imported.has(each))!
    open.delete(next)
    order.push([...group.keys()].filter(node => group[node] === next))
  }
  return order
}

function nameLayer(folder: string, taken: Set<string>): string {
  const base =
    folder
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^-|-$/g, '')
      .slice(0, 50) || 'layer'
  let name = base
  for (let count = 2; taken.has(name); count++) name = `${base}-${count}`
  taken.add(name)
  return name
}

function formatTests(graph: ImportGraph): Section | undefined {
  const sources = listSources(graph).map(file => graph.paths[file]!)
  const globs = TEST_GLOBS.filter(glob => sources.some(matchAny([glob])))
  if (globs.length === 0) return undefined
  const list = globs.map(glob => JSON.stringify(glob)).join(', ')
  return {
    comment: 'Code does not import tests.',
    yaml: `forbidden:\n  - name: no-imports-of-tests\n    from: "**"\n    except: [${list}]\n    to: [${list}]\n    reason: "Tests are not shipped."\n`,
  }
}

function formatCycles(graph: ImportGraph): Section {
  const exceptions = listViolating(graph, { cycles: {} })
  return {
    comment:
      exceptions.length === 0
        ? 'Files do not import each other in cycles; imports of types alone do not count.'
        : 'Files do not import each other in cycles, but for those that do today; remove an exception when its cycle is gone.',
    yaml: `cycles:${formatExceptions(exceptions) || ' {}\n'}`,
  }
}

function formatOrphans(graph: ImportGraph): Section {
  const exceptions = listViolating(graph, { orphans: {} })
  return {
    comment: 'Every file imports a file, or is imported by one.',
    yaml: `orphans:${formatExceptions(exceptions) || ' {}\n'}`,
  }
}

/** The files that violate a rule; none where they are too many to be listed. */
function listViolating(graph: ImportGraph, rules: ArchitectureRules): string[] {
  const files = [...new Set(checkRules(graph, rules).map(({ file }) => file))]
  return files.length > MOST_EXCEPTIONS ? [] : files
}

function formatExceptions(files: readonly string[]): string {
  return files.length === 0
    ? ''
    : `\n  except:\n${files.map(file => `    - ${JSON.stringify(escapeGlob(file))}\n`).join('')}`
}

function formatLimits(graph: ImportGraph): Section {
  const most = countFans(graph).fanOut.reduce((a, b) => Math.max(a, b), 0)
  return {
    comment: 'How many files a file may import: the most that one does today.',
    yaml: `limits:\n  - fan_out: ${most}\n`,
  }
}

/** A path as a glob that takes it alone. */
function escapeGlob(path: string): string {
  return path.replace(/[*?[\]{}\\]/g, '\\$&')
}
