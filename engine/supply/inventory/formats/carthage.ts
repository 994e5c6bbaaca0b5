import { redactCredentials } from '../../../base/text/credentials.ts'
import { type Entry, ManifestFault, type Parsed } from '../parsed.ts'
import { splitLines } from '../syntax/lines.ts'

/** Reads Cartfile.resolved: `github "owner/repository" "version"`, one a line. */
export function parse(text: string): Parsed {
  const entries: Entry[] = []
  for (const [at, raw] of splitLines(text).entries()) {
    const line = raw.replace(/#.*$/, '').trim()
    if (line === '') continue
    const [, origin, name, version] = /^(github|git|binary)\s+"([^"]+)"\s+"([^"]+)"$/.exec(line) ?? []
    if (name === undefined || version === undefined)
      throw new ManifestFault('a line must have the form origin "name" "version"', at + 1)
    const isGitHub = origin === 'github' && !/^[a-z]+:\/\//.test(name)
    entries.push({
      key: String(at),
      name: isGitHub
        ? name
        : redactCredentials(name)
            .replace(/^[a-z+]+:\/\//, '')
            .replace(/\.git$/, ''),
      ecosystem: isGitHub ? 'GitHub' : 'Carthage',
      version,
      line: at + 1,
      resolved: name,
    })
  }
  return { entries }
}
