import type { Parsed } from '../parsed.ts'
import { readJson } from '../syntax/json.ts'
import { asText, asTexts, requireFields } from '../syntax/shape.ts'
import { readYaml } from '../syntax/yaml.ts'

/** Reads META.json and META.yml of an installed distribution of Perl. Other tools have files of these names: they are none. */
export function parse(text: string, file: string): Parsed {
  const meta = requireFields(file.includes('.json') ? readJson(text) : readYaml(text)[0], 'the file')
  const [name, version] = [asText(meta.name), asText(meta.version)]
  // PGXN's files have the same form and another specification.
  const spec = JSON.stringify(meta['meta-spec'] ?? '')
  const isPerl = (/cpan|"version"|^""$/i.test(spec) && !/pgxn/i.test(spec)) || meta.prereqs !== undefined
  const hasMark = ['meta-spec', 'prereqs', 'requires', 'generated_by', 'abstract'].some(
    field => meta[field] !== undefined,
  )
  if (!isPerl || !hasMark) return { detail: 'it is no META file of CPAN' }
  // A file without both names no distribution.
  if (name === undefined || version === undefined) return { detail: 'it has no name or no version' }
  return { entries: [{ key: name, name, version, license: asTexts(meta.license)[0] }] }
}
