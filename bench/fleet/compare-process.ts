import { type Fleet, readRun, scanHere } from './experiment.ts'

/** A stored run, and the repository that it is of. */
export interface Pair {
  fleet: Fleet
  repository: string
  name: string
  /** The run, as it was fetched. */
  folder: string
}

/** A process that answers of one pair after the other where the run is not that of a local scan. */
process.on('message', async ({ fleet, repository, name, folder }: Pair) => {
  const stored = await readRun(folder)
  process.send!({ difference: describeDifference(stored, await scanHere(fleet, repository, name)) })
})

/** The first lines that differ; undefined where none does. */
function describeDifference(stored: string, local: string): string | undefined {
  if (stored === local) return undefined
  const [own, others] = [stored.split('\n'), local.split('\n')]
  const at = own.findIndex((line, index) => line !== others[index])
  const show = (lines: readonly string[]) =>
    lines
      .slice(Math.max(0, at - 3), at + 3)
      .join(' ')
      .replace(/\s+/g, ' ')
  return `stored: ${show(own)} | local: ${show(others)}`
}
