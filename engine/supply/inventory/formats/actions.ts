import { readImage } from '../image.ts'
import type { Declaration, Parsed } from '../parsed.ts'
import { splitLines } from '../syntax/lines.ts'
import { readYaml } from '../syntax/yaml.ts'

/** Reads workflows and actions of GitHub: `uses: owner/repository[/path]@ref` and images. The YAML is checked whole, uses are read by line. */
export function parse(text: string, file: string): Parsed {
  readYaml(text)
  const declares: Declaration[] = []
  for (const [at, line] of splitLines(text).entries()) {
    const uses = /^\s*(?:-\s+)?uses:\s*["']?([^\s"'#]+)/.exec(line)?.[1]
    const image = /^\s*(?:container|image):\s*["']?([^\s"'#{}]+)/.exec(line)?.[1]
    const common = { scope: 'development' as const, line: at + 1 }
    if (uses?.startsWith('docker://') || (image !== undefined && image !== 'Dockerfile')) {
      const found = readImage(image ?? uses!.slice('docker://'.length))
      if (found) declares.push({ ...found, ...common, ecosystem: 'Docker', kind: 'container' })
      continue
    }
    const [, owner, repository, path, ref] = /^([\w.-]+)\/([\w.-]+)((?:\/[^@]+)?)@(.+)$/.exec(uses ?? '') ?? []
    if (owner === undefined || owner === '.') continue
    declares.push({
      ...common,
      name: `${owner}/${repository}`,
      version: ref!,
      kind: 'action',
      ...(path && { alias: `${owner}/${repository}${path}` }),
    })
  }
  return declares.length === 0 ? {} : { projects: [{ directory: '', name: file, declares }] }
}
