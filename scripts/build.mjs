// Builds dist/: the program in one file with V8's compiled form of it, the worker, the operations' schemas and the compiled packs.
// It builds beside dist and renames, so a failed build leaves the last good one.

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliDecompressSync, gzipSync } from 'node:zlib'
import { build as bundle } from 'esbuild'
import { launcher, modules, root, whole } from './bundling.mjs'
import { copyStatic, dashboardOptions } from './dashboard.mjs'

const fresh = mkdtempSync(join(root, '.build-'))

/** Directories of node_modules from which code went into a bundle, or whose pages are shown. */
const bundled = new Set(['node_modules/@fastify/swagger-ui', 'node_modules/redoc'])

/**
 * Commands that somebody waits for many times a day. Each program has nothing in it but what its commands need, so that it starts sooner:
 * what an agent waits for before each tool call analyzes no code.
 */
const QUICK_COMMANDS = {
  quick: ['pre-commit-scan', 'scan', 'gate'],
  agent: ['agent-check', 'agent-hook', 'agent-resident', 'blast-check', 'version'],
}

/** What an agent's hook says before a shell command that reads and writes. */
const TOOL_CALL = {
  hook_event_name: 'PreToolUse',
  session_id: 'build',
  tool_name: 'Bash',
  tool_input: { command: 'cd src && sort names.txt | uniq > out.txt; git status' },
}

/** Leaves the operations of all other commands out. */
const only = commands => ({
  name: 'only',
  setup(plugins) {
    plugins.onLoad({ filter: /operations\.gen\.ts$/ }, ({ path }) => {
      const isOther = line =>
        line.includes('load: ()') && !commands.some(name => new RegExp(`"cli":"${name}[ "]`).test(line))
      const lines = readFileSync(path, 'utf8').split('\n')
      return { contents: lines.filter(line => !isOther(line)).join('\n'), loader: 'ts' }
    })
    // None of them is a server.
    plugins.onLoad({ filter: /cli\/serve\.ts$/ }, () => ({ contents: 'export const serve = undefined', loader: 'ts' }))
  },
})

/** Bundles, and keeps which packages gave code. */
async function build(options) {
  const { metafile } = await bundle({ ...options, metafile: true })
  for (const { inputs } of Object.values(metafile.outputs))
    for (const [path, { bytesInOutput }] of Object.entries(inputs)) {
      const folder = /^.*\bnode_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]
      if (folder && bytesInOutput > 0) bundled.add(folder)
    }
}

