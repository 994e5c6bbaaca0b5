import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Input, InputMaker } from './inputs.ts'
import { ALL_PACKS, inFolder, lastRun, type Soaked, svc } from './program.ts'
import { Random } from './random.ts'

/** Files a scan: so many that threads are used, so few that a crash is soon found. */
const BATCH = 250
/** A scan of a batch that takes longer hangs: each file may take its deadline, but hardly two of a batch do. */
const LIMIT_MS = 240_000

/** Scans made-up files and holds the scan to its promises: it ends in time and in order, and each file is scanned or listed with a reason. */
export async function fuzz({ count, seed, keep }: { count: number; seed: number; keep?: string }): Promise<Soaked> {
  const maker = new InputMaker(new Random(seed))
  const soaked: Soaked = { tried: 0, faults: [], figures: {} }
  let slowest = 0
  while (soaked.tried < count) {
    const inputs = Array.from({ length: Math.min(BATCH, count - soaked.tried) }, () => maker.make())
    soaked.tried += inputs.length
    const { faults, ms, skipped } = await scanned(inputs)
    slowest = Math.max(slowest, ms)
    for (const reason of skipped) soaked.figures[reason] = Number(soaked.figures[reason] ?? 0) + 1
    if (faults.length > 0) soaked.faults.push(...(await narrowed(inputs, faults, keep)))
  }
  soaked.figures['slowest scan of a batch, ms'] = Math.round(slowest)
  return soaked
}

/** Scans the inputs in a folder of their own; what went wrong in sentences. */
export async function scanned(inputs: readonly Input[], limitMs = LIMIT_MS, config = ALL_PACKS) {
  return inFolder(async folder => {
    inputs.forEach(({ name, bytes }, index) => {
      // A folder each: some languages are told by the whole name.
      mkdirSync(join(folder, `f${index}`))
      writeFileSync(join(folder, `f${index}`, name), bytes)
    })
    mkdirSync(join(folder, '.svc'))
    writeFileSync(join(folder, '.svc/config.yaml'), config)
    const { code, signal, stderr, ms, timedOut } = await svc(folder, ['scan', '--no-cache', '--quiet'], limitMs)
    const faults: string[] = []
    if (timedOut) faults.push(`the scan did not end within ${limitMs} ms`)
    else if (signal) faults.push(`the scan died of ${signal}`)
    else if (code === 66 && /No file could be scanned/.test(stderr)) return { faults, ms, skipped: [] }
    else if (code !== 0) faults.push(`the scan ended with ${code}: ${stderr.trim()}`)
    if (faults.length > 0) return { faults, ms, skipped: [] }

    const { counts, skipped } = lastRun(folder)
    const listed = new Set(skipped.map(({ path }) => path))
    if (counts.files + listed.size !== inputs.length + 1)
      faults.push(`of ${inputs.length + 1} files ${counts.files} were scanned and ${listed.size} listed as skipped`)
    for (const { path, reason } of skipped) if (reason === 'crashed') faults.push(`${path} crashed a worker`)
    return { faults, ms, skipped: skipped.map(({ reason }) => reason) }
  })
}

/** Finds the input that is to blame by halves, and keeps it in the folder `keep`. */
async function narrowed(
  inputs: readonly Input[],
  faults: readonly string[],
  keep: string | undefined,
): Promise<string[]> {
  if (inputs.length === 1) {
    const { name, kind, bytes } = inputs[0]!
    const fault = `${kind}, ${name}, ${bytes.length} bytes: ${faults.join('; ')}`
    if (keep === undefined) return [fault]
    mkdirSync(keep, { recursive: true })
    const path = join(keep, `${Date.now()}-${name}`)
    rmSync(path, { force: true })
    writeFileSync(path, bytes)
    return [`${fault} (kept as ${path})`]
  }
  const half = inputs.length >> 1
  const found: string[] = []
  for (const part of [inputs.slice(0, half), inputs.slice(half)]) {
    const { faults: own } = await scanned(part)
    if (own.length > 0) found.push(...(await narrowed(part, own, keep)))
  }
  return found.length > 0 ? found : [`${inputs.length} files together, none alone: ${faults.join('; ')}`]
}
