import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { findProgram, makeTrustedPath } from '../sources/repository/program-path.ts'
import { PROGRAMS } from './markers.ts'

/** Parents looked at; a shell in a shell in an agent is three. */
const DEEPEST = 12
/** Milliseconds for `ps`, where there is no /proc. */
const PS_TIMEOUT = 1000

/**
 * The agent among the parents of a process, by the names of their programs; undefined where there is none, or where the
 * system does not tell. On Linux from /proc; elsewhere from one call of `ps`.
 */
export function findAgentAmongParents(pid: number): string | undefined {
  const parentOf = process.platform === 'linux' ? fromProc : fromPs()
  let at = pid
  for (let depth = 0; depth < DEEPEST && at > 1; depth++) {
    const found = parentOf(at)
    if (!found) return undefined
    if (depth > 0) {
      const agent = found.words
        .slice(0, 2)
        .map(agentOf)
        .find(name => name !== undefined)
      if (agent) return agent
    }
    at = found.parent
  }
  return undefined
}

/** A process: its parent, and the first words of its command line. */
interface Found {
  parent: number
  words: string[]
}

/** An agent is a program of its own, or a script that an interpreter runs: `node …/bin/claude`. */
function agentOf(word: string): string | undefined {
  return PROGRAMS.get(basename(word).replace(/\.(exe|js|mjs|cjs|py)$/, ''))
}

/** proc(5): the parent is the second field after the command's name, which stands in parentheses and may hold any. */
function fromProc(pid: number): Found | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    const parent = Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
    return { parent, words: readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0') }
  } catch {
    return undefined
  }
}

function fromPs(): (pid: number) => Found | undefined {
  const rows = new Map<number, Found>()
  try {
    const path = makeTrustedPath(process.cwd(), process.env)
    const ps = findProgram('ps', path)
    if (ps === undefined) return () => undefined
    const listed = execFileSync(ps, ['-axo', 'pid=,ppid=,args='], { encoding: 'utf8', timeout: PS_TIMEOUT })
    for (const line of listed.split('\n')) {
      const [, pid, parent, words] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? []
      if (pid) rows.set(Number(pid), { parent: Number(parent), words: words!.split(/\s+/) })
    }
  } catch {
    // A system without ps tells nothing.
  }
  return pid => rows.get(pid)
}
