import type { Context } from '../../base/context.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { loadPacks } from '../../sources/packs/load.ts'
import { openStore } from '../../sources/store/open.ts'
import { resolveOutputDirectory } from '../../sources/store/output-directory.ts'

/** A framework that a document can be about. */
export interface AvailableFramework {
  id: string
  /** With the edition. */
  name: string
  pack_id: string
  /** Controls that the pack carries. */
  controls: number
  /** Whether the configuration enables it. */
  enabled: boolean
  /** Whether the latest run of the whole repository evaluated it. */
  evaluated: boolean
}

/** Every framework that there is a pack for, by id. */
export async function listFrameworks(
  { cwd, env, notice }: Pick<Context, 'cwd' | 'env' | 'notice'>,
  config?: string,
): Promise<AvailableFramework[]> {
  const { root, packs: choice } = await loadConfig(cwd, { path: config, env })
  const store = await openStore(await resolveOutputDirectory({ cwd, env }), notice)
  try {
    const [latest] = (await store.wholeRuns()).runs
    const had = new Set((latest ? (await store.run(latest.id)).frameworks : [])?.map(({ id }) => id))
    return (await loadPacks(root))
      .flatMap(({ id, framework, controls }) =>
        framework
          ? {
              id: framework.id,
              name: `${framework.name} ${framework.edition}`,
              pack_id: id,
              controls: controls.length,
              enabled: choice.enable.includes(id) && !choice.disable.includes(id),
              evaluated: had.has(framework.id),
            }
          : [],
      )
      .sort((a, b) => (a.id < b.id ? -1 : 1))
  } finally {
    store.close()
  }
}
