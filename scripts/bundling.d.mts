import type { BuildOptions } from 'esbuild'

export const root: string
export const modules: BuildOptions
export const whole: BuildOptions & Required<Pick<BuildOptions, 'plugins'>>
export function launcher(quickCommands: Readonly<Record<string, readonly string[]>>): BuildOptions
