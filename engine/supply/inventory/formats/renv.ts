import { type Entry, ManifestFault, type Parsed } from '../parsed.ts'
import { directoryOf } from '../paths.ts'
import { formatVcs } from '../resolved.ts'
import { findKeyLines, findLine, readJson } from '../syntax/json.ts'
import { asText, asTexts, requireFields, requireTable } from '../syntax/shape.ts'

/** Reads renv.lock. */
export function parse(text: string, file: string): Parsed {
  const lock = requireFields(readJson(text), 'renv.lock')
  const lines = findKeyLines(text, 2)
  const packages = requireTable(lock.Packages, 'Packages')
  const known = new Set(packages.map(([name]) => name))
  const entries = packages.map(([key, fields]): Entry => {
    const line = findLine(lines, 'Packages', key)
    const [name, version] = [asText(fields.Package) ?? key, asText(fields.Version)]
    if (version === undefined) throw new ManifestFault(`${key} has no version`, line)
    const edges = asTexts(fields.Requirements ?? fields.Depends ?? []).flatMap(to => (known.has(to) ? [{ to }] : []))
    const commit = asText(fields.RemoteSha)
    const host = asText(fields.RemoteHost)
    const isGit = host !== undefined && commit !== undefined && fields.RemoteRepo !== undefined
    const vcs = isGit
      ? {
          vcs: formatVcs(
            `https://${host.replace(/^api\./, '').replace(/\/api.*$/, '')}/${asText(fields.RemoteUsername)}/${asText(fields.RemoteRepo)}`,
            commit,
          ),
        }
      : {}
    // Bioconductor is another registry, of which OSV knows nothing under CRAN's name.
    const qualifiers = fields.Source === 'Bioconductor' ? { qualifiers: { repository: 'Bioconductor' } } : {}
    return { key, name, version, line, edges, scope: 'production', ...vcs, ...qualifiers }
  })
  return { entries, projects: [{ directory: directoryOf(file) }] }
}
