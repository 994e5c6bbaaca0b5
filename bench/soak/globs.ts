import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { compileGlob } from '../../engine/base/text/glob.ts'
import { hardenEnvironment } from '../../engine/sources/repository/git-hardening.ts'
import { git } from './checkout.ts'
import { inFolder, type Soaked } from './program.ts'
import { Random } from './random.ts'

const WORDS = ['a', 'b', 'ab', 'src', 'x.js', '.js', '.', '-', '_', 'A', ']', '!', '^', ' ', '+', '(', '$']
const SIGNS = [
  '*',
  '**',
  '***',
  '?',
  '/',
  '/**/',
  '**/',
  '/**',
  '[ab]',
  '[!a]',
  '[^a-c]',
  '[a-c.]',
  '[]a]',
  '[a-]',
  '\\*',
  '\\a',
  '\\[',
  '[[:alpha:]]',
  '[a\\]b]',
]

/**
 * Compares the glob engine with git's on random globs and paths. git is asked as one process for all pairs: every glob is a line of
 * .gitattributes that gives an attribute of its own. The first folder `[x]/` keeps git from cutting off a beginning without
 * signs, after which it takes `**` in the middle of a name for one at the start. All is ASCII: git compares bytes, svc characters.
 */
export async function globs({ pairs, seed }: { pairs: number; seed: number }): Promise<Soaked> {
  const random = new Random(seed)
  const side = Math.ceil(Math.sqrt(pairs))
  const patterns = distinct(side, () => pattern(random))
  const paths = distinct(side, () => path(random, patterns))
  return inFolder(async folder => {
    git(folder, 'init', '-q')
    // Names are quoted as git quotes them, so that a space or a # does not end them.
    const lines = patterns.map((glob, index) => `${quoted(`/[x]/${glob}`)} g${index}`)
    writeFileSync(join(folder, '.gitattributes'), `${lines.join('\n')}\n`)
    const output = execFileSync('git', ['check-attr', '-z', '--stdin', '-a'], {
      cwd: folder,
      env: hardenEnvironment(process.env.PATH ?? '', process.env, { GIT_ALLOW_PROTOCOL: 'file' }),
      input: paths.map(name => `x/${name}\0`).join(''),
      maxBuffer: 1 << 30,
    })
    const fields = output.toString('utf8').split('\0')
    const matched = new Set<string>()
    for (let at = 0; at + 2 < fields.length; at += 3) matched.add(`${fields[at]!.slice(2)}\0${fields[at + 1]}`)
    const soaked: Soaked = {
      tried: patterns.length * paths.length,
      faults: [],
      figures: { 'of them match': matched.size },
    }
    patterns.forEach((glob, index) => {
      const matches = compileGlob(glob)
      for (const name of paths) {
        const expected = matched.has(`${name}\0g${index}`)
        if (matches(name) !== expected)
          soaked.faults.push(`${JSON.stringify(glob)} on ${JSON.stringify(name)}: git says ${expected}`)
      }
    })
    return soaked
  })
}

function pattern(random: Random): string {
  const parts = Array.from({ length: 1 + random.below(6) }, () => random.pick(random.chance(0.55) ? WORDS : SIGNS))
  const glob = parts.join('')
  // A slash at the end asks for a folder, at the start or doubled it means nothing.
  return /^\/|\/$|\/\/|^!|^ | $|^$/.test(glob) ? pattern(random) : glob
}

/** Half of the paths are made from a glob, so that many match. */
function path(random: Random, patterns: readonly string[]): string {
  const words = () => Array.from({ length: 1 + random.below(5) }, () => random.pick([...WORDS, '/', '/'])).join('')
  const made = random.chance(0.3)
    ? words()
    : random
        .pick(patterns)
        .replace(/\*\*\//g, () => random.pick(['', 'a/', 'src/ab/']))
        .replace(/\*+/g, () => random.pick(['', 'a', '.', 'ab', 'a/b']))
        .replace(/\?/g, () => random.pick(['a', 'b', '/', '.']))
        .replace(/\[\[:alpha:\]\]|\[[^\]]*\]/g, () => random.pick(['a', 'b', 'c', '.', ']', '-']))
        .replace(/\\/g, '')
  return /^\/|\/$|\/\/|^$/.test(made) || /(^|\/)\.{1,2}(\/|$)/.test(made) ? path(random, patterns) : made
}

function distinct(count: number, make: () => string): string[] {
  const made = new Set<string>()
  while (made.size < count) made.add(make())
  return [...made]
}

/** A C string, as git reads it in .gitattributes. */
function quoted(text: string): string {
  return `"${text.replace(/["\\]/g, '\\$&')}"`
}
