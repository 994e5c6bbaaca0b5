/** By `<os>-<cpu>`, what a platform's package needs there. */
export const PLATFORMS: Record<string, { os: string; cpu: string; libc?: string; parsers: string; natives: string[] }>
