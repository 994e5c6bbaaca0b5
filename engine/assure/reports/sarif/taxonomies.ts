import type { ControlRef } from '../../../base/records/finding.ts'
import { replaceLoneSurrogates } from '../../../base/text/visible.ts'
import type { ReportModel } from '../../model.ts'

interface Taxonomy {
  component: Record<string, unknown> & { name: string; taxa: { id: string }[] }
  /** Index of a taxon by its id. */
  indexes: Map<string, number>
}

/** A reference from a rule or a result to a taxon (SARIF 2.1.0, 3.52). */
export interface TaxonReference {
  id: string
  index: number
  toolComponent: { name: string; index: number }
}

/** CWE and each framework that a rule or a finding bears on, as SARIF taxonomies with the taxa that occur in this run. */
export class Taxonomies {
  private readonly all: Taxonomy[] = []
  private readonly cwe: number
  private readonly frameworks = new Map<string, number>()

  constructor(model: ReportModel) {
    const cwe = new Set<string>()
    const controls = new Map<string, Set<string>>()
    for (const source of [model.rules.values(), model.findings]) {
      for (const item of source) {
        for (const id of item.cwe) cwe.add(parseCweNumber(id))
        for (const { framework, control } of item.controls) {
          const known = controls.get(framework)
          if (known) known.add(control)
          else controls.set(framework, new Set([control]))
        }
      }
    }
    this.cwe = cwe.size === 0 ? -1 : this.add(CWE, [...cwe].sort(byNumber).map(cweTaxon))
    for (const id of [...controls.keys()].sort()) {
      const framework = model.frameworks.get(id)
      const facts = { name: framework?.name ?? id, ...(framework && { version: framework.version }) }
      const taxa = [...controls.get(id)!].sort().map(control => ({ id: replaceLoneSurrogates(control) }))
      this.frameworks.set(id, this.add({ ...facts, properties: { framework: id } }, taxa))
    }
  }

  get components(): readonly unknown[] {
    return this.all.map(taxonomy => taxonomy.component)
  }

  /** For tool.driver.supportedTaxonomies. */
  get references(): readonly unknown[] {
    return this.all.map(({ component }, index) => ({ name: component.name, index }))
  }

  /** The taxa of a rule or a finding, each once. */
  of(item: { cwe: readonly string[]; controls: readonly ControlRef[] }): TaxonReference[] {
    const found = new Map<string, TaxonReference>()
    const add = (taxonomy: number, id: string) => {
      const { component, indexes } = this.all[taxonomy]!
      const taxon = { id, index: indexes.get(id)!, toolComponent: { name: component.name, index: taxonomy } }
      found.set(`${taxonomy} ${taxon.index}`, taxon)
    }
    for (const id of item.cwe) add(this.cwe, parseCweNumber(id))
    for (const { framework, control } of item.controls)
      add(this.frameworks.get(framework)!, replaceLoneSurrogates(control))
    return [...found.values()]
  }

  private add(facts: { name: string; [key: string]: unknown }, taxa: { id: string }[]): number {
    const component = { ...facts, name: replaceLoneSurrogates(facts.name), isComprehensive: false, taxa }
    this.all.push({ component, indexes: new Map(taxa.map((taxon, index) => [taxon.id, index])) })
    return this.all.length - 1
  }
}

/** `CWE-89`, `cwe-089` and `89` are one weakness: `89`. Anything else stays as it is. */
export function parseCweNumber(id: string): string {
  return /^(?:cwe-)?0*(\d+)$/i.exec(id)?.[1] ?? replaceLoneSurrogates(id)
}

const CWE = {
  name: 'CWE',
  organization: 'MITRE',
  shortDescription: { text: 'The MITRE Common Weakness Enumeration' },
  informationUri: 'https://cwe.mitre.org/',
}

function cweTaxon(id: string): { id: string } {
  if (!/^\d+$/.test(id)) return { id }
  return { id, ...{ name: `CWE-${id}`, helpUri: `https://cwe.mitre.org/data/definitions/${id}.html` } }
}

function byNumber(a: string, b: string): number {
  return a.length - b.length || (a < b ? -1 : 1)
}
