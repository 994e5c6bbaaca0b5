import { DockerfileParser } from 'dockerfile-ast'
import { redactCredentials } from '../../../base/text/credentials.ts'
import { readImage } from '../image.ts'
import { type Declaration, ManifestFault, type Parsed } from '../parsed.ts'
import { directoryOf } from '../paths.ts'

/** Reads the images that a Dockerfile builds on or copies from; names of its own stages are none. `ARG` defaults are filled in. */
export function parse(text: string, file: string): Parsed {
  const dockerfile = DockerfileParser.parse(text)
  const values = new Map<string, string>()
  for (const arg of dockerfile.getInitialARGs()) {
    const property = arg.getProperty()
    if (property) values.set(property.getName(), property.getValue() ?? '')
  }
  const fill = (image: string) =>
    image.replace(
      /\$(?:\{(\w+)(?::-([^}]*))?\}|(\w+))/g,
      (all, a?: string, fallback?: string, b?: string) => values.get(a ?? b ?? '') || (fallback ?? all),
    )
  const declares: Declaration[] = []
  const faults: ManifestFault[] = []
  /** Images that only the build knows: an argument has no default. */
  const open: string[] = []
  const stages = new Set<string>()
  const add = (written: string, line: number, scope: Declaration['scope']) => {
    const image = fill(written)
    if (image === 'scratch' || stages.has(image.toLowerCase())) return
    if (image.includes('$')) {
      open.push(`${written} (line ${line})`)
      return
    }
    const found = readImage(image)
    if (found) declares.push({ ...found, scope, line, ecosystem: 'Docker', kind: 'container' })
    else faults.push(new ManifestFault(`${JSON.stringify(written)} is no reference of an image`, line))
  }
  const froms = dockerfile.getFROMs()
  for (const [at, from] of froms.entries()) {
    const image = from.getImage()
    // Only the last stage is in the image that is built.
    if (image) add(image, from.getRange().start.line + 1, at === froms.length - 1 ? 'production' : 'development')
    const stage = from.getBuildStage()
    if (stage) stages.add(stage.toLowerCase())
  }
  for (const copy of dockerfile.getCOPYs()) {
    const source = copy
      .getFlags()
      .find(flag => flag.getName() === 'from')
      ?.getValue()
    if (source && !/^\d+$/.test(source)) add(source, copy.getRange().start.line + 1, 'production')
  }
  const detail =
    open.length > 0
      ? { detail: `an argument without a default decides: ${redactCredentials(open.slice(0, 3).join(', '))}` }
      : {}
  return {
    projects: declares.length > 0 ? [{ directory: directoryOf(file), name: file, declares }] : [],
    faults,
    ...detail,
  }
}
