import type { SgNode } from '@ast-grep/napi'
import type { ImportKind } from '../graph.ts'

/** An import of a script; `computed` where the specifier is a template (`*` for what is filled in) or no string at all. */
export interface ScriptSite {
  specifier: string
  offset: number
  kind: ImportKind
  computed?: 'glob' | 'all'
}

const CALL = /\b(?:require|import)\s*(?:\.\s*resolve\s*)?\(/
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
    const hasCalls = CALL.test(text)
    const needsTree = hasCalls && (REQUIRE.test(text) || (language !== 'typescript' && MARKUP.test(text)))
    if (!needsTree) {
      try {
        return [...references, ...readTokens(text)]
      } catch {
        // The tree knows what the lexer refuses: decorators of old, syntax errors further down.
      }
    }
    const parsed = parseSyntax(language, text)
    return 'root' in parsed ? [...references, ...readTree(parsed.root)] : references
  }

  function readTokens(text: string): ScriptSite[] {
    const [imports] = parse(text)
    return imports.flatMap((found): ScriptSite[] => {
      if (found.type === 'import-meta') return []
      if (found.type === 'dynamic') {
        const kind = found.probablyTypeOnly ? 'type' : 'dynamic'
        if (found.specifier === undefined)
          return [
            {
              specifier: text.slice(found.start, found.end).slice(0, 80),
              offset: found.importStart,
              kind,
              computed: 'all',
            },
          ]
        return [
          {
            specifier: found.specifier,
            offset: found.importStart,
            kind,
            ...(found.glob && { computed: 'glob' as const }),
          },
        ]
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
  const kind = node.field('function')?.kind() === 'import' ? 'dynamic' : 'require'
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

function unquote(literal: string): string {
  return literal.slice(1, -1).replace(/\\(.)/g, '$1')
}
