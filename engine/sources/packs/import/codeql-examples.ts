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
    guard: (condition, statement) => `if (${condition}) { ${statement} }`,
    not: condition => `!${condition}`,
  },
}

/** Examples of an entry: code that is reported with it, or is not reported; undefined where none can be made of the row. */
export function makeCodeqlExamples(
  language: string,
  { row, key }: Entry,
): { match: string[]; clean: string[] } | undefined {
  const frame = FRAMES[language]!
  const { from, input } = row
  const positions = Array.isArray(input) ? input.filter(place => typeof place === 'number') : []
  if (Array.isArray(input) && positions.length === 0) return undefined
  const valuesWith = (value: string) => {
    const at = positions[0] ?? 0
    return [...Array<string>(at).fill('"a"'), value]
  }
  const write = (value: string) => frame.call(from, key === 'sources' ? ['"a"'] : valuesWith(value))
  const tainted = write(frame.input)
  const safe = write('"a"')
  const file = (statement: string, { declared }: { declared: string }) => frame.file(from, statement, declared)
  const end = language === 'java' || language === 'csharp' ? ';' : ''
  switch (key) {
    case 'sources':
      return { match: [file(frame.run(tainted.code), tainted)], clean: [file(frame.run('"a"'), tainted)] }
    case 'sinks':
      return { match: [file(`${tainted.code}${end}`, tainted)], clean: [file(`${safe.code}${end}`, safe)] }
    case 'propagators':
      return { match: [file(frame.run(tainted.code), tainted)], clean: [file(frame.run(safe.code), safe)] }
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
