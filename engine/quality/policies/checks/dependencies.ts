import { compileGlob } from '../../../base/text/glob.ts'
import type { Evaluation } from '../evaluate.ts'
import { type Ecosystem, foldName } from '../manifests/manifest.ts'
import type { Dependencies, Policy } from '../policy.ts'
import type { Report } from './report.ts'

/** What manifests may declare, must declare, and how exactly. */
export async function checkDependencies(
  { matches, forbidden, required, pinned, scopes }: Dependencies,
  { isExempt, name: policy }: Policy,
  { facts }: Evaluation,
  report: Report,
): Promise<void> {
  const isAbout = (manifest: string) => matches(manifest) && !isExempt(manifest)
  const { dependencies, manifests, unread } = await facts.declared()
  for (const { manifest, reason } of unread) if (isAbout(manifest)) report.skip('no_data', reason, manifest)
  const looked = manifests.filter(isAbout)
  if (looked.length === 0) {
    report.skip('no_data', `no manifest that policy ${policy} is about was read`)
    return
  }
  const declared = dependencies.filter(
    ({ manifest, scope }) => isAbout(manifest) && (scopes.length === 0 || scopes.includes(scope)),
  )
  const bans = new Map<Ecosystem, { pattern: string; matches: (name: string) => boolean }[]>()
  for (const { name, version, manifest, ecosystem, line: at, pinned: isPinned } of declared) {
    const ofEcosystem =
      bans.get(ecosystem) ?? forbidden.map(pattern => ({ pattern, matches: compileGlob(foldName(ecosystem, pattern)) }))
    bans.set(ecosystem, ofEcosystem)
    const folded = foldName(ecosystem, name)
    const banned = ofEcosystem.find(each => each.matches(folded))
    if (banned) {
      const why = banned.pattern === name ? '' : ` (${banned.pattern})`
      report.violate(manifest, at, `The dependency ${name} is forbidden${why}.`, `forbidden\0${name}`)
    }
    if (!pinned) continue
    if (isPinned === undefined) report.skip('no_data', `the version of ${name} is set in another file`, manifest)
    else if (!isPinned)
      report.violate(
        manifest,
        at,
        `The dependency ${name} is not pinned to one version: ${version || 'no version'}.`,
        `pinned\0${name}`,
      )
  }
  for (const name of required) {
    const missing = looked.filter(
      manifest =>
        !declared.some(
          each => each.manifest === manifest && foldName(each.ecosystem, each.name) === foldName(each.ecosystem, name),
        ),
    )
    for (const manifest of missing)
      report.violate(manifest, 1, `The dependency ${name} is missing.`, `required\0${name}`)
  }
}
