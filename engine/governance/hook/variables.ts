import type { SgNode } from '@ast-grep/napi'

/** What is known of a script's variables while it is read. */
export interface Variables {
  get(name: string): string | undefined
  /** Undefined for a value that is known only when it runs. */
  set(name: string, value: string | undefined): void
}

/** Variables of the surroundings that a script's words are made of. */
const GIVEN = ['HOME', 'PWD', 'TMPDIR', 'USER']

/** Commands by which any variable may get any value. */
const SETS_ANY = /^(eval|source|\.|let|alias|set|shift)$/
/** Commands that set the variables that they name. */
const SETS_NAMED = /^(read|mapfile|readarray|getopts|printf|unset|declare|local|typeset|export|readonly|wait|coproc)$/
const CHANGES_FOLDER = /^(cd|pushd|popd)$/

/**
 * The variables of a script, as far as its text tells their values. Known is one that is set at one place only, and by
 * nothing else: where several do, the order in which they run would have to be known.
 */
export function readVariables(root: SgNode, env: Readonly<Record<string, string | undefined>>): Variables {
  const places = new Map<string, number>()
  const count = (name: string, times = 1) => places.set(name, (places.get(name) ?? 0) + times)
  let any = root.has({ rule: { kind: 'c_style_for_statement' } })
  for (const node of root.findAll({ rule: { kind: 'compound_statement' } })) any ||= node.text().startsWith('((')
  for (const node of root.findAll({ rule: { kind: 'variable_assignment' } })) count(node.field('name')?.text() ?? '')
  for (const node of root.findAll({ rule: { kind: 'for_statement' } })) count(node.field('variable')?.text() ?? '', 2)
  for (const node of root.findAll({ rule: { kind: 'unset_command' } }))
    for (const child of node.children()) count(child.text(), 2)
  // `declare -n` makes one name stand for another.
  for (const node of root.findAll({ rule: { kind: 'declaration_command' } })) any ||= /\s-[a-zA-Z]*n/.test(node.text())
  for (const node of root.findAll({ rule: { any: [{ kind: 'arithmetic_expansion' }, { kind: 'expansion' }] } }))
    any ||= /\$\(\(.*=|\$\{!|:?=/s.test(node.text())
  for (const node of root.findAll({ rule: { kind: 'command' } })) {
    const words = node.text().split(/\s+/)
    any ||= words.some(word => SETS_ANY.test(word))
    if (words.some(word => SETS_NAMED.test(word))) for (const word of words) count(word, 2)
    if (words.some(word => CHANGES_FOLDER.test(word))) for (const name of ['PWD', 'OLDPWD']) count(name, 2)
  }
  const values = new Map<string, string | undefined>()
  const isTold = (name: string) => !any && (places.get(name) ?? 0) <= 1
  for (const name of GIVEN) if (!places.has(name)) values.set(name, env[name])
  return {
    get: name => (isTold(name) ? values.get(name) : undefined),
    set: (name, value) => values.set(name, value),
  }
}
