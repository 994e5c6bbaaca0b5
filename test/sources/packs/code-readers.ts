import { parse, type SgNode } from '@ast-grep/napi'
import { parseAllDocuments } from 'yaml'
import { readBicep } from '../../../engine/detect/resource/bicep.ts'
import { AST_LANGUAGES, getGrammarName, registerGrammars } from '../../../engine/detect/syntax/grammar.ts'

registerGrammars()

/** What does not parse in a piece of code; undefined where all of it does. */
type Reader = (code: string) => string | undefined

/** Forms in which a piece of code, `…`, is a whole file; of other languages each piece is one as it is. */
const FORMS: Readonly<Record<string, readonly string[]>> = {
  c: ['…', 'void run(void) {\n…\n}'],
  cpp: ['…', 'void run() {\n…\n}'],
  csharp: ['…', 'class Example {\n…\n}'],
  go: ['package main\n…', 'package main\nfunc run() {\n…\n}'],
  java: ['…', '…\nclass Example {}', 'class Example {\n…\n}'],
  json: ['…', '{ … }'],
  php: ['<?php\n…', '<?php\nclass Example {\n…\n}'],
  solidity: ['…', 'contract Example {\n…\n}', 'contract Example {\nfunction run() public {\n…\n}\n}'],
}

/** Leaves that are empty in a tree without errors too: the end of a Go statement, the body of a script element with a source. */
const EMPTY_LEAVES = new Set(['', 'raw_text'])

/** Statements of one database, which the grammar of SQL does not have. */
const SQL_STATEMENTS = [
  /^execute immediate '[^']*'(?: into \w+)?(?: using \w+(?:, \w+)*)?$/,
  /^exec \w+ (?:(?:@\w+ = )?(?:N?'[^']*'|@?\w+)(?:, |$))+$/,
  /^reconfigure$/,
  /^grant \w+(?:, \w+)* on [\w.]+ to '\w+'@'[\w.%]+'$/,
  // A variable of psql.
  /^create user \w+ with password :'\w+'$/,
]

const INSTRUCTION =
  /^(?:ADD|ARG|CMD|COPY|ENTRYPOINT|ENV|EXPOSE|FROM|HEALTHCHECK|LABEL|RUN|SHELL|USER|VOLUME|WORKDIR) \S/

