import { readImage } from '../image.ts'
import type { Declaration, Parsed } from '../parsed.ts'
import { splitLines } from '../syntax/lines.ts'
import { asFields, asList, asText } from '../syntax/shape.ts'
import { readYaml } from '../syntax/yaml.ts'

/** Reads workflows and actions of GitHub: `uses: owner/repository[/path]@ref` of steps and jobs, and images of jobs, services and actions. */
export function parse(text: string, file: string): Parsed {
  const content = asFields(readYaml(text)[0])
  const findLine = compileLines(text)
  const declares: Declaration[] = []
  let computed = 0
  const add = (value: unknown, isImage: boolean) => {
    const written = asText(value)
    if (written === undefined || written === 'Dockerfile') return
    const common = { scope: 'development' as const, line: findLine(written) }
    if (written.includes('${{')) computed++
    else if (isImage || written.startsWith('docker://')) {
      const found = readImage(written.replace(/^docker:\/\//, ''))
      if (found) declares.push({ ...found, ...common, ecosystem: 'Docker', kind: 'container' })
    } else declares.push(...readAction(written).map(found => ({ ...found, ...common })))
  }
  const addSteps = (steps: unknown) => {
    for (const step of asList(steps)) add(asFields(step).uses, false)
  }
  for (const each of Object.values(asFields(content.jobs))) {
    const { uses, container, services, steps } = asFields(each)
    add(uses, false)
    add(asText(container) ?? asFields(container).image, true)
    for (const service of Object.values(asFields(services))) add(asFields(service).image, true)
    addSteps(steps)
  }
  const runs = asFields(content.runs)
  addSteps(runs.steps)
  // An action that is a Dockerfile of its own names that file.
  if (asText(runs.image)?.startsWith('docker://')) add(runs.image, true)
  const detail = computed > 0 ? { detail: `${computed} of its actions and images are computed when it runs` } : {}
  return declares.length === 0 ? detail : { projects: [{ directory: '', name: file, declares }], ...detail }
}

function readAction(uses: string): Pick<Declaration, 'name' | 'version' | 'kind' | 'alias'>[] {
  const [, owner, repository, path, ref] = /^([\w.-]+)\/([\w.-]+)((?:\/[^@]+)?)@(.+)$/.exec(uses) ?? []
  if (owner === undefined || owner === '.' || owner === '..') return []
  const name = `${owner}/${repository}`
  return [{ name, version: ref!, kind: 'action', ...(path && { alias: `${name}${path}` }) }]
}

/** The lines of values that are used or are images, each time the next one. */
function compileLines(text: string): (value: string) => number | undefined {
  const lines = new Map<string, number[]>()
  for (const [at, line] of splitLines(text).entries()) {
    const value = /^\s*(?:-\s+)?(?:uses|container|image):\s*["']?([^\s"'#]+)/.exec(line)?.[1]
    if (value === undefined) continue
    const known = lines.get(value)
    if (known) known.push(at + 1)
    else lines.set(value, [at + 1])
  }
  for (const known of lines.values()) known.reverse()
  return value => {
    const known = lines.get(value)
    return known === undefined || known.length < 2 ? known?.[0] : known.pop()
  }
}
