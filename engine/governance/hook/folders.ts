import { statSync } from 'node:fs'
import { resolve } from 'node:path'
import type { Command, Word } from './shell.ts'

/** In which folders a command may run: a change of folder may fail, or not be come to, and then the one before holds. */
export class Folders {
  readonly #now = new Map<string, { folders?: string[]; before?: { group: number; folders?: string[] } }>()

  constructor(cwd: string) {
    this.#now.set('0', { folders: [cwd] })
  }

  /** The folders, the likeliest first; undefined where they are not known. */
  at({ shell, group }: Command): string[] | undefined {
    let state = this.#now.get(shell)
    if (!state) {
      let outer = shell
      do outer = outer.slice(0, outer.lastIndexOf('/'))
      while (!this.#now.has(outer))
      state = { ...this.#now.get(outer) }
      this.#now.set(shell, state)
    }
    if (state.before && state.before.group !== group) {
      const { folders } = state.before
      const joined = folders && state.folders ? [...new Set([...state.folders, ...folders])] : undefined
      this.#now.set(shell, { ...(joined && { folders: joined }) })
      return joined
    }
    return state.folders
  }

  change(command: Command, to: Word): void {
    const before = this.at(command)
    // The second time it starts from where the first has led.
    const folders = to === undefined || command.again ? undefined : before?.map(folder => resolve(folder, to))
    const isSure = !command.maybe && folders?.every(isFolder)
    this.#now.set(command.shell, {
      ...(folders && { folders }),
      ...(!isSure && { before: { group: command.group, ...(before && { folders: before }) } }),
    })
  }
}

/** Whether a folder stands there. */
export function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false
}
