// Which packages of node_modules an installed program needs, and which of their files.

import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

/** Bundled into dist whole, or only for building: nothing loads it from node_modules. */
const GRAMMAR = /^@ast-grep\/lang-/
/** Written for people who develop with a package, or for compilers. */
const NEEDLESS = /(\.[cm]?ts|\.map|\.flow|\.md|\.markdown|\.gyp|\.tsbuildinfo|tsconfig\.json|\.cc?|\.cpp|\.h)$/i
const LEGAL = /^(licen[cs]e|notice|copying|authors)/i
const NEEDLESS_FOLDERS = new Set([
  'test',
  'tests',
  '__tests__',
  'benchmark',
  'benchmarks',
  'example',
  'examples',
  'docs',
  '.github',
  'deps',
])

/** Large parts of packages that the program does not ask for, by what their paths begin with. */
const UNUSED = {
  // The schemas of whole documents of version 2 and 3 without identifiers are read, not the parts that they are made of, nor older ones.
  '@asyncapi/specs': [
    'bindings/',
    'common/',
    'definitions/',
    'extensions/',
    'schemas/all',
    'schemas/1.',
    'schemas/2.0.0-rc',
    ...['2.0.0', '2.1.0', '2.2.0', '2.3.0', '2.4.0', '2.5.0', '2.6.0', '3.0.0', '3.1.0'].map(
      version => `schemas/${version}.json`,
    ),
    'index.js',
    'scripts/',
  ],
  // Bundles for pages; Node loads the sources.
  protobufjs: ['dist/'],
  // The build for pages, and schemas of XML: documents are validated in their JSON form.
  '@cyclonedx/cyclonedx-library': [
    'dist.web/',
    ...['bom-1.0', 'bom-1.1', 'bom-1.2', 'bom-1.3', 'bom-1.4', 'bom-1.5', 'bom-1.6', 'bom-1.7', 'spdx'].map(
      name => `res/schema/${name}.SNAPSHOT.xsd`,
    ),
  ],
  'js-yaml': ['dist/'],
  pako: ['dist/'],
  // Sources, and bundles for pages.
  fontkit: ['dist/browser', 'dist/module', 'src/'],
  linebreak: ['dist/module'],
  fflate: ['esm/browser', 'lib/browser'],
  yaml: ['browser/'],
  // Fonts are decompressed, never compressed.
  brotli: ['build/'],
  pdfkit: ['.yarn/', 'js/pdfkit.browser', 'js/pdfkit.node.mjs', 'js/pdfkit.old', 'js/pdfkit.standalone'],
  // The build without the programs that it would start.
  recheck: ['lib/main.js'],
}

/** Packages that another one requires only in parts that the program does not load. */
const UNUSED_DEPENDENCIES = {
  // Only where the binding is compiled.
  '@parcel/watcher': ['node-addon-api'],
}

/**
 * The packages that the program requires by these patterns (`@scope/*`, a name), with all that they require in turn, as paths below the
 * root (`node_modules/a/node_modules/b`) by the lock file. Optional packages are left out: they are another platform's, or there is a way
 * without them.
 */
export function listNeeded(lock, patterns) {
  const isWanted = name => patterns.some(one => (one.endsWith('/*') ? name.startsWith(one.slice(0, -1)) : one === name))
  const direct = Object.entries(lock.packages)
    .filter(([, { dev, optional }]) => !dev && !optional)
    .map(([path]) => path.slice('node_modules/'.length))
    .filter(name => isWanted(name) && !GRAMMAR.test(name))
  const needed = new Set()
  const visit = (name, from) => {
    const path = findPackage(lock, name, from)
    if (path === undefined) throw new Error(`package-lock.json has no ${name}, which ${from || 'svc'} requires`)
    if (needed.has(path)) return
    needed.add(path)
    const { dependencies = {}, optionalDependencies = {} } = lock.packages[path]
    const unused = [...Object.keys(optionalDependencies), ...(UNUSED_DEPENDENCIES[name] ?? [])]
    for (const other of Object.keys(dependencies)) if (!unused.includes(other)) visit(other, path)
  }
  for (const name of direct) visit(name, '')
  return [...needed].sort()
}

/** The grammars' packages, of which only the parser of a platform is needed. */
export function listGrammars(lock) {
  return Object.keys(lock.packages[''].dependencies).filter(name => GRAMMAR.test(name))
}

/** Where Node finds a package that is required from another one. */
function findPackage(lock, name, from) {
  for (let at = from; ; at = at.slice(0, Math.max(0, at.lastIndexOf('/node_modules/')))) {
    const path = `${at === '' ? '' : `${at}/`}node_modules/${name}`
    if (lock.packages[path]) return path
    if (at === '') return undefined
  }
}

/**
 * The files of a package that a running program may need, relative to it, in order. Left out are bindings for other systems, and modules
 * beside the same for `require`, which is how the program loads packages.
 */
export function listFiles(folder, name, platform) {
  const unused = UNUSED[name] ?? []
  const { type } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const found = []
  const walk = below => {
    const names = readdirSync(join(folder, below)).sort()
    const hasCommonJs = names.includes('cjs') || names.includes('commonjs')
    for (const one of names) {
      const path = below === '' ? one : `${below}/${one}`
      if (statSync(join(folder, path)).isDirectory()) {
        if (one === 'node_modules' || NEEDLESS_FOLDERS.has(one) || (one === 'esm' && hasCommonJs)) continue
        if (below === 'prebuilds' && one !== `${platform.os}-${platform.cpu}`) continue
        walk(path)
      } else if (unused.some(part => path.startsWith(part)) || one.endsWith('.musl.node')) continue
      else if (type === 'module' && one.endsWith('.js') && names.includes(one.replace(/js$/, 'cjs'))) continue
      else if (LEGAL.test(one) || !NEEDLESS.test(one)) found.push(path)
    }
  }
  walk('')
  return found
}

/** A package's name, version and licence, with the text that comes with it. */
export function readNotice(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const file = readdirSync(folder).find(one => LEGAL.test(one) && existsSync(join(folder, one)))
  const text = file && statSync(join(folder, file)).isFile() ? readFileSync(join(folder, file), 'utf8').trim() : ''
  // Some packages declare their licence by its text alone.
  const declared = (typeof license === 'string' ? license : license?.type) ?? /^(MIT|ISC) License/.exec(text)?.[1]
  return { name, version, license: declared ?? 'unknown', text }
}