try {
  await build({
    ...modules,
    outdir: fresh,
    entryPoints: {
      worker: 'workers/scan.ts',
      isolated: 'workers/isolated.ts',
      opa: 'workers/opa.ts',
      cel: 'engine/quality/policies/cel/library.ts',
      re2: 'engine/quality/architecture/cruiser/library.ts',
      openid: 'engine/delivery/oauth/library.ts',
      octokit: 'engine/delivery/providers/github/library.ts',
      bullmq: 'engine/fleet/queue/library.ts',
      leash: 'workers/leash.ts',
      llm: 'engine/review/llm/library.ts',
      lsp: 'cli/lsp/library.ts',
      mcp: 'mcp/library.ts',
      'compile-packs': 'engine/sources/packs/compile-builtin.ts',
    },
  })
  await build({ ...whole, outdir: fresh, entryPoints: { program: 'cli/svc.ts' } })
  for (const [program, commands] of Object.entries(QUICK_COMMANDS)) {
    const plugins = [...whole.plugins, only(commands)]
    await build({ ...whole, outdir: fresh, entryPoints: { [program]: 'cli/svc.ts' }, plugins })
  }
  await build({ ...launcher(QUICK_COMMANDS), outdir: fresh })
  await build(dashboardOptions(join(fresh, 'dashboard')))
  for (const name of ['program', ...Object.keys(QUICK_COMMANDS)]) escapeBeyondAscii(join(fresh, `${name}.js`))
  writeFileSync(join(fresh, 'package.json'), '{ "type": "commonjs" }\n')
  copyGrammars(join(fresh, 'grammars'))
  // Their licences go into the notices of what is packed.
  writeFileSync(join(fresh, 'bundled.json'), JSON.stringify([...bundled].sort()))
  cpSync(join(root, 'engine/door/schemas.gen.json'), join(fresh, 'schemas.gen.json'))
  cpSync(join(root, 'engine/supply/licenses/license-texts.gen.br'), join(fresh, 'license-texts.gen.br'))
  cpSync(join(root, 'engine/supply/malice/popular-packages.br'), join(fresh, 'popular-packages.br'))
  cpSync(join(root, 'engine/assure/reports/html/page'), join(fresh, 'report-page'), { recursive: true })
  cpSync(join(root, 'engine/quality/architecture/show/page'), join(fresh, 'imports-page'), { recursive: true })
  cpSync(join(root, 'engine/delivery/trace/page'), join(fresh, 'trace-page'), { recursive: true })
  copyStatic(join(fresh, 'dashboard'))
  cpSync(join(root, 'api/auditor'), join(fresh, 'auditor'), { recursive: true })
  cpSync(join(root, 'api/reference'), join(fresh, 'reference'), { recursive: true })
  // What the API's reference pages show it with, so that they need no network: [package, file in it, name beside the pages].
  for (const [name, file, as] of [
    ['@fastify/swagger-ui', 'static/swagger-ui-bundle.js', 'swagger-ui-bundle.js'],
    ['@fastify/swagger-ui', 'static/swagger-ui.css', 'swagger-ui.css'],
    ['redoc', 'bundles/redoc.standalone.js', 'redoc.standalone.js'],
    ['redoc', 'bundles/redoc.standalone.js.LICENSE.txt', 'redoc.standalone.js.LICENSE.txt'],
  ])
    cpSync(join(root, 'node_modules', name, file), join(fresh, 'reference', as))
  // ReDoc's footer asks its maker's network for a picture; an empty one is drawn instead.
  const redoc = join(fresh, 'reference/redoc.standalone.js')
  writeFileSync(redoc, readFileSync(redoc, 'utf8').replaceAll('https://cdn.redoc.ly/redoc/logo-mini.svg', 'data:,'))
  // They are the largest files that a browser alone reads, and are sent as they are kept.
  for (const name of ['redoc.standalone.js', 'swagger-ui-bundle.js']) {
    const path = join(fresh, 'reference', name)
    writeFileSync(`${path}.gz`, gzipSync(readFileSync(path), { level: 9 }))
    rmSync(path)
  }
  const { compileBuiltin } = createRequire(import.meta.url)(join(fresh, 'compile-packs.js'))
  await compileBuiltin(join(root, 'packs'), fresh)
  // What a cached result depends on besides its file: every byte of the program and what it knows of libraries, the packs apart, which count by themselves.
  const hash = createHash('sha256')
  for (const name of readdirSync(fresh)
    .filter(name => name.endsWith('.js') || name === 'libraries.json')
    .sort())
    hash.update(readFileSync(join(fresh, name)))
  writeFileSync(join(fresh, 'engine.digest'), hash.digest('hex'))
  chmodSync(join(fresh, 'svc.js'), 0o755)
  keepCompiled(fresh, 'agent', [['agent-hook']], govern, JSON.stringify(TOOL_CALL))
  keepCompiled(fresh, 'quick', [['scan'], ['pre-commit-scan']], writeExamples)
  keepCompiled(fresh, 'program', [['check-inline', '--file', 'a.js', '--code', 'eval(req.query.x)']], writeExamples)
  // A folder made as temporary is its maker's alone; an installed program is everybody's.
  chmodSync(fresh, 0o755)
  rmSync(join(root, 'dist'), { recursive: true, force: true })
  renameSync(fresh, join(root, 'dist'))
} catch (error) {
  rmSync(fresh, { recursive: true, force: true })
  if (error?.errors === undefined)
    console.error(
      error?.faults
        ? error.faults.map(f => `${f.place?.file ?? 'packs'}:${f.place?.line ?? 1}: ${f.message}`).join('\n')
        : error,
    )
  process.exitCode = 1
}

