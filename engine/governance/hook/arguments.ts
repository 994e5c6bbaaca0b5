import type { Word } from './shell.ts'

/** The arguments that are no options; after `--` all are. `valued` are options whose value follows. */
export function plain(args: readonly Word[], valued = /^$/): Word[] {
  const found: Word[] = []
  for (let at = 0; at < args.length; at++) {
    const arg = args[at]
    if (arg === '--') return [...found, ...args.slice(at + 1)]
    if (arg !== undefined && /^-./.test(arg)) {
      if (valued.test(arg)) at++
    } else found.push(arg)
  }
  return found
}

/** The value of an option, `-t DIR`, `-tDIR` or `--target=DIR`. */
export function option(args: readonly Word[], short: string, long: string): Word | null {
  for (const [at, arg] of args.entries()) {
    if (arg === short || arg === long) return args[at + 1]
    if (arg?.startsWith(`${long}=`)) return arg.slice(long.length + 1)
    if (arg !== undefined && arg.length > 2 && arg.startsWith(short) && !arg.startsWith('--')) return arg.slice(2)
  }
  return null
}
