import { describe, expect, it } from 'vitest'
import { textOf } from './root.ts'
import { projectFiles } from './sources.ts'

/** What is shipped: scripts, tests and benches stay behind. */
const shipped = projectFiles().filter(
  path => /^(engine|cli|api|mcp|workers)\//.test(path) && /\.(ts|js|mjs|cjs)$/.test(path) && !path.endsWith('.d.ts'),
)

/** Ways by which Node starts a process or a thread, or runs a text as code. */
const STARTS: Record<string, RegExp> = {
  'child_process, but for its types': /^(?!\s*import type\b).*['"](?:node:)?child_process['"]/,
  'node:cluster': /['"](?:node:)?cluster['"]/,
  'a thread of a text or a file': /\bnew Worker\s*\(|['"]piscina['"]/,
  'a text as code':
    /(?<![.\w'"])eval\s*\(|\bnew Function\s*\(|(?:from|import|require)\W{1,3}(?:node:)?vm['"]|\brunIn(?:This|New)?Context\s*\(/,
  'what Node does not document': /\bprocess\.(?:binding|_linkedBinding|dlopen|execve)\b/,
  'a module whose name is not written there':
    /(?<![.\w#])(?<!protected |abstract )(?:import|require)\s*\(\s*(?!['"`])[A-Za-z_(]/,
  'a package that starts processes': /['"](?:execa|cross-spawn|shelljs|zx|tinyexec|node-pty|simple-git)['"]/,
  'a terminal program': /\bREPL\b|['"](?:node:)?repl['"]|['"](?:node:)?inspector(?:\/promises)?['"]/,
}

/** The files that may, each with what it starts and why no repository can choose it. */
const MAY: Record<string, Record<string, string>> = {
  'child_process, but for its types': {
    'engine/sources/repository/git-process.ts':
      'git, from a directory outside of the repository, with the hardened settings and environment',
    'engine/external/command.ts':
      "an external scanner's command, only where a user has trusted it (engine/external/trust.ts)",
    'engine/assistants/audit/connect.ts':
      'an MCP server of a configuration, only with `audit-mcp --connect` and where a user has trusted it (audit/permission.ts), without credentials',
    'engine/governance/processes.ts':
      'ps with fixed arguments, from a directory outside of the repository, where there is no /proc',
    'engine/review/llm/keyring.ts':
      "the system's reader of its keyring by its absolute path, with a service that the user's environment names",
    'engine/scan/isolated.ts':
      'the running Node with a file of the installed svc, for a file that has ended a process before',
    'engine/fleet/queue/scan-process.ts':
      'the running Node with svc itself, for one scan of a fleet: without tokens, ended with its worker and beyond its limits',
    'engine/fleet/source/remove-tree.ts':
      'rm of the PATH without directories of the repository, with the path of a checkout that the worker has made itself, behind --',
    'cli/svc.ts': 'the running Node with svc itself: the daemon that answers hooks',
    'api/reload.ts': 'the running Node with svc itself: the server again after a build, for its developers',
  },
  'a thread of a text or a file': {
    'engine/quality/policies/opa/check.ts':
      'a thread of the installed opa.js, without environment, for a policy that was compiled to WebAssembly; it is data there',
    'engine/scan/pool.ts': 'threads of the installed workers/scan.js; what is scanned goes to them as data',
    'workers/scan.ts': 'the functions by which a thread of that pool passes messages',
  },
  'a text as code': {
    'cli/launch.ts': "svc's own program, read beside this file in its installation",
    'engine/detect/file/watchdog.ts': 'a text that is written there, which calls a function with a time limit',
    'engine/scan/collector.ts': "the word gc, for V8's garbage collector",
  },
}

describe('a process, a thread or code', () => {
  it.each(Object.entries(STARTS))('by %s is started in the files that are named here only', (way, pattern) => {
    const found = shipped.filter(path => codeLines(path).some(line => pattern.test(line)))
    expect(found.sort()).toEqual(Object.keys(MAY[way] ?? {}).sort())
  })

  it('is found in every form that a source may write', () => {
    const forms: [keyof typeof STARTS, string][] = [
      ['child_process, but for its types', "import { spawn } from 'node:child_process'"],
      ['child_process, but for its types', "const { exec } = await import('child_process')"],
      ['child_process, but for its types', "const cp = require('child_process')"],
      ['node:cluster', "import cluster from 'node:cluster'"],
      ['a thread of a text or a file', 'new Worker(code, { eval: true })'],
      ['a text as code', 'eval(text)'],
      ['a text as code', "new Function('return 1')"],
      ['a text as code', "import vm from 'node:vm'"],
      ['what Node does not document', "process.binding('spawn_sync')"],
      ['a module whose name is not written there', 'await import(path)'],
      ['a package that starts processes', "import { execa } from 'execa'"],
    ]
    for (const [way, line] of forms) expect(STARTS[way]!.test(line), line).toBe(true)
    expect(STARTS['child_process, but for its types']!.test("import type { X } from 'node:child_process'")).toBe(false)
  })
})

/** A file's lines without the ones that are comment only. */
function codeLines(path: string): string[] {
  return textOf(path)
    .split('\n')
    .map(line => (/^\s*(\/\/|\*|\/\*)/.test(line) ? '' : line))
}
