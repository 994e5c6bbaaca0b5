import { type } from 'arktype'
import { formatRuleId, resolveRuleId } from '../../base/records/rule-ids.ts'
import { formatCount } from '../../base/text/words.ts'
import { defineOperation } from '../../door/operation.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { loadPacks } from '../../sources/packs/load.ts'
import { findNamedPack } from '../../sources/packs/named.ts'
import { type Proof, provePack } from '../../sources/packs/proof.ts'

/** Every example of the rules, run again on this machine: what must be found is found, what must not be is not. */
export default defineOperation({
  id: 'rules.test',
  summary: 'Test the rules of a pack, or of all packs, on their examples; exit 1 if an example fails.',
  effect: 'read',
  cli: 'rules test [pack]',
  rest: null,
  mcp: null,
  input: type({
    'pack?': type('string > 0').describe("a pack id, or a pack's directory or file (default: every pack)"),
    '+': 'reject',
  }),
  output: type({
    passed: 'boolean',
    packs: type({
      id: 'string',
      rules: 'number.integer',
      examples: 'number.integer',
      broken: type({
        rule: 'string',
        'key?': 'string',
        expected: "'match' | 'clean'",
        code: 'string',
        detail: 'string',
      }).array(),
    }).array(),
    rules: 'number.integer',
    examples: 'number.integer',
    broken: 'number.integer',
  }),
  examples: [
    ['svc rules test', 'test all rules'],
    ['svc rules test acme', 'test the rules of one pack'],
    ['svc rules test drafts/acme.yaml', 'test a pack that is not imported'],
  ],

  async run({ pack }, context) {
    const packs = await loadPacks(findRepositoryRoot(context.cwd))
    const chosen =
      pack === undefined ? packs : [packs.find(({ id }) => id === pack) ?? (await findNamedPack(pack, packs, context))]
    const proofs = chosen
      .filter(({ rules }) => rules.length > 0)
      .map(each => nameForms(provePack(each, context.signal)))
    const sum = (count: (proof: (typeof proofs)[number]) => number) =>
      proofs.reduce((all, proof) => all + count(proof), 0)
    const broken = sum(proof => proof.broken.length)
    return {
      passed: broken === 0,
      packs: proofs,
      rules: sum(({ rules }) => rules),
      examples: sum(({ examples }) => examples),
      broken,
    }
  },

  text({ packs, rules, examples, broken }, { paint }) {
    const lines = packs.flatMap(pack => [
      `${paint(pack.broken.length === 0 ? 'green' : 'red', pack.broken.length === 0 ? 'holds ' : 'broken')}  ${pack.id}: ${formatCount(pack.rules, 'rule')}, ${formatCount(pack.examples, 'example')}`,
      ...pack.broken.map(
        ({ rule, key, expected, code, detail }) =>
          `    ${formatRuleId(key ?? rule)}: a ${expected} example, ${detail}: ${JSON.stringify(code)}`,
      ),
    ])
    const verdict = broken === 0 ? 'all passed' : `${broken} failed`
    return [...lines, `${formatCount(rules, 'rule')}, ${formatCount(examples, 'example')}: ${verdict}.`].join('\n')
  },

  exit: ({ passed }) => (passed ? 0 : 1),
})

/** The proof with the ids that findings have; of a form of a rule by weakness its key beside that. */
function nameForms(proof: Proof) {
  const broken = proof.broken.map(({ rule, ...more }) => {
    const id = resolveRuleId(rule)
    return { rule: id, ...(id !== rule && { key: rule }), ...more }
  })
  return { ...proof, broken }
}
