import { readRegular } from '../base/disk/read.ts'
import type { Listing, SourceFile } from '../base/records/source-file.ts'
import { decode } from '../base/text/decode.ts'
import { parsePathName, toSystemPath } from '../base/text/path-name.ts'
import { list, map, readString } from '../findings/sarif/form.ts'
import { tryGit } from '../sources/repository/git.ts'
import type { FoundReport } from './detect.ts'

const SARIF_NAME = /\.sarif(?:\.json)?$/i
const MOST_REPORT = 256 << 20
/** Build files and manifests are smaller. */
const MOST_TEXT = 4 << 20

/** The SARIF files of a repository with the tool that each names, those that git ignores too: that is where reports mostly lie. */
export async function findReports(listing: Listing, signal: AbortSignal): Promise<FoundReport[]> {
  const paths = new Set(listing.files.map(({ path }) => path).filter(path => SARIF_NAME.test(path)))
  if (listing.kind === 'git') {
    const args = ['ls-files', '--others', '--ignored', '--exclude-standard', '-z', '--', '*.sarif', '*.sarif.json']
    const { code, stdout } = await tryGit(listing.root, args, { signal })
    const names = code === 0 ? stdout.toString('utf8').split('\0') : []
    for (const name of names) if (name !== '' && !name.includes('node_modules/')) paths.add(name)
  }
  const found: FoundReport[] = []
  for (const file of [...paths].sort()) {
    const content = readText(toSystemPath(listing.root, parsePathName(Buffer.from(file))), MOST_REPORT)
    const driver = content === undefined ? undefined : driverOf(content)
    if (driver !== undefined) found.push({ file, driver })
  }
  return found
}

/** Reads the texts of a work tree's files. */
export function makeTextReader(root: string): (file: SourceFile) => string | undefined {
  return file => readText(toSystemPath(root, file), MOST_TEXT, file.encoding)
}

function readText(path: string | Buffer, most: number, encoding?: string): string | undefined {
  const bytes = readRegular(path, most)
  const decoded = bytes instanceof Uint8Array ? decode(bytes, encoding) : undefined
  return decoded && 'text' in decoded ? decoded.text : undefined
}

/** The tool that a SARIF log is of; undefined where the text is no such log. */
function driverOf(content: string): string | undefined {
  try {
    const run = map(list(map(JSON.parse(content)).runs)[0])
    return readString(map(map(run.tool).driver).name)
  } catch {
    return undefined
  }
}
