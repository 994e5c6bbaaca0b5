import type { Entry, Row } from './codeql-rows.ts'

/** A language's code around a statement: where input comes from, and a sink that its rules know. */
interface Frame {
  /** An expression of an HTTP request. */
  input: string
  /** A statement that runs a text as a shell command. */
  run: (value: string) => string
  /** The whole file, with the import that a call needs. */
  file: (from: Row['from'] | undefined, statement: string, declared: string) => string
  /** The call as it is written, and what must be declared for it. */
  call: (from: Row['from'], values: readonly string[]) => { code: string; declared: string }
  /** What holds the object that a method is called on, with a statement that makes it where it is not declared beside the function. */
  object: (from: Row['from']) => { code: string; made?: string }
  /** A variable of something that is not known. */
  other: string
  /** What checks of a value look like. */
  guard: (condition: string, statement: string) => string
  not: (condition: string) => string
}

/** Node's module that starts processes, in code that is read and never run. */
const PROCESSES = ['child', 'process'].join('_')

const last = (name: string) => name.slice(name.lastIndexOf('.') + 1)

const FRAMES: Readonly<Record<string, Frame>> = {
  java: {
    input: 'request.getParameter("name")',
    run: value => `Runtime.getRuntime().exec("sh -c " + ${value});`,
    file: (from, statement, declared) =>
      `import javax.servlet.http.*;\n${from ? `import ${from.module}.${from.type};\n` : ''}class Page extends HttpServlet {\n  protected void doGet(HttpServletRequest request, HttpServletResponse response${declared}) throws Exception {\n    ${statement}\n  }\n}\n`,
    call: ({ type, name, isConstructor }, values) =>
      isConstructor
        ? { code: `new ${last(type)}(${values.join(', ')})`, declared: '' }
        : { code: `made.${name}(${values.join(', ')})`, declared: `, ${last(type)} made` },
    object: () => ({ code: 'made' }),
    other: 'Object other = find();',
    guard: (condition, statement) => `if (${condition}) { ${statement} }`,
    not: condition => `!${condition}`,
  },
  csharp: {
    input: 'Request.QueryString["name"]',
    run: value => `System.Diagnostics.Process.Start("sh", "-c " + ${value});`,
    file: (from, statement, declared) =>
      `using System.Web;\n${from ? `using ${from.module};\n` : ''}public class Page : Controller {\n  public void Get(${declared.slice(2)}) {\n    ${statement}\n  }\n}\n`,
    call: ({ type, name, isConstructor }, values) =>
      isConstructor
        ? { code: `new ${last(type)}(${values.join(', ')})`, declared: '' }
        : { code: `made.${name}(${values.join(', ')})`, declared: `, ${last(type)} made` },
    // A parameter of a controller would come from the request.
    object: ({ type }) => ({ code: 'made', made: `${last(type)} made = Find();` }),
    other: 'var other = Find();',
    guard: (condition, statement) => `if (${condition}) { ${statement} }`,
    not: condition => `!${condition}`,
  },
  go: {
    input: 'r.URL.Query().Get("name")',
    run: value => `exec.Command("sh", "-c", "echo " + ${value}).Run()`,
    file: (from, statement, declared) =>
      `package pages\n\nimport (\n\t"net/http"\n\t"os/exec"\n${from ? `\t"${from.module}"\n` : ''})\n\nfunc page(w http.ResponseWriter, r *http.Request${declared}) {\n\t${statement}\n}\n`,
    call: ({ module, type, name }, values) => {
      const used = module
        .replace(/\/v\d+$/, '')
        .split('/')
        .at(-1)!
      return type === ''
        ? { code: `${used}.${name}(${values.join(', ')})`, declared: '' }
        : { code: `made.${name}(${values.join(', ')})`, declared: `, made *${used}.${type}` }
    },
    object: () => ({ code: 'made' }),
    other: 'other := find()',
    guard: (condition, statement) => `if ${condition} { ${statement} }`,
    not: condition => `!${condition}`,
  },
  python: {
    input: 'request.args["name"]',
    run: value => `os.system("echo " + ${value})`,
    file: (from, statement) => {
      const root = from?.module
      return `import os\nfrom flask import Flask, request\n${root ? `import ${root}\n` : ''}app = Flask(__name__)\n\n@app.route("/page")\ndef page():\n    ${statement}\n`
    },
    call: ({ module, type, name, isMethod }, values) => {
      const owner = [module, ...(type === '' ? [] : [`${type}${isMethod ? '()' : ''}`])].join('.')
      return { code: `${owner}.${name}(${values.join(', ')})`, declared: '' }
    },
    object: ({ module, type }) => ({
      code: 'made',
      made: `made = ${[module, type].filter(part => part !== '').join('.')}()`,
    }),
    other: 'other = find()',
    guard: (condition, statement) => `if ${condition}:\n        ${statement}`,
    not: condition => `not ${condition}`,
  },
  javascript: {
    input: 'req.query.name',
    run: value => `exec("echo " + ${value})`,
    file: (from, statement) =>
      `const express = require("express")\nconst { exec } = require("${PROCESSES}")\n${from ? `const made = require("${from.module}")\n` : ''}const app = express()\napp.get("/page", (req, res) => {\n  ${statement}\n})\n`,
    call: ({ type, name, isMethod, isConstructor }, values) => {
      const owner = ['made', ...(type === '' ? [] : [type])].join('.')
      const made = isMethod ? `new ${owner}()` : owner
      const call = `${made}.${name}(${values.join(', ')})`
      return { code: isConstructor ? `new ${call}` : call, declared: '' }
    },
    object: ({ type }) => ({
      code: 'object',
      made: `const object = new ${['made', type].filter(part => part !== '').join('.')}()`,
    }),
    other: 'const other = find()',
    guard: (condition, statement) => `if (${condition}) { ${statement} }`,
    not: condition => `!${condition}`,
  },
}

