import { type Entry, ManifestFault, type Parsed } from '../parsed.ts'
import { formatVcs } from '../resolved.ts'
import { findKeyLines, findLine, readJson } from '../syntax/json.ts'
import { asFields, asText, requireFields, requireList } from '../syntax/shape.ts'

/** Reads Package.resolved of version 1 to 3. A package's name is its address without the scheme, as in OSV. */
export function parse(text: string): Parsed {
  const resolved = requireFields(readJson(text), 'Package.resolved')
  const lines = findKeyLines(text, 4)
  const older = resolved.object !== undefined
  const pins = requireList(older ? asFields(resolved.object).pins : resolved.pins, 'pins')
  const entries = pins.map((each, at): Entry => {
    const fields = requireFields(each, 'pin')
    const line = findLine(lines, ...(older ? ['object'] : []), 'pins', String(at), older ? 'package' : 'identity')
    const address = asText(fields.location) ?? asText(fields.repositoryURL)
    if (address === undefined) throw new ManifestFault('a pin has no location', line)
    const state = asFields(fields.state)
    const [version, revision] = [asText(state.version), asText(state.revision)]
    const isRegistry = fields.kind === 'registry'
    const name = isRegistry
      ? (asText(fields.identity) ?? address)
      : address
          .replace(/^(?:[a-z+]+:\/\/)?(?:[^/@]+@)?/i, '')
          .replace(/^([^/:]+):(?!\d)/, '$1/')
          .replace(/\.git$/, '')
    // A branch has no version: the commit is all that is known.
    return {
      key: String(at),
      name,
      line,
      resolved: address,
      ...(version !== undefined
        ? { version }
        : revision !== undefined
          ? { version: revision, vcs: formatVcs(address, revision) }
          : {}),
    }
  })
  return { entries }
}
