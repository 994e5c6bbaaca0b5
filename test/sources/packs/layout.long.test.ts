import { parse, type SgNode } from '@ast-grep/napi'
import { expect, test } from 'vitest'
import { detectLanguage } from '../../../engine/base/languages/languages.ts'
import { isFreeOfLayout } from '../../../engine/detect/lexer/layout.ts'
import type { CompiledRule } from '../../../engine/detect/rules/active-rules.ts'
import { AST_LANGUAGES, getGrammarName, registerGrammars } from '../../../engine/detect/syntax/grammar.ts'
import { firesOn } from '../../../engine/sources/packs/examples.ts'
import { loadBuiltinRules, loadExamples } from '../../../engine/sources/packs/load.ts'

registerGrammars()

const KINDS = new Set(['ast', 'taint', 'regex'])
/** What holds arguments, over all grammars. */
const ARGUMENTS = /^(?:argument_list|arguments|value_arguments|annotation_argument_list|attribute_argument_list)$/

const rules = loadBuiltinRules().filter(({ type }) => KINDS.has(type))

function lost(written: (rule: CompiledRule, code: string, language: string) => string | undefined): string[] {
  return rules.flatMap(rule =>
    loadExamples(rule).match.flatMap(({ code, path }) => {
      const language = (path && detectLanguage(path)) ?? rule.languages.find(name => name !== 'any') ?? 'text'
      const other = written(rule, code, language)
      if (other === undefined || other === code) return []
      return firesOn(rule, { code: other, ...(path !== undefined && { path }) }) ? [] : [`${rule.id}:\n${other}`]
    }),
  )
}

/** Every argument on a line of its own; undefined where that is no program, or none of this language. */
function wrapped(code: string, language: string): string | undefined {
  if (!isFreeOfLayout(language) || !AST_LANGUAGES.includes(language)) return undefined
  const root = parse(getGrammarName(language), code).root()
  const breaks: number[] = []
  const visit = (node: SgNode): void => {
    const children = node.children()
    if (ARGUMENTS.test(String(node.kind())) && children.length > 2 && children[0]!.text() === '(')
      for (const child of children) if (/^[(,]$/.test(child.text())) breaks.push(child.range().end.index)
    for (const child of children) visit(child)
  }
  visit(root)
  const out = breaks.sort((a, b) => b - a).reduce((text, at) => `${text.slice(0, at)}\n    ${text.slice(at)}`, code)
  return hasError(parse(getGrammarName(language), out).root()) && !hasError(root) ? undefined : out
}

const hasError = (root: SgNode) => root.find({ rule: { kind: 'ERROR' } } as never) !== null

test('no rule loses an example by its arguments standing on lines of their own', () => {
  expect(lost((_, code, language) => wrapped(code, language))).toEqual([])
}, 60_000)

test('no rule loses an example by the line ends of Windows', () => {
  expect(lost((_, code) => code.replaceAll('\n', '\r\n'))).toEqual([])
}, 60_000)
