import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { CHECKS } from '../../engine/assistants/audit/checks.ts'
import { resolveRuleId } from '../../engine/base/records/rule-ids.ts'
import { OPERATIONS } from '../../engine/door/operations.gen.ts'
import { loadBuiltinPacks } from '../../engine/sources/packs/load.ts'
import { textOf } from '../root.ts'
import { projectFiles } from '../sources.ts'

const rules = loadBuiltinPacks().flatMap(pack => pack.rules)
const ids = new Set([...rules.flatMap(({ id }) => [id, resolveRuleId(id)]), ...Object.keys(CHECKS)])
/** Rules that are off until the configuration asks for canaries. */
const canaries = new Set(rules.filter(({ canary }) => canary).map(({ id }) => id))
const families = new Set([...ids].map(id => id.split('-')[0]!))

/** Where a rule must be named: behind the command, the option, the comment or the key that takes one. */
const NAMED =
  /(?:svc explain |--rule |svc-ignore: |^\s*(?:- )?rule: )["']?([a-z][a-z0-9]*(?:-[a-z0-9]+)+)(?=["'\s,`]|$)/gm
/** A code span that can be nothing but a rule's id: three words or more, of which the first is one that ids begin with. */
const SPAN = /`([a-z][a-z0-9]*(?:-[a-z0-9]+){2,})`/g

/** Operators of Semgrep, whose names are like ids. */
const OPERATORS = new Set(['pattern-not-inside'])

/** Pages of verdicts on rules that were, and of packages, whose names are like those of rules. */
const OTHERS = ['accuracy.md', 'dependencies.md']

const pages = projectFiles().filter(
  path => path === 'README.md' || (/^docs\/[^/]+\.md$/.test(path) && !OTHERS.includes(basename(path))),
)

describe('rules that a user is told of', () => {
  it.each(pages.filter(path => namedIn(textOf(path)).length > 0))('%s names rules that exist', path => {
    const text = textOf(path)
    // A page may define a rule and then use it.
    const own = new Set([...text.matchAll(/^id: (\S+)$/gm)].map(([, id]) => id!))
    expect(namedIn(text).filter(id => !ids.has(id) && !own.has(id))).toEqual([])
  })

  it('exist where an example in the help of a command names one', () => {
    const named = OPERATIONS.flatMap(({ examples }) => examples.flatMap(([command]) => namedIn(command)))
    expect(named).toContain('js-tls-reject-unauthorized-off')
    expect(named.filter(id => !ids.has(id))).toEqual([])
  })

  it('are on without a setting where a first suppression names one', () => {
    const first = ['docs/getting-started.md', 'docs/suppressions.md', 'README.md'].flatMap(path =>
      namedIn(textOf(path)),
    )
    const examples = OPERATIONS.flatMap(({ examples }) => examples.flatMap(([command]) => namedIn(command)))
    expect([...first, ...examples].filter(id => canaries.has(id))).toEqual([])
  })
})

function namedIn(text: string): string[] {
  const spans = [...text.matchAll(SPAN)]
    .map(([, id]) => id!)
    .filter(id => families.has(id.split('-')[0]!) && !OPERATORS.has(id))
  return [...new Set([...[...text.matchAll(NAMED)].map(([, id]) => id!), ...spans])]
}
