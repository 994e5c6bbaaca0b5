import check from '../../../engine/ops/architecture/check.ts'
import { context } from '../../made/call.ts'

type Input = Parameters<typeof check.run>[0]

/** `svc check-arch` in a folder. */
export async function checkArch(root: string, input: Partial<Input> = {}) {
  return check.run({ init: false, ...input } as Input, context(root) as never)
}

/** Violations in short: rule, file and line, and what is imported. */
export function short(violations: readonly { rule: string; file: string; line: number; target: string | null }[]) {
  return violations.map(({ rule, file, line, target }) => `${rule} ${file}:${line} ${target ?? ''}`.trim())
}
