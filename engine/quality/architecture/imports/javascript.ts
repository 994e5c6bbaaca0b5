import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { Positions } from '../../../base/text/positions.ts'
import { findComponentScripts } from './javascript-components.ts'
import { makeScriptReader } from './javascript-sites.ts'
import { ScriptTargets } from './javascript-targets.ts'
import type { ImportLanguage, ImportReader, Project, Site } from './language.ts'
import { NamePool } from './source-text.ts'

/** Imports of JavaScript and TypeScript: ES modules, `require`, `import()`, and those in the scripts of components. */
const javascript: ImportLanguage = {
  name: 'javascript',
  languages: ['javascript', 'typescript', 'tsx', 'vue', 'svelte', 'astro'],
  async open(project) {
    const [readSites, targets] = await Promise.all([makeScriptReader(), ScriptTargets.open(project)])
    return new JavaScriptImports(project, readSites, targets)
  },
}

export default javascript

class JavaScriptImports implements ImportReader {
  readonly #project: Project
  readonly #readSites: Awaited<ReturnType<typeof makeScriptReader>>
  readonly #targets: ScriptTargets
  readonly #sites = new Map<number, (Site & { computed?: 'glob' | 'all' })[]>()
  readonly #names = new NamePool()

  constructor(project: Project, readSites: Awaited<ReturnType<typeof makeScriptReader>>, targets: ScriptTargets) {
    this.#project = project
    this.#readSites = readSites
    this.#targets = targets
  }

  collect(file: number, text: string, language: string): void {
    const script = findComponentScripts(language, text)
    const positions = new Positions(text)
    const found = this.#readSites(script.text, script.language)
    if (found.length === 0) return
    this.#sites.set(
      file,
      found.map(({ specifier, kind, offset, computed }) => ({
        specifier: this.#names.keep(specifier),
        kind,
        ...positions.at(offset),
        ...(computed && { computed }),
      })),
    )
  }

  resolve(report: Parameters<ImportReader['resolve']>[0]): void {
    for (const [file, sites] of this.#sites) {
      const path = this.#project.paths[file]!
      for (const { computed, ...site } of sites) {
        if (computed === 'all') {
          report(file, site, { state: 'computed', reason: 'the specifier is computed at run time' })
        } else if (computed === 'glob') {
          const targets = this.#targets.findMatches(path, site.specifier)
          for (const target of targets ?? []) report(file, site, { file: target })
          if (!targets || targets.length === 0)
            report(file, site, {
              state: 'computed',
              reason: targets
                ? 'no file of the repository matches the template'
                : 'the repository has too many templates to compare them all with its files',
            })
        } else if (isBuiltin(site.specifier)) {
          const name = site.specifier.replace(/^node:/, '')
          report(file, site, { external: { name: `node:${name}`, kind: 'builtin' } })
        } else report(file, site, this.#targets.find(path, join(this.#project.root, path), site.specifier))
      }
    }
  }
}
