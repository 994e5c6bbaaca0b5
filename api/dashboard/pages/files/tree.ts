import { SEVERITIES, type Severity } from '../../format.ts'
import type { Answers } from '../../server/answers.gen.ts'

type Data = NonNullable<Answers['GET /api/pages/files']['data']>

/** A file of the run with its findings. */
export type Measured = Data['files'][number] & { worst?: Severity }

/** A file or directory below the one that is shown. */
export interface Node {
  path: string
  name: string
  /** Undefined for a directory. */
  file?: Measured
  lines: number
  files: number
  findings: number
  worst?: Severity
}

/** The files, each with the worst severity of its findings. */
export function measure({ files, findings }: Pick<Data, 'files' | 'findings'>): Measured[] {
  const worst = new Map<string, Severity>()
  for (const { file, severity } of findings) worst.set(file, worseOf(worst.get(file), severity)!)
  return files.map(file => ({ ...file, worst: worst.get(file.path) }))
}

/** What lies directly below a directory ('' is the root, others end with a slash), with the sums of all below. */
export function listBelow(files: readonly Measured[], directory: string): Node[] {
  const nodes = new Map<string, Node>()
  for (const file of files) {
    if (!file.path.startsWith(directory)) continue
    const rest = file.path.slice(directory.length)
    const slash = rest.indexOf('/')
    const name = slash < 0 ? rest : rest.slice(0, slash + 1)
    const node = nodes.get(name) ?? { path: directory + name, name, lines: 0, files: 0, findings: 0 }
    if (slash < 0) node.file = file
    node.lines += file.lines ?? 0
    node.files++
    node.findings += file.findings
    node.worst = worseOf(node.worst, file.worst)
    nodes.set(name, node)
  }
  return [...nodes.values()]
}

function worseOf(a: Severity | undefined, b: Severity | undefined): Severity | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return SEVERITIES.indexOf(a) <= SEVERITIES.indexOf(b) ? a : b
}
