import type { RequestFigure } from '../base/context.ts'

/** A metric of the Prometheus data model, named by its conventions: base units, `_total` for counters. */
export type Figure = RequestFigure

/** A value with its labels. `suffix` is the part of a histogram. */
export type Sample = Figure['samples'][number]
