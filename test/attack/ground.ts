import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { sample } from '../../engine/detect/secrets/sample.ts'
import { type Ran, runHere } from '../made/command-line.ts'
import { commitFirst } from '../made/first-commit.ts'
import { ROOT } from '../root.ts'

/** The built program, as a user starts it. */
export const PROGRAM = join(ROOT, 'dist/svc.js')
/** After this an attacked program hangs; nothing that is tried here takes a tenth of it. */
const HANGS_AFTER = 60_000

/** A token of a provider's format, with a checksum that holds. It is made here, so that no file has one. */
export const TOKEN = sample('ghp_{base62:30}{crc32}', 'attack')
/** A line of Python with a high finding that no analysis is needed for. */
export const WEAK = 'import requests\nrequests.get("https://internal.example.org/", verify=False)\n'
/** The rule that finds it. */
export const WEAK_RULE = 'python-requests-verify-off'

/** One way round svc that somebody tries. */
export interface Try {
  /** What is attempted, in the words of who does it. */
  name: string
  /** What svc has against it. */
  holds: string
  /** Tries it in a repository of its own, and throws where it succeeds. */
  attack: (ground: Ground) => void | Promise<void>
}

/** A repository with one commit, a home of its own and the program, for one try. */
export class Ground {
  readonly root: string
  readonly env: NodeJS.ProcessEnv
  readonly #base: string
  readonly #isHere: boolean

  /** Here, the command lines of most tries run in this process, which starts none; otherwise each in one of its own, as a user's do. */
  constructor({ here = false } = {}) {
    this.#isHere = here
    this.#base = mkdtempSync(join(tmpdir(), 'svc-attack-'))
    this.root = join(this.#base, 'project')
    this.env = {
      PATH: process.env.PATH,
      HOME: join(this.#base, 'home'),
      TMPDIR: process.env.TMPDIR,
      GIT_CONFIG_NOSYSTEM: '1',
      NO_COLOR: '1',
    }
    mkdirSync(this.env.HOME!)
    mkdirSync(this.root)
    const files = { 'README.md': '# Project\n', 'app.py': 'print("hello")\n' }
    commitFirst(this.root, files, (folder, ...args) => this.git('-C', folder, ...args), ['-b', 'main'])
  }

  /** A path in the project. */
  at(path: string): string {
    return join(this.root, path)
  }

  /** A path beside the project, which belongs to the attacker's machine and not to the repository. */
  beside(path: string): string {
    return join(this.#base, path)
  }

  write(files: Record<string, string | Uint8Array>): void {
    for (const [path, content] of Object.entries(files)) {
      mkdirSync(dirname(this.at(path)), { recursive: true })
      writeFileSync(this.at(path), content)
    }
  }

  read(path: string): string {
    return readFileSync(this.at(path), 'utf8')
  }

  git(...args: string[]): string {
    const settings = ['user.name=t', 'user.email=t@localhost', 'maintenance.auto=false']
    return this.run('git', ...settings.flatMap(setting => ['-c', setting]), ...args)
  }

  /** Runs a program of the attacker's in the project and answers what it prints. */
  run(program: string, ...args: string[]): string {
    const ran = spawnSync(program, args, { cwd: this.root, env: this.env, encoding: 'utf8' })
    if (ran.status !== 0) throw new Error(`${program} ${args.join(' ')}: ${ran.stderr}`)
    return ran.stdout
  }

  commit(message: string): void {
    this.git('add', '-A')
    this.git('commit', '-q', '--allow-empty', '-m', message)
  }

  /** Runs a command line in the project. */
  async svc(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> {
    if (!this.#isHere) return this.program(args, env)
    return runHere(args, { cwd: this.root, env: { ...this.env, ...env } })
  }

  /** Runs the program in the project, for what a process alone has, or could be held up by. Throws where it hangs. */
  program(args: readonly string[], env: NodeJS.ProcessEnv = {}): Ran {
    const ran = spawnSync(process.execPath, [PROGRAM, ...args], {
      cwd: this.root,
      env: { ...this.env, ...env },
      encoding: 'utf8',
      timeout: HANGS_AFTER,
      killSignal: 'SIGKILL',
      maxBuffer: 1 << 28,
      input: '',
    })
    if (ran.error) throw new Error(`svc ${args.join(' ')} did not end: ${ran.error.message}`)
    return { code: ran.status, out: ran.stdout, err: ran.stderr }
  }

  remove(): void {
    rmSync(this.#base, { recursive: true, force: true })
  }
}

/** Throws with what the program said. */
export function demand(holds: boolean, what: string, ran?: Ran): asserts holds {
  if (holds) return
  const said = ran ? `\nexit ${ran.code}\n${ran.out.slice(-1500)}\n${ran.err.slice(-1500)}` : ''
  throw new Error(`${what}${said}`)
}

/** The gate fails, as a judgement and not as a crash, and its words name the file or the rule. */
export function demandFailed(ran: Ran, ...names: string[]): void {
  demand(ran.code === 1, 'the gate did not fail', ran)
  for (const name of names) demand(`${ran.out}${ran.err}`.includes(name), `the gate does not name ${name}`, ran)
}

/** The three doors through which a change goes: what is staged, the gate on the range, and the whole tree. */
export async function demandSeenEverywhere(ground: Ground, ...names: string[]): Promise<void> {
  ground.git('add', '-A', '-f')
  const hook = await ground.svc(['pre-commit-scan'])
  demand(hook.code === 1, 'the commit hook lets it through', hook)
  ground.git('commit', '-q', '-m', 'change')
  demandFailed(await ground.svc(['gate', '--git-range', 'HEAD~1..HEAD']), ...names)
  demandFailed(await ground.svc(['gate']), ...names)
}