/** Examples of an entry: code that is reported with it, or is not reported; undefined where none can be made of the row. */
export function makeCodeqlExamples(language: string, entry: Entry): { match: string[]; clean: string[] } | undefined {
  const { row, key } = entry
  const frame = FRAMES[language]!
  const { from, input } = row
  if (key === 'propagators') return makeMoveExamples(language, row)
  const isReceiver = input?.of === 'receiver'
  const positions = Array.isArray(input?.of) ? input.of.filter(place => typeof place === 'number') : []
  if ((Array.isArray(input?.of) && positions.length === 0) || (isReceiver && !from.isMethod)) return undefined
  const write = (value: string) => frame.call(from, key === 'sources' ? ['"a"'] : listValues(positions[0] ?? 0, value))
  const tainted = write(frame.input)
  const safe = write('"a"')
  const file = (statement: string, { declared }: { declared: string }) => frame.file(from, statement, declared)
  const end = endsStatements(language) ? ';' : ''
  switch (key) {
    case 'sources':
      return { match: [file(frame.run(tainted.code), tainted)], clean: [file(frame.run('"a"'), tainted)] }
    case 'sinks': {
      if (!isReceiver)
        return { match: [file(`${tainted.code}${end}`, tainted)], clean: [file(`${safe.code}${end}`, safe)] }
      const { code, made } = frame.object(from)
      const use = (value: string) =>
        file(
          joinStatements(language, [made, `${code}.value = ${value}${end}`, `${code}.${from.name}()${end}`]),
          tainted,
        )
      return { match: [use(frame.input)], clean: [use('"a"')] }
    }
    case 'non_propagators':
    case 'sanitizers':
      return { match: [file(frame.run(frame.input), tainted)], clean: [file(frame.run(tainted.code), tainted)] }
    case 'validators': {
      const condition = row.accepting === false ? frame.not(tainted.code) : tainted.code
      return {
        match: [file(frame.run(frame.input), tainted)],
        clean: [file(frame.guard(condition, frame.run(frame.input)), tainted)],
      }
    }
  }
}

/** Examples of what goes from one place of a call to another: with input, and with a fixed text in its place. */
function makeMoveExamples(
  language: string,
  { from, input, output }: Row,
): { match: string[]; clean: string[] } | undefined {
  const frame = FRAMES[language]!
  const end = endsStatements(language) ? ';' : ''
  const ofReceiver = !from.isConstructor && [input?.of, output?.of].includes('receiver')
  if (ofReceiver && !from.isMethod) return undefined
  const source = Array.isArray(input?.of) ? input.of.find(place => typeof place === 'number') : -1
  const target = Array.isArray(output?.of) ? output.of.find(place => typeof place === 'number') : -1
  if (source === undefined || target === undefined || (source === target && source >= 0)) return undefined
  const { code, made } = frame.object(from)
  const write = (value: string): string => {
    const before: (string | undefined)[] = from.isMethod ? [made] : []
    let given = value
    if (source < 0) before.push(`${code}.${input?.field ?? 'value'} = ${value}${end}`)
    else if (input?.field !== undefined) {
      before.push(frame.other.replace('other', 'source'), `source.${input.field} = ${value}${end}`)
      given = 'source'
    }
    const values = source < 0 ? [] : listValues(source, given)
    if (target >= 0) {
      before.push(frame.other)
      while (values.length < target) values.push('"a"')
      values[target] = 'other'
    }
    const field = output?.field === undefined ? '' : `.${output.field}`
    const call = from.isMethod ? `${code}.${from.name}(${values.join(', ')})` : frame.call(from, values).code
    const isResult = output?.of === 'return' || (from.isConstructor && output?.of === 'receiver')
    const after = isResult
      ? [frame.run(`${call}${field}`)]
      : [`${call}${end}`, frame.run(`${target >= 0 ? 'other' : code}${field}`)]
    const declared = made === undefined ? frame.call(from, values).declared : ''
    return frame.file(from, joinStatements(language, [...before, ...after]), declared)
  }
  return { match: [write(frame.input)], clean: [write('"a"')] }
}

/** The arguments of a call with a value at this position. */
function listValues(at: number, value: string): string[] {
  return [...Array<string>(at).fill('"a"'), value]
}

function endsStatements(language: string): boolean {
  return language === 'java' || language === 'csharp'
}

function joinStatements(language: string, statements: readonly (string | undefined)[]): string {
  const indent = { python: '    ', go: '\t', javascript: '  ' }[language] ?? '    '
  return statements.filter(statement => statement !== undefined).join(`\n${indent}`)
}
