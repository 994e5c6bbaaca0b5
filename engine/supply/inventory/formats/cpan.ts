import { ManifestFault, type Parsed } from '../parsed.ts'
import { readJson } from '../syntax/json.ts'
import { asText, asTexts, requireFields } from '../syntax/shape.ts'
import { readYaml } from '../syntax/yaml.ts'

/** Reads META.json and META.yml of an installed distribution of Perl. */
export function parse(text: string, file: string): Parsed {
  const meta = requireFields(file.includes('.json') ? readJson(text) : readYaml(text)[0], 'the file')
  const [name, version] = [asText(meta.name), asText(meta.version)]
  if (
    meta['meta-spec'] === undefined &&
    meta.prereqs === undefined &&
    meta.requires === undefined &&
    name === undefined
  )
    throw new ManifestFault('this is no META file of CPAN')
  // A file without both names no distribution.
  if (name === undefined || version === undefined) return { detail: 'it has no name or no version' }
  return { entries: [{ key: name, name, version, license: asTexts(meta.license)[0] }] }
}
