// How the program's sources become files: for the build, and for a bench that measures a part of it in the form that users run.

import { readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = resolve(dirname(fileURLToPath(import.meta.url)), '..')

// Native bindings, and packages that find files of their own beside themselves, stay in node_modules.
export const external = [
  '@ast-grep/*',
  '@duckdb/node-bindings',
  'oxc-resolver',
  // Needed by check-arch alone.
  'es-module-lexer',
  '@photostructure/sqlite',
  'piscina',
  'fastify',
  '@fastify/*',
  '@parcel/watcher',
  // Large, and needed by few commands: the program's one file is read at every start.
  '@asyncapi/specs',
  '@seriousme/openapi-schema-validator',
  // Its schemas are read from beside it.
  '@cyclonedx/cyclonedx-library',
  'ajv',
  'ajv-formats',
  'ae-cvss-calculator',
  '@sigstore/*',
  'dockerfile-ast',
  'js-yaml',
  'packageurl-js',
  'pdfkit',
  'saxes',
  'smol-toml',
  'undici',
  'protobufjs',
  'recheck',
]

// Schemas are erased like types: the manifest's JSON Schemas, generated from them, are what checks input at run time.
// ArkType takes 250 ms to load, which no commit hook can afford.
const eraseArkType = {
  name: 'erase-arktype',
  setup(plugins) {
    plugins.onResolve({ filter: /^arktype$/ }, () => ({ path: join(root, 'scripts/erased-arktype.ts') }))
  },
}

// Of the package's two builds, the one made of ES modules: loaded lazily it keeps its names, and only what is used is bundled.
const yamlModules = {
  name: 'yaml-modules',
  setup(plugins) {
    plugins.onResolve({ filter: /^yaml$/ }, () => ({ path: join(root, 'node_modules/yaml/browser/index.js') }))
  },
}

// Large, and loaded by few: files of their own beside the program, which reads them when they are first imported.
const LIBRARIES = {
  'policies/cel': './cel.js',
  'architecture/cruiser': './re2.js',
  'providers/github': './octokit.js',
  'delivery/oauth': './openid.js',
  'fleet/queue': './bullmq.js',
  'review/llm': './llm.js',
  'cli/lsp': './lsp.js',
  mcp: './mcp.js',
}
const libraryFiles = {
  name: 'library-files',
  setup(plugins) {
    plugins.onResolve({ filter: /^\.\/library\.ts$/ }, ({ importer }) => {
      const room = relative(root, dirname(importer)).split(/[\\/]/).slice(-2).join('/')
      return room in LIBRARIES ? { path: LIBRARIES[room], external: true } : undefined
    })
  },
}

// What of the queue's library no part of svc calls: its other database with all its statements, and schedules by cron expressions.
const trimQueue = {
  name: 'trim-queue',
  setup(plugins) {
    plugins.onResolve({ filter: /^(?:\.{1,2}\/)+(?:postgres|classes\/postgres)(?:\/[\w-]+)?$/ }, ({ importer }) =>
      /[\\/]bullmq[\\/]/.test(importer) ? { path: 'left-out', namespace: 'queue' } : undefined,
    )
    plugins.onResolve({ filter: /^(?:cron-parser|msgpackr-extract)$/ }, () => ({
      path: 'left-out',
      namespace: 'queue',
    }))
    plugins.onLoad({ filter: /.*/, namespace: 'queue' }, () => ({ contents: 'module.exports = {}' }))
  },
}

const shared = {
  absWorkingDir: root,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'cjs',
  minifySyntax: true,
  legalComments: 'none',
  external,
  plugins: [eraseArkType, yamlModules, libraryFiles, trimQueue],
  define: { 'import.meta.url': '__moduleUrl' },
  // Packages are loaded by require: a text that V8 has compiled beforehand cannot import.
  supported: { 'dynamic-import': false },
  logLevel: 'warning',
}
const moduleUrl = "const __moduleUrl = require('node:url').pathToFileURL(__filename).href;"

/** Files that Node loads as modules. */
export const modules = { ...shared, minifyWhitespace: true, banner: { js: moduleUrl } }

/** One file, of which each part runs when it is first imported; a function, since that is what cli/launch.ts runs. */
export const whole = {
  ...shared,
  minifyWhitespace: true,
  banner: { js: `(function (require, __filename) {${moduleUrl}` },
  footer: { js: '})' },
}

/** svc.js, which starts a program of their own for these commands and program.js for all others. */
export function launcher(quickCommands) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const define = { QUICK_COMMANDS: JSON.stringify(quickCommands), PROGRAM_VERSION: JSON.stringify(version) }
  return { ...shared, entryPoints: { svc: 'cli/launch.ts' }, define }
}
