import { SERVICES } from './external-services.ts'
import { FRAMEWORKS } from './frameworks.ts'
import { QUEUES } from './queues.ts'
import { STORES } from './stores.ts'
import type { Reached, Technology } from './technology.ts'

/** What programs reach: stores, queues and services. */
export const REACHED: readonly Reached[] = [...STORES, ...QUEUES, ...SERVICES]
/** Everything that svc knows of technologies: the one table of profile, design review and threat model. */
export const TECHNOLOGIES: readonly Technology[] = [...REACHED, ...FRAMEWORKS]

const BY_ID = new Map(REACHED.map(each => [each.id, each]))
/** By modules; of a framework what it reaches. */
const BY_MODULE = new Map(
  TECHNOLOGIES.flatMap(({ id, modules, reaches = id }) => {
    const reached = BY_ID.get(reaches)
    return reached === undefined ? [] : modules.map(name => [name, reached] as const)
  }),
)

/** What is reached by its id. */
export function findReached(id: string): Reached | undefined {
  return BY_ID.get(id)
}

/** What a program with this import reaches: by the name itself, or the longest known beginning of it up to a separator of the language. */
export function findReachedByModule(module: string, separator: string, isNpm = false): Reached | undefined {
  for (let name = module; name !== ''; name = name.slice(0, Math.max(0, name.lastIndexOf(separator)))) {
    const known = BY_MODULE.get(name) ?? (isNpm ? BY_MODULE.get(`npm:${name}`) : undefined)
    if (known) return known
  }
  return undefined
}
