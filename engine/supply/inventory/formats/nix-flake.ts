import { redactCredentials } from '../../../base/text/credentials.ts'
import { type Edge, type Entry, ManifestFault, type Parsed } from '../parsed.ts'
import { directoryOf } from '../paths.ts'
import { formatVcs } from '../resolved.ts'
import { findKeyLines, findLine, readJson } from '../syntax/json.ts'
import { asFields, asText, requireFields, requireTable } from '../syntax/shape.ts'

/** Reads flake.lock: inputs with their commit, and what each of them takes. */
export function parse(text: string, file: string): Parsed {
  const lock = requireFields(readJson(text), 'flake.lock')
  const lines = findKeyLines(text, 2)
  const root = asText(lock.root) ?? 'root'
  const nodes = requireTable(lock.nodes, 'nodes')
  if (!nodes.some(([name]) => name === root)) throw new ManifestFault('flake.lock has no root')
  const entries: Entry[] = []
  let direct: Edge[] = []
  for (const [key, fields] of nodes) {
    // A list is a path of inputs of others, which are listed there.
    const edges = Object.values(asFields(fields.inputs)).flatMap(to => (typeof to === 'string' ? [{ to }] : []))
    if (key === root) {
      direct = edges
      continue
    }
    const locked = asFields(fields.locked)
    if (locked.type === 'path') continue
    const [type, owner, repository, revision, url] = [
      locked.type,
      locked.owner,
      locked.repo,
      locked.rev,
      locked.url,
    ].map(asText)
    const isGitHub = type === 'github' && owner !== undefined && repository !== undefined
    const name =
      isGitHub || (owner && repository)
        ? `${owner}/${repository}`
        : url === undefined
          ? key
          : redactCredentials(url).replace(/^[a-z+]+:\/\//, '')
    entries.push({
      ...{
        key,
        name,
        ecosystem: isGitHub ? 'GitHub' : 'Git',
        kind: 'source',
        version: revision,
        line: findLine(lines, 'nodes', key),
        edges,
      },
      ...(url !== undefined && revision !== undefined && { resolved: url, vcs: formatVcs(url, revision) }),
    })
  }
  return { entries, projects: [{ directory: directoryOf(file), edges: direct }] }
}
