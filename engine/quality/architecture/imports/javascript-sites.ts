import type { SgNode } from '@ast-grep/napi'
import type { ImportKind } from '../graph.ts'
import { UnreadableSource } from './language.ts'

/** An import of a script; `computed` where the specifier is a template (`*` for what is filled in) or no string at all. */
export interface ScriptSite {
  specifier: string
  offset: number
  kind: ImportKind
  computed?: 'glob' | 'all'
  /** It is a call of `import`. */
  isCall?: true
}

const CALL = /\b(?:require|import)\s*(?:\.\s*resolve\s*)?\(/g
/** Its body may import. */
const AMBIENT = /\bdeclare\s+module\b/
const REQUIRE = /\brequire\b/
const MARKUP = /<\/|\/>/
/** `{ type A, type B }`: nothing of it is left when types are erased, but under `verbatimModuleSyntax` the import itself. */
const ONLY_TYPES =
  /^(?:import|export)\s*\{\s*type\s+[\w$]+(?:\s+as\s+[\w$]+)?\s*(?:,\s*type\s+[\w$]+(?:\s+as\s+[\w$]+)?\s*)*,?\s*\}/
const REFERENCE = /^[^\S\n]*\/\/\/[^\S\n]*<reference[^\S\n]+(path|types)[^\S\n]*=[^\S\n]*["']([^"'\n]+)["']/gm

/**
 * The reader of a script's imports: es-module-lexer, which takes 20 ms for each megabyte, and the syntax tree where that cannot tell: calls of
 * `require`, calls in a text that may hold JSX (an apostrophe between tags begins no string), and what the lexer refuses.
 */
export async function makeScriptReader(): Promise<(text: string, language: string) => ScriptSite[]> {
  const { init, parse } = await import('es-module-lexer')
  const { parseSyntax } = await import('../../../detect/syntax/parsed.ts')
  await init
  return (text, language) => {
    const references = language === 'typescript' || language === 'tsx' ? findReferences(text) : []
    if (!/\b(?:import|require|from)\b/.test(text)) return references
    const calls = text.match(CALL)?.length ?? 0
    const mayHideCalls = language !== 'typescript' && MARKUP.test(text)
    const needsTree = (calls > 0 && (REQUIRE.test(text) || mayHideCalls)) || AMBIENT.test(text)
    if (!needsTree) {
      try {
        const found = readTokens(text)
        if (found.filter(({ isCall }) => isCall).length === calls) return [...references, ...found]
      } catch {
        // The tree knows what the lexer refuses: decorators of old, syntax errors further down.
      }
    }
    const parsed = parseSyntax(language, text)
    if (!('root' in parsed)) throw new UnreadableSource(parsed.detail ?? parsed.reason)
    return [...references, ...readTree(parsed.root)]
  }

  function readTokens(text: string): ScriptSite[] {
    const [imports] = parse(text)
    return imports.flatMap((found): ScriptSite[] => {
      if (found.type === 'import-meta') return []
      if (found.type === 'dynamic') {
        const kind = found.probablyTypeOnly ? 'type' : 'dynamic'
        const { specifier, glob } = found
        const call = { offset: found.importStart, kind, isCall: true } as const
        if (specifier === undefined)
          return [{ ...call, specifier: text.slice(found.start, found.end).slice(0, 80), computed: 'all' }]
        return [{ ...call, specifier, ...(glob && { computed: 'glob' as const }) }]
      }
      const statement = text.slice(found.importStart, found.start)
      return [{ specifier: found.specifier, offset: found.importStart, kind: findKind(statement, found.typeOnly) }]
    })
  }
}

function findKind(statement: string, typeOnly: boolean): ImportKind {
  if (typeOnly || ONLY_TYPES.test(statement)) return 'type'
  return statement.startsWith('export') ? 'reexport' : 'import'
}

/** Triple-slash directives: they take declarations only. */
function findReferences(text: string): ScriptSite[] {
  if (!text.includes('<reference')) return []
  return [...text.matchAll(REFERENCE)].map(({ 1: form, 2: name, index }) => ({
    specifier: form === 'path' && !/^\.{0,2}\//.test(name!) ? `./${name}` : name!,
    offset: index,
    kind: 'type' as const,
  }))
}

const STATEMENTS = {
  any: [
    { kind: 'import_statement' },
    { kind: 'export_statement', has: { field: 'source', kind: 'string' } },
    {
      kind: 'call_expression',
      has: {
        field: 'function',
        any: [
          { kind: 'import' },
          { kind: 'identifier', regex: '^require$' },
          { kind: 'member_expression', regex: '^require\\s*\\.\\s*resolve$' },
        ],
      },
    },
  ],
}

/** The same from the syntax tree. */
function readTree(root: SgNode): ScriptSite[] {
  return root.findAll({ rule: STATEMENTS } as never).flatMap((node: SgNode): ScriptSite[] => {
    const offset = node.range().start.index
    if (node.kind() === 'call_expression') return readCall(node, offset)
    const source = node.field('source') ?? findRequired(node)
    if (!source) return []
    return [{ specifier: unquote(source.text()), offset, kind: findKind(node.text(), isTypeOnly(node)) }]
  })
}

/** The string of `import x = require('y')`. */
function findRequired(node: SgNode): SgNode | null {
  const clause = node.children().find(child => child.kind() === 'import_require_clause')
  return clause?.field('source') ?? clause?.find({ rule: { kind: 'string' } } as never) ?? null
}

function isTypeOnly(node: SgNode): boolean {
  return node.children()[1]?.kind() === 'type' || node.children()[1]?.kind() === 'typeof'
}

function readCall(node: SgNode, offset: number): ScriptSite[] {
  const isImport = node.field('function')?.kind() === 'import'
  const kind = !isImport ? 'require' : isInType(node) ? 'type' : 'dynamic'
  const argument = node
    .field('arguments')
    ?.children()
    .find(child => !['(', 'comment'].includes(String(child.kind())))
  if (!argument || argument.kind() === ')') return []
  if (argument.kind() === 'string') return [{ specifier: unquote(argument.text()), offset, kind }]
  if (argument.kind() !== 'template_string')
    return [{ specifier: argument.text().slice(0, 80), offset, kind, computed: 'all' }]
  const parts = argument.children().filter(child => child.kind() === 'template_substitution')
  const text = argument.text().slice(1, -1)
  if (parts.length === 0) return [{ specifier: text, offset, kind }]
  const start = argument.range().start.index + 1
  let glob = ''
  let from = 0
  for (const part of parts) {
    const { start: first, end } = part.range()
    glob += `${text.slice(from, first.index - start)}*`
    from = end.index - start
  }
  return [{ specifier: glob + text.slice(from), offset, kind, computed: 'glob' }]
}

/** What holds types; an expression stands in none of them. */
const TYPES = new Set([
  'type_annotation',
  'type_alias_declaration',
  'interface_declaration',
  'type_arguments',
  'type_parameters',
  'type_query',
  'extends_type_clause',
])
const CASTS = new Set(['as_expression', 'satisfies_expression'])

/** Whether a call of `import` stands for a type, which the grammar reads as it does a value. */
function isInType(node: SgNode): boolean {
  let below = node
  for (const above of node.ancestors()) {
    const kind = String(above.kind())
    if (TYPES.has(kind)) return true
    if (CASTS.has(kind) && above.children()[0]?.id() !== below.id()) return true
    if (kind.endsWith('_statement') || kind === 'statement_block') return false
    below = above
  }
  return false
}

function unquote(literal: string): string {
  return literal.slice(1, -1).replace(/\\(.)/g, '$1')
}
