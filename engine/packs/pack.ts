import type { ControlRef } from '../finding.ts'
import type { CompiledRule } from '../rules/rule-set.ts'

/** A control of a framework, in our own words, and what bears on it. */
export interface Control {
  id: string
  title: string
  /** One line. */
  meaning: string
  maps: ControlMap[]
}

/** Rules that bear on a control: named, or all that carry one of these CWEs. */
export interface ControlMap {
  rules: string[]
  cwe: string[]
  /** Why these rules bear on the control, in one line. */
  why: string
}

/** Something that a person must show, since no tool can see it. */
export interface Obligation {
  id: string
  control: string
  title: string
  evidence: string
}

/** The framework that a framework pack maps: whose, which edition, from when. */
export interface Framework {
  id: string
  name: string
  edition: string
  /** ISO date of the edition. */
  date: string
}

/** A pack as it is used: technical packs have rules, framework packs have controls. Plain data. */
export interface Pack {
  id: string
  version: string
  name: string
  description: string
  tier: string
  /** Languages whose presence turns a technical pack on; `any` is always on. */
  languages: string[]
  framework?: Framework
  rules: CompiledRule[]
  obligations: Obligation[]
  controls: Control[]
}

/** The controls that each rule bears on, over the given packs, in the packs' order. */
export function controlsByRule(packs: readonly Pack[], rules: readonly CompiledRule[]): Map<string, ControlRef[]> {
  const byRule = new Map<string, ControlRef[]>()
  const byCwe = new Map<string, string[]>()
  for (const rule of rules) for (const cwe of rule.cwe) byCwe.set(cwe, [...(byCwe.get(cwe) ?? []), rule.id])
  for (const pack of packs) {
    if (!pack.framework) continue
    for (const control of pack.controls) {
      const bearing = new Set(
        control.maps.flatMap(map => [...map.rules, ...map.cwe.flatMap(cwe => byCwe.get(cwe) ?? [])]),
      )
      for (const id of bearing) {
        const refs = byRule.get(id) ?? []
        refs.push({ framework: pack.framework.id, control: control.id })
        byRule.set(id, refs)
      }
    }
  }
  return byRule
}
