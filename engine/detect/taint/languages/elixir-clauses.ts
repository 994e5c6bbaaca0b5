import type { Syntax } from './syntax.ts'

/** One clause of a function: what it takes, when, and what it does; without a body it only says what the others take. */
export interface Clause {
  node: Syntax
  name: string
  parameters: Syntax[]
  guard: Syntax | undefined
  body: Section | undefined
}

/** What stands in a block or behind a keyword (`do: x`), in order. */
export type Section = readonly Syntax[]

/** The parts of a call with a block. */
export interface Sections {
  do: Section
  else: Section | undefined
  rescue: Section
  catch: Section
  after: Section
}

/** What a call has in its block, or behind `do:` and `else:`. */
export function splitSections(node: Syntax): Sections {
  const block = node.part('do_block')
  if (!block) {
    const pairs = node.part('arguments')?.part('keywords')?.parts ?? []
    const find = (name: string) => pairs.find(pair => pair.field('key')?.text.startsWith(`${name}:`))?.field('value')
    const [yes, no] = [find('do'), find('else')]
    return { do: yes ? [yes] : [], else: no && [no], rescue: [], catch: [], after: [] }
  }
  const within = (kind: string): Section => block.part(kind)?.parts ?? []
  return {
    do: block.parts.filter(({ kind }) => !/^(?:else|rescue|catch|after)_block$/.test(kind)),
    else: block.part('else_block')?.parts,
    rescue: within('rescue_block'),
    catch: within('catch_block'),
    after: within('after_block'),
  }
}

/** `def name(a, b) when guard do … end`; undefined for what is written otherwise, such as an operator or a name that a macro makes. */
export function readClause(node: Syntax): Clause | undefined {
  const [first] = node.part('arguments')?.parts ?? []
  if (!first) return undefined
  const [head, guard] = splitGuard(first)
  const target = head.kind === 'call' ? head.field('target') : head
  if (target?.kind !== 'identifier') return undefined
  const parameters = head.kind === 'call' ? (head.part('arguments')?.parts ?? []) : []
  const hasBody = node.part('do_block') !== undefined || node.part('arguments')?.part('keywords') !== undefined
  return { node, name: target.text, parameters, guard, body: hasBody ? [node] : undefined }
}

/** A clause of `fn`, `case` and their like: `pattern when guard -> body`. */
export function readStab(node: Syntax): Clause {
  const left = node.field('left')
  const [list, guard] = left ? splitGuard(left) : []
  return { node, name: '', parameters: list?.parts ?? [], guard, body: node.field('right')?.parts ?? [] }
}

function splitGuard(node: Syntax): [head: Syntax, guard?: Syntax] {
  if (node.kind !== 'binary_operator' || node.at('operator').text !== 'when') return [node]
  return [node.at('left'), node.at('right')]
}

const ROUTES = new Set(['get', 'post', 'put', 'patch', 'delete', 'options', 'head', 'match'])

/** The names in the path of `get "/users/:id" do … end` (Plug.Router); undefined for any other call. */
export function findRoute(node: Syntax): string[] | undefined {
  if (!ROUTES.has(node.at('target').text)) return undefined
  const [path] = node.part('arguments')?.parts ?? []
  if (!path || !/^(?:string|identifier)$/.test(path.kind) || splitSections(node).do.length === 0) return undefined
  return Array.from(path.text.matchAll(/[:*]([a-z_]\w*)/g), ([, name]) => name!)
}

const CHOICES = ['if', 'unless', 'case', 'cond', 'with', 'try', 'receive'] as const

/** A word with which the language makes a choice. */
export type Choice = (typeof CHOICES)[number]

/** The choice that a call is; undefined for any other. */
export function findChoice(node: Syntax): Choice | undefined {
  const target = node.kind === 'call' ? node.field('target') : undefined
  return target?.kind === 'identifier' ? CHOICES.find(word => word === target.text) : undefined
}