/** The parsers of packages that bring more than parsers, for every platform: <language>/<platform>-<arch>.node, where engine/detect/syntax/grammar.ts loads them from. */
function copyGrammars(to) {
  for (const [language, name] of Object.entries({ solidity: 'tree-sitter-solidity' })) {
    const prebuilds = join(root, 'node_modules', name, 'prebuilds')
    for (const platform of readdirSync(prebuilds))
      cpSync(join(prebuilds, platform, `${name}.node`), join(to, language, `${platform}.node`))
    bundled.add(`node_modules/${name}`)
  }
}

/**
 * Writes characters beyond ASCII as escapes. cli/launch.ts reads a program as Latin-1, which V8 holds in half the memory, and esbuild leaves
 * these characters alone in regular expressions, where they would then be others. An escape means the same there, with each flag.
 */
function escapeBeyondAscii(path) {
  const source = readFileSync(path, 'utf8')
  const toEscape = unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`
  writeFileSync(path, source.replace(/[^\x00-\x7f]/g, toEscape))
}

/**
 * Keeps V8's compiled form of what commands run, from their runs over a small repository: each begins with what those before have left, so that
 * the last leaves it all. Without git there is none: the program then compiles its text at each start.
 */
function keepCompiled(dist, program, commands, prepare, input = '') {
  const repository = mkdtempSync(join(tmpdir(), 'svc-build-'))
  // Records of the build are nobody's, and the daemon of an agent's hook would outlive it.
  const env = { ...process.env, XDG_STATE_HOME: join(repository, 'state'), AI_AGENT: 'build', SVC_RESIDENT: '0' }
  const run = (executable, args, more) =>
    execFileSync(executable, args, {
      cwd: repository,
      // git reads nothing, and may have ended before its input would have.
      ...(executable === 'git' ? { stdio: 'ignore' } : { input, stdio: ['pipe', 'ignore', 'ignore'] }),
      env: { ...env, ...more },
    })
  const svc = (args, more) => run(process.execPath, [join(dist, 'svc.js'), ...args], more)
  try {
    run('git', ['init', '-q'])
    prepare(repository, svc)
    run('git', ['add', '.'])
    for (const args of commands) keepAfter(() => svc(args, { SVC_KEEP_COMPILED: join(dist, `${program}.js.compiled`) }))
  } catch (error) {
    if (error.code !== 'ENOENT' || error.path !== 'git') throw error
  } finally {
    rmSync(repository, { recursive: true, force: true })
  }
}

/** Exit 1 is the answer of the hook to this commit, and of a check to this code. */
function keepAfter(run) {
  try {
    run()
  } catch (error) {
    if (error.status !== 1) throw error
  }
}

/** Writes code that many rules look into: what does not run here is compiled in the middle of somebody's commit. */
function writeExamples(repository) {
  const examples = JSON.parse(brotliDecompressSync(readFileSync(join(fresh, 'examples.json.br'))).toString('utf8'))
  for (const [prefix, extension] of Object.entries({ node: 'ts', js: 'js', python: 'py', go: 'go', java: 'java' })) {
    const ids = Object.keys(examples).filter(id => id.startsWith(`${prefix}-`))
    for (const id of ids.filter((_, index) => index % 4 === 0)) {
      const [{ code } = {}] = examples[id].match
      if (code !== undefined) writeFileSync(join(repository, `${id}.${extension}`), code)
    }
  }
}

/** Binds an agent to a task, with every layer on that a tool call is judged by. */
function govern(repository, svc) {
  const layers = ['task_binding', 'blast_radius', 'tool_grants'].map(layer => `  ${layer}: { enabled: true }\n`)
  mkdirSync(join(repository, '.svc'))
  writeFileSync(join(repository, '.svc/config.yaml'), `governance:\n${layers.join('')}`)
  svc(['task-bind', 'build', '--path', 'src/**'])
}
