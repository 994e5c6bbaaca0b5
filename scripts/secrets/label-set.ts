import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { detectLanguage } from '../../engine/base/languages/languages.ts'
import { findAnchors } from '../../engine/detect/secrets/generic/anchors.ts'
import { type Candidate, candidatesOf } from '../../engine/detect/secrets/generic/candidates.ts'
import { isInvitation, isOpenValue, isProse } from '../../engine/detect/secrets/generic/open-value.ts'

/** A judged place of a published package. labels.tsv holds places and verdicts only, never what stands there. */
export interface Label {
  package: string
  version: string
  path: string
  line: number
  column: number
  secret: boolean
  /** Not learnt from, and looked at once. */
  heldOut: boolean
}

export interface Labelled {
  label: Label
  /** Undefined where nothing is found at the place any more: a secret that is missed for good, an other that is told apart for good. */
  candidate: Candidate | undefined
}

export function readLabels(): Label[] {
  const [, ...rows] = readFileSync(new URL('labels.tsv', import.meta.url), 'utf8')
    .trim()
    .split('\n')
  return rows.map(row => {
    const [name = '', version = '', path = '', line, column, verdict, part] = row.split('\t')
    return {
      package: name,
      version,
      path,
      line: Number(line),
      column: Number(column),
      secret: verdict === 'secret',
      heldOut: part === 'held_out',
    }
  })
}

/**
 * The labels with what is found at their places now. `trees` holds each package's source unpacked as `<package>_<version>`; labels
 * of packages that are not there are left out, and named in `missing`.
 */
export function labelled(trees: string): { lines: Labelled[]; missing: string[] } {
  const byFile = new Map<string, Label[]>()
  const missing = new Set<string>()
  for (const label of readLabels()) {
    const file = join(trees, `${label.package}_${label.version}`, label.path)
    if (!existsSync(file)) missing.add(`${label.package}_${label.version}`)
    else byFile.set(file, [...(byFile.get(file) ?? []), label])
  }
  const lines: Labelled[] = []
  for (const [file, labels] of byFile) {
    const text = readFileSync(file, 'utf8')
    const starts = [0, ...Array.from(text.matchAll(/\n/g), ({ index }) => index + 1)]
    const found = candidatesOf(text, findAnchors(text), detectLanguage(file) ?? 'text')
    for (const label of labels) {
      const at = starts[label.line - 1]! + label.column - 1
      const candidate = found.find(({ start, end }) => start <= at && at < end)
      const isOpen =
        candidate && (isOpenValue(text, candidate.start) || isProse(candidate.text) || isInvitation(candidate.text))
      lines.push({ label, candidate: isOpen ? undefined : candidate })
    }
  }
  return { lines, missing: [...missing] }
}
