import type { ManifestEditor } from './edit.ts'
import { composer, npm } from './json-editors.ts'
import { cargo, gems, go, mix, pipfile, pub, pyproject, requirements } from './line-editors.ts'
import { actions, gradle, gradleCatalog, maven, nuget } from './other-editors.ts'

/** The editors of each ecosystem, the most usual manifest first. */
export const EDITORS: Record<string, readonly ManifestEditor[]> = {
  npm: [npm],
  PyPI: [requirements, pyproject, pipfile],
  'crates.io': [cargo],
  Go: [go],
  RubyGems: [gems],
  Packagist: [composer],
  Maven: [maven, gradleCatalog, gradle],
  NuGet: [nuget],
  Pub: [pub],
  Hex: [mix],
  'GitHub Actions': [actions],
}
