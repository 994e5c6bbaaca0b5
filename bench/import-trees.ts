// TypeScript trees made for the comparison of import graphs: the same bytes each time.
import { execFileSync } from 'node:child_process'
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** Numbers that look random and are the same in every run (Numerical Recipes' constants). */
function makeRandom(seed: number): (below: number) => number {
  let state = seed
  return below => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const FORMS: ((specifier: string, name: string) => string)[] = [
  (specifier, name) => `import { ${name} } from '${specifier}'`,
  (specifier, name) => `import ${name}, { type T as ${name}T } from '${specifier}'`,
  (specifier, name) => `import type { T as ${name} } from '${specifier}'`,
  specifier => `export * from '${specifier}'`,
  (specifier, name) => `export { x as ${name} } from '${specifier}'`,
  (specifier, name) => `const ${name} = await import('${specifier}')`,
  (specifier, name) => `import * as ${name} from "${specifier}"`,
  specifier => `import '${specifier}'`,
]

const BODY = `
/** import './not-an-import' in a comment, and "export * from './nor-this'" in a string below. */
export interface T { readonly label: string; next?: T }
export const x = (value: T): string => \`import './template' \${value.label}\`
export const text = "import y from './string'"
export class Box<V extends T> { constructor(private readonly value: V) {} get(): V { return this.value } }
export function walk(start: T | undefined, visit: (each: T) => void): number {
  let count = 0
  for (let at = start; at; at = at.next) { visit(at); count++ }
  return /['"]import/.test(text) ? count : -count
}
export default x
`

/** 24 packages of 40 files: each imports packages before it, by their exports, as an installed workspace has them. */
export function makeWorkspaceTree(root: string): string {
  const random = makeRandom(1)
  const files: Record<string, string> = {
    'package.json': '{ "private": true, "workspaces": ["packages/*"] }\n',
    'tsconfig.json':
      '{ "compilerOptions": { "module": "esnext", "moduleResolution": "bundler", "target": "es2022" } }\n',
  }
  for (let number = 0; number < 24; number++) {
    const base = `packages/p${number}`
    files[`${base}/package.json`] =
      `{ "name": "@w/p${number}", "type": "module", "exports": { ".": { "import": "./src/index.ts" }, "./parts/*": "./src/parts/*.ts" } }\n`
    for (let file = 0; file < 40; file++) {
      const isPart = file % 4 === 3
      const lines = Array.from({ length: 2 + random(7) }, (_, index) => {
        const choice = random(10)
        const other = random(Math.max(1, number))
        const near = random(40)
        const inPart = near % 4 === 3
        const relative = isPart
          ? inPart
            ? `./f${near}`
            : near === 0
              ? '..'
              : `../f${near}.js`
          : inPart
            ? `./parts/f${near}`
            : near === 0
              ? './index'
              : `./f${near}`
        const specifier =
          number === 0 || choice < 6
            ? relative
            : choice < 9
              ? `@w/p${other}`
              : `@w/p${other}/parts/f${3 + 4 * random(10)}`
        return FORMS[random(FORMS.length)]!(specifier, `n${index}`)
      })
      const name = file === 0 ? 'index' : `f${file}`
      files[`${base}/src/${isPart ? 'parts/' : ''}${name}.ts`] = `${lines.join('\n')}\n${BODY}`
    }
  }
  write(root, files)
  mkdirSync(join(root, 'node_modules/@w'), { recursive: true })
  for (let number = 0; number < 24; number++)
    symlinkSync(`../../packages/p${number}`, join(root, `node_modules/@w/p${number}`))
  return root
}

/** 1,200 files of one application with paths in tsconfig.json, components in .tsx among them. */
export function makeAliasTree(root: string): string {
  const random = makeRandom(2)
  const parts = ['core', 'ui', 'data', 'shared', 'pages', 'hooks']
  const paths = { '~/*': ['src/*'], '@core/*': ['src/core/*'], '@ui/*': ['src/ui/*'], '@config': ['src/shared/index'] }
  const files: Record<string, string> = {
    'package.json': '{ "name": "app", "type": "module" }\n',
    'tsconfig.json': `${JSON.stringify({ compilerOptions: { baseUrl: '.', paths, jsx: 'preserve', module: 'esnext', moduleResolution: 'bundler', resolveJsonModule: true } })}\n`,
    'src/data/names.json': '{}\n',
  }
  const named = (file: number) => (file === 0 ? 'index' : `f${file}`)
  for (const part of parts)
    for (let file = 0; file < 200; file++) {
      const lines = Array.from({ length: 2 + random(8) }, (_, index) => {
        const other = parts[random(parts.length)]!
        const near = random(200)
        const specifier = [
          `./${named(near)}`,
          `../${other}/${named(near)}`,
          `~/${other}/${named(near)}`,
          near === 0 ? '@core/index' : `@core/f${near}`,
          `@ui/f${1 + random(199)}`,
          '@config',
          `~/${other}`,
          '~/data/names.json',
        ][random(8)]!
        return FORMS[random(FORMS.length)]!(specifier, `n${index}`)
      })
      const isView = (part === 'ui' || part === 'pages') && file % 2 === 1
      const view = "export const View = () => <p title='a'>It's {x({ label: 'b' })}</p>\n"
      files[`src/${part}/${named(file)}.${isView ? 'tsx' : 'ts'}`] = `${lines.join('\n')}\n${BODY}${isView ? view : ''}`
    }
  write(root, files)
  return root
}

function write(root: string, files: Record<string, string>): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  writeFileSync(join(root, '.gitignore'), 'node_modules/\n')
  execFileSync('git', ['init', '-q'], { cwd: root })
}
