import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { svc } from './harness.ts'

let folder: string

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'svc-completion-'))
  for (const shell of ['bash', 'zsh', 'fish'])
    await writeFile(join(folder, `svc.${shell}`), (await svc(`completion ${shell}`)).out)
  await writeFile(join(folder, 'a file.txt'), '')
  await writeFile(join(folder, 'other.txt'), '')
})

afterAll(() => rm(folder, { recursive: true }))

function installed(shell: string): boolean {
  try {
    execFileSync(shell, ['-c', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function shell(name: string, args: string[]): Promise<string> {
  const env = { PATH: process.env.PATH, HOME: folder, TERM: 'xterm', LANG: 'C.UTF-8' }
  return (await promisify(execFile)(name, args, { cwd: folder, env, timeout: 50_000 })).stdout
}

/** What bash offers for the line, whose words are split as bash's readline splits them: at = too. */
async function bash(line: string): Promise<string[]> {
  const words = line.split(/( |=)/).filter(word => word !== ' ' && word !== '')
  if (line.endsWith(' ')) words.push('')
  const list = words.map(word => `'${word}'`).join(' ')
  const script = `source ./svc.bash; COMP_WORDS=(${list}); COMP_CWORD=${words.length - 1}; _svc; printf '%s\\n' "\${COMPREPLY[@]}"`
  return (await shell('bash', ['--norc', '-c', script])).split('\n').filter(Boolean).sort()
}

/** What fish offers for the line. */
async function fish(line: string): Promise<string[]> {
  const out = await shell('fish', ['--no-config', '-c', `source ./svc.fish; complete -C '${line}'`])
  return out
    .split('\n')
    .map(row => row.split('\t')[0]!)
    .filter(Boolean)
    .sort()
}

/** Waits until zsh, after TAB, has put the line as expected on its screen. */
async function zsh(line: string, expected: string): Promise<string> {
  const script = `
    zmodload zsh/zpty
    zpty shell 'TERM=dumb PS1="> " zsh -f -i'
    zpty -w shell 'autoload -U compinit; compinit -u -D; source ./svc.zsh; print rea''dy'
    zpty -r shell out '*ready*'
    zpty -w -n shell ${JSON.stringify(line)}$'\\t'
    zpty -r shell out ${JSON.stringify(`*${expected}*`)}
    print -rn -- "$out"
    zpty -d shell`
  return shell('zsh', ['-f', '-c', script])
}

const COMMON = ['--help', '--json', '--log-format', '--no-color', '--output-dir', '--quiet', '--verbose']

describe.each(
  [
    ['bash', bash],
    ['fish', fish],
  ].filter(([name]) => installed(name as string)) as [string, (line: string) => Promise<string[]>][],
)('in %s', (name, complete) => {
  it('the first word completes to commands', async () => {
    expect(await complete('svc ec')).toEqual(['echo'])
    expect(await complete('svc ')).toEqual(['completion', 'echo', 'fail', 'gate', 'lines', 'read', 'work'])
  })

  it('a first word of two completes to its sub-commands', async () => {
    expect(await complete('svc gate ')).toEqual(['check', 'remove'])
    expect(await complete('svc gate c')).toEqual(['check'])
  })

  it('a dash completes to the options of the command at hand', async () => {
    const long = (await complete('svc echo --'))
      .filter(word => word.startsWith('--'))
      .map(word => word.replace(/=$/, ''))
    expect(long).toEqual(
      ['--cache', '--colour', '--count', '--files', '--git-range', '--no-cache', '--staged', ...COMMON].sort(),
    )
    expect(await complete('svc gate check --j')).toEqual(['--json'])
  })

  it('an option with a choice completes to the choices', async () => {
    expect(await complete('svc echo --colour ')).toEqual(['blue', 'green', 'red'])
    expect((await complete('svc echo --colour=g')).map(word => word.replace('--colour=', ''))).toEqual(['green'])
  })

  it('an option or a parameter that is a path completes to files, spaces and all', async () => {
    const files = (await complete('svc echo --files ')).map(word => word.replaceAll('\\', ''))
    expect(files).toEqual(expect.arrayContaining(['a file.txt', 'other.txt']))
    expect(await complete('svc gate remove ot')).toEqual(['other.txt'])
  })

  it('a parameter with a choice completes to the choices', async () => {
    expect(await complete('svc completion ')).toEqual(['bash', 'fish', 'zsh'])
  })

  it('text that nobody can guess completes to nothing', async () => {
    expect(await complete('svc echo --git-range ')).toEqual([])
    expect(name).not.toBe('')
  })
})

describe.runIf(installed('zsh'))('in zsh', () => {
  it.each([
    ['svc ech', 'svc echo'],
    ['svc gate ch', 'svc gate check'],
    ['svc echo --stag', 'svc echo --staged'],
    ['svc echo --colour gre', 'svc echo --colour green'],
    ['svc gate remove oth', 'svc gate remove other.txt'],
  ])('`%s` completes to `%s`', async (line, expected) => {
    expect(await zsh(line, expected)).toContain(expected)
  })
})

describe('every script', () => {
  it.each(['bash', 'zsh', 'fish'])('for %s names every command, long option and choice', async name => {
    const { out } = await svc(`completion ${name}`)
    for (const word of [
      'echo',
      'lines',
      'check',
      'remove',
      'completion',
      'git-range',
      'no-cache',
      'staged',
      'blue',
      'known',
    ]) {
      expect(out).toContain(word)
    }
  })

  it.each(['bash', 'zsh', 'fish'].filter(installed))('for %s is accepted by the shell itself', async name => {
    await expect(shell(name, ['-n', `./svc.${name}`])).resolves.toBe('')
  })

  it('is offered for no other shell', async () => {
    const { code, err } = await svc('completion fihs')
    expect(code).toBe(64)
    expect(err).toContain('did you mean fish?')
  })
})
