import type { Severity } from '../../base/records/finding.ts'
import type { ImportKind } from './graph.ts'

/** What each rule may say for the reader of a violation. */
export interface Told {
  reason?: string
  severity?: Severity
}

export interface Layer extends Told {
  name: string
  paths: string[]
  imports?: string[]
}

export interface ImportRule extends Told {
  name: string
  from: string[]
  to?: string[]
  packages?: string[]
  except?: string[]
  kinds?: ImportKind[]
}

export interface Scoped extends Told {
  paths?: string[]
  except?: string[]
}

export interface CycleRule extends Scoped {
  type_only?: boolean
  folders?: string[]
}

export interface OrphanRule extends Scoped {
  entries?: string[]
}

export interface ApiRule extends Told {
  folder: string[]
  entry?: string[]
  except?: string[]
}

export interface LimitRule extends Scoped {
  name?: string
  fan_in?: number
  fan_out?: number
}

export interface StabilityRule extends Told {
  folders: string[]
  tolerance?: number
}

/** The rules of architecture.yaml: every string that may stand for a list is one. */
export interface ArchitectureRules {
  include?: string[]
  exclude?: string[]
  layers?: Layer[]
  forbidden?: ImportRule[]
  allowed?: ImportRule[]
  cycles?: CycleRule
  orphans?: OrphanRule
  public_api?: ApiRule[]
  limits?: LimitRule[]
  stable_dependencies?: StabilityRule
  unresolved?: Scoped
}