/** Languages that have no grammar here, or of whose grammar more is asked. */
const READERS: Readonly<Record<string, Reader>> = {
  apache: readLines(/^\s*(?:<\/?[A-Z]\w+(?: [^<>]+)?>|[A-Za-z_]+(?: +\S.*)?)$/),
  apt: readLines(/^deb(?:-src)? (?:\[[^[\]]+\] )?https?:\/\/\S+ \S+(?: \S+)+$/),
  bicep: readBicepFile,
  blade: readTemplate,
  conf: readLines(/^[\w.-]+ *[=:] *\S.*$/),
  dockerfile: readDockerfile,
  ejs: readTemplate,
  erb: readTemplate,
  handlebars: readTemplate,
  hcl: readHcl,
  html: readMarkup,
  ini: readLines(/^(?:\[\w+(?: "[^"]*")?\]|\s*[\w.-]+ *= *\S.*)$/),
  jinja: readTemplate,
  json: readJson,
  nginx: code => (/^(?:[a-z_]+ [^{};]+(?:;|\{(?: *[a-z_]+ [^{};]+;)* *\})\s*)+$/.test(code) ? undefined : code),
  properties: readLines(/^(?:#.*|[\w.-]+=\S+)$/),
  razor: readTemplate,
  requirements: readLines(/^(?:--[a-z-]+(?: \S+)?|[\w.-]+==\S+(?: --hash=sha256:\w+)*)$/),
  sql: readSql,
  twig: readTemplate,
  vue: readTemplate,
  xml: readMarkup,
  yaml: readYaml,
}

/** What of the code does not parse in any of the languages, a line each; undefined where it parses in one of them. */
export function findSyntaxError(languages: readonly string[], code: string): string | undefined {
  const errors = languages.map(language => {
    const reader = READERS[language] ?? (AST_LANGUAGES.includes(language) ? readTree(language) : undefined)
    if (!reader) return `${language}: nothing reads it`
    const files = (FORMS[language] ?? ['…']).map(form => form.replace('…', () => `${code}\n`))
    const found = files.map(reader)
    return found.includes(undefined) ? undefined : `${language}: ${found[0]}`
  })
  return errors.includes(undefined) ? undefined : errors.join('\n')
}

function readTree(language: string): Reader {
  return code => findError(parse(getGrammarName(language), code).root())
}

/** The first node that is an error, or a token that the parser put in because it is missing. */
function findError(node: SgNode): string | undefined {
  const kind = String(node.kind())
  const parts = node.children()
  if (kind === 'ERROR' || kind.startsWith('erroneous_')) return `not understood: ${node.text().slice(0, 80)}`
  if (parts.length === 0 && node.text() === '' && !EMPTY_LEAVES.has(kind))
    return `${kind} is missing in ${node.parent()?.text().slice(0, 80)}`
  for (const part of parts) {
    const error = findError(part)
    if (error !== undefined) return error
  }
  return undefined
}

/** Declarations of Bicep, or properties of a resource. */
function readBicepFile(code: string): string | undefined {
  const declared = /^(?:resource|param|var|@)/m.test(code) ? code : `resource a 'A/b@1' = {\n${code}\n}`
  const { blocks, complete } = readBicep(declared)
  const isParameter = /^(?:@\w+\(\)\n)?param \w+ \w+\s*$/.test(code)
  return complete && (blocks.length > 0 || isParameter) ? undefined : 'it has no declaration'
}

function readLines(form: RegExp): Reader {
  return code => code.split('\n').find(line => line.trim() !== '' && !form.test(line))
}

function readJson(code: string): string | undefined {
  try {
    JSON.parse(code)
    return undefined
  } catch (error) {
    return String(error)
  }
}

/** A mapping or a list: every sentence is a scalar of YAML. */
function readYaml(code: string): string | undefined {
  for (const document of parseAllDocuments(code)) {
    const [error] = document.errors
    if (error) return error.message
    if (typeof document.toJS() !== 'object') return 'it is one scalar'
  }
  return undefined
}

/** HTML and XML by the grammar of HTML; with an element, since every sentence is a text of it. */
function readMarkup(code: string): string | undefined {
  const root = parse(getGrammarName('html'), code).root()
  return root.children().some(part => /element$/.test(String(part.kind()))) ? findError(root) : 'it has no element'
}

function readTemplate(code: string): string | undefined {
  return readMarkup(code.replace(/\{\{ .*? \}\}|<%= .*? %>|@Html\.\w+\(\)/g, 'value'))
}

/** One statement after the other, since the grammar does not have those of every database. */
function readSql(code: string): string | undefined {
  const statements = code.replace(/^--.*$/gm, '').split(/;\s*(?:\n|$)/)
  for (const each of statements.map(statement => statement.trim()).filter(statement => statement !== '')) {
    const error = SQL_STATEMENTS.some(form => form.test(each)) ? undefined : readTree('sql')(`${each};`)
    if (error !== undefined) return error
  }
  return undefined
}

/** Instructions, and what RUN runs by the grammar of Bash. */
function readDockerfile(code: string): string | undefined {
  for (const line of code.replace(/\\\n/g, '').trim().split('\n')) {
    if (!INSTRUCTION.test(line)) return line
    const [, command] = /^RUN (?:--\S+ )*(.+)$/.exec(line) ?? []
    const error = command === undefined ? undefined : readTree('bash')(command)
    if (error !== undefined) return error
  }
  return undefined
}

const HCL_TOKEN =
  /"(?:\\.|\$\{[^{}]*\}|[^"\\\n])*"|[A-Za-z_][\w-]*|\d[\d.]*|[{}[\]()]|=>|[=!<>]=|&&|\|\||[=,.:?!<>*/+%-]|\n/y

/**
 * Blocks and arguments of HCL native syntax: a block is a name with labels and a body in braces, an argument a name, `=` and an
 * expression to the end of its line or of the brackets that it opens.
 */
function readHcl(code: string): string | undefined {
  const tokens = listHclTokens(code)
  if (typeof tokens === 'string') return tokens
  let at = 0
  const skipLines = () => {
    while (tokens[at] === '\n') at++
  }
  const skipExpression = (): boolean => {
    const open: string[] = []
    const from = at
    for (; at < tokens.length; at++) {
      const token = tokens[at]!
      if (open.length === 0 && /^[\n})\]]$/.test(token)) break
      if (/^[{[(]$/.test(token)) open.push(token)
      else if (/^[}\])]$/.test(token) && !['{}', '[]', '()'].includes(`${open.pop()}${token}`)) return false
    }
    return at > from && open.length === 0
  }
  const skipBody = (isInner: boolean): boolean => {
    for (;;) {
      skipLines()
      if (tokens[at] === undefined) return !isInner
      if (tokens[at] === '}') return isInner
      if (!/^[a-z_]/i.test(tokens[at++]!)) return false
      if (tokens[at] === '=') {
        at++
        if (!skipExpression()) return false
      } else {
        while (/^["a-z_]/i.test(tokens[at] ?? '')) at++
        if (tokens[at++] !== '{' || !skipBody(true) || tokens[at++] !== '}') return false
      }
      if (tokens[at] !== undefined && !/^[\n}]$/.test(tokens[at]!)) return false
    }
  }
  return skipBody(false) ? undefined : `not understood: ${tokens.slice(Math.max(0, at - 3), at + 3).join(' ')}`
}

/** The tokens without comments, or what is none. */
function listHclTokens(code: string): string[] | string {
  const out: string[] = []
  const text = code.replace(/(?:^|\s)(?:#|\/\/).*$/gm, '')
  for (let at = 0; at < text.length; ) {
    if (/[ \t]/.test(text[at]!)) {
      at++
      continue
    }
    HCL_TOKEN.lastIndex = at
    const [token] = HCL_TOKEN.exec(text) ?? []
    if (token === undefined) return `no token: ${text.slice(at, at + 40)}`
    out.push(token)
    at += token.length
  }
  return out
}
