import { findRuleKind } from '../../../detect/file/requirement.ts'
import type { CompiledRule } from '../../../detect/rules/active-rules.ts'
import { checkBacktracking } from '../backtracking.ts'
import { findBrokenExamples, firesOn } from '../examples.ts'
import { commentOut } from './comments.ts'
import { isBroadGlob } from './globs.ts'
import { type Check, type LintedRule, makeProblem, type Problem, type Subject } from './problem.ts'

const LEAST_EXAMPLES = 3

/** What can be wrong with one rule, the others known. */
export async function lintRule(
  linted: LintedRule,
  { pack, rules, others, regex_ms, isProven }: Subject,
): Promise<Problem[]> {
  const { rule, place } = linted
  const found: Problem[] = []
  const complain = (check: Check, message: string, path: string[]) =>
    found.push(makeProblem(check, rule.id, `${rule.id}: ${message}`, place(path, path.length === 1 ? 'key' : 'value')))

  for (const { expected, code, detail } of isProven ? [] : findBrokenExamples(rule)) {
    const at = (rule[expected] ?? []).findIndex(example => example.code === code)
    complain('example-broken', `a ${expected} example fails (${detail})`, [expected, String(at)])
  }
  for (const expected of ['match', 'clean'] as const) {
    const count = rule[expected].length
    // A detector of secrets is one format, and its samples are made from that.
    if (count < LEAST_EXAMPLES && rule.type !== 'secret')
      complain('few-examples', `${count} ${expected} of at least ${LEAST_EXAMPLES}`, [expected])
  }
  if (CONTENT.has(rule.type) && rule.requirement.length === 0)
    complain('no-literal', 'no literal that every matching file must contain; add literals if one exists', ['id'])
  for (const { path, source, ignoreCase } of findRuleKind(rule).listExpressions(rule)) {
    const { kind, attack } = await checkBacktracking(source, ignoreCase, regex_ms)
    const key = path.join('.')
    if (kind === 'exponential') complain('slow-regex', `${key} takes exponential time, for example on ${attack}`, path)
  }
  for (const key of ['files', 'exclude_files'] as const) {
    for (const [at, glob] of rule[key].entries())
      if (isBroadGlob(glob)) complain('broad-glob', `${glob} matches every path`, [key, String(at)])
  }
  for (const check of misfires(linted)) complain(check.check, check.message, ['id'])
  const twin = twinOf(rule, [...others.flatMap(other => other.rules), ...rules.map(each => each.rule)], pack.id)
  if (twin) complain('duplicate-rule', `it has the same pattern as ${twin.id}`, ['id'])
  return found
}

/** Types that look for something inside files. */
const CONTENT = new Set<CompiledRule['type']>(['ast', 'regex'])

/** Where a textual rule fires that it was not written for. Syntax rules are not asked: they see no comment and no prose. */
function* misfires({ rule, place, text }: LintedRule): Iterable<{ check: Check; message: string }> {
  if (rule.type !== 'regex') return
  const anywhere = rule.languages.includes('any')
  const { file } = place([], 'value')
  if ((anywhere || rule.languages.includes('yaml')) && firesOn(rule, { code: text, path: file }))
    yield { check: 'fires-on-itself', message: 'it matches its own file' }
  if (anywhere || rule.languages.includes('markdown')) {
    if (firesOn(rule, { code: `# ${rule.title}\n\n${rule.message}\n`, path: 'README.md' }))
      yield { check: 'fires-on-prose', message: 'it matches its own title and message' }
  }
  // A secret in a comment is as much given away as one in code.
  if (rule.category === 'secret') return
  for (const language of rule.languages) {
    const example = rule.match.find(({ code, path }) => {
      const comment = commentOut(code, language)
      return comment !== undefined && firesOn({ ...rule, languages: [language] }, { code: comment, path })
    })
    if (!example) continue
    yield { check: 'fires-on-comment', message: `it matches a comment of ${language}; set contexts` }
    return
  }
}

/** Another rule with the same pattern for the same files. */
function twinOf(rule: CompiledRule, all: readonly CompiledRule[], packId: string): CompiledRule | undefined {
  const key = patternOf(rule)
  return all.find(
    other =>
      // Each of a pair within the pack is named once, by the one whose id comes later.
      (other.pack_id !== packId || other.id < rule.id) && other.id !== rule.id && patternOf(other) === key,
  )
}

const TOLD_APART = [
  'type',
  'languages',
  'defects',
  'files',
  'exclude_files',
  'silent_in',
  'unless_cited',
  'review',
  'rule',
  'constraints',
  'regex',
  'when',
  'declared',
  'where',
  'contexts',
  'check',
  'question',
  'class',
  'own_sources',
  'sources',
  'cleaners',
  'sinks',
  'resources',
  'utils',
  'detector',
]

const patterns = new WeakMap<CompiledRule, string>()

function patternOf(rule: CompiledRule): string {
  const known = patterns.get(rule)
  if (known !== undefined) return known
  const own = rule as unknown as Record<string, unknown>
  const pattern = JSON.stringify(
    TOLD_APART.map(key => (key === 'languages' ? [...rule.languages].sort() : (own[key] ?? null))),
  )
  patterns.set(rule, pattern)
  return pattern
}
