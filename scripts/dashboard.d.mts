import type { BuildOptions } from 'esbuild'

export function dashboardOptions(outdir: string): BuildOptions
export function copyStatic(outdir: string): void
