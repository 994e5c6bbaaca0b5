import type { PackedRule, ResourceCondition, ResourceRule } from '../../base/records/rule.ts'
import type { RuleFault, RuleKind } from '../rules/detector.ts'
import { findWord } from './words.ts'

/** How a type's name begins to be written in escapes (`\u0061ws_s3_bucket`): such a file is searched too. */
const ESCAPED = ['\\u00']
/** The same where YAML has more of them; a backslash at the end of a line leaves that out. */
const ESCAPED_IN_YAML = [...ESCAPED, '\\x', '\\\n', '\\\r\n']

/** Languages that resources are read from. */
const READ: ReadonlySet<string> = new Set(['hcl', 'yaml', 'json', 'bicep'])

/** What a rule about resources requires of a file: that it names one of their types. */
export default {
  type: 'resource',
  deriveRequirement({ resources, languages }) {
    const types = [...new Set(resources.flatMap(row => row.types))]
    const escaped = languages.includes('yaml') || languages.includes('json') ? ESCAPED_IN_YAML : ESCAPED
    const escapes = escaped.map(text => ({ text, word: false }))
    const named = [...types.map(requireName), ...escapes]
    // The last part of a type of Azure is a common word (`config`), so that the name of its provider is required too.
    const isAzure = types.every(type => type.startsWith('Microsoft.'))
    return isAzure ? [named, [{ text: 'microsoft.', word: false }, ...escapes]] : [named]
  },
  listExpressions: ({ resources }) =>
    resources.flatMap((row, index) =>
      [row, ...(row.and ?? [])].flatMap(({ matches }) =>
        matches === undefined ? [] : [{ path: ['resources', String(index)], source: matches, ignoreCase: true }],
      ),
    ),
  findFaults({ resources, languages }): RuleFault[] {
    const faults: RuleFault[] = []
    if (languages.some(language => !READ.has(language)))
      faults.push({
        key: 'languages',
        message: `must be of ${[...READ].join(', ')}: resources are read from these`,
      })
    resources.forEach((row, index) => {
      if ([row, ...(row.and ?? [])].some(asksNothing))
        faults.push({
          key: `resources.${index}`,
          message: 'needs one of is, not, matches, at_most, at_least, covers, empty and absent beside each property',
        })
    })
    return faults
  },
} satisfies RuleKind<ResourceRule & PackedRule>

/** What a file with a block of the type contains: its name, or the longest part of one with `*`, or of a block of any label its keyword. */
function requireName(type: string): { text: string; word: boolean } {
  const name = findWord(type) ?? type.slice(type.lastIndexOf('.') + 1)
  if (!name.includes('*')) return { text: name.toLowerCase(), word: true }
  const [longest = ''] = name.split('*').sort((a, b) => b.length - a.length)
  return longest === ''
    ? { text: type.slice(0, type.indexOf('.')).toLowerCase(), word: true }
    : { text: longest.toLowerCase(), word: false }
}

function asksNothing({ is, not, matches, at_most, at_least, covers, empty, absent }: ResourceCondition): boolean {
  return [is, not, matches, at_most, at_least, covers, empty, absent].every(one => one === undefined)
}
