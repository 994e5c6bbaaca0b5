import type { SourceFile } from '../../../base/records/source-file.ts'
import { formatCount } from '../../../base/text/words.ts'
import { runBounded } from '../bounded.ts'
import type { Evaluation } from '../evaluate.ts'
import type { PolicyFacts } from '../facts.ts'
import type { ForbiddenFiles, Naming, Policy, RequiredFiles, Structure } from '../policy.ts'
import type { Report } from './report.ts'

/** Each glob must match a file, one that scans leave out too. */
export function checkRequired(
  { globs }: RequiredFiles,
  { line }: Policy,
  { facts, path }: Evaluation,
  report: Report,
): void {
  const all = [...facts.files.map(file => file.path), ...facts.others]
  for (const { glob, matches } of globs)
    if (!all.some(matches)) report.violate(path, line, `No file matches ${glob}.`, glob)
}

/** No file may match. */
export function checkForbidden(
  { matches }: ForbiddenFiles,
  { isExempt }: Policy,
  { facts }: Evaluation,
  report: Report,
): void {
  for (const { path } of facts.files)
    if (matches(path) && !isExempt(path)) report.violate(path, 1, `The file ${path} is forbidden.`)
}

/** Names of files or directories have a style, or match a pattern. */
export async function checkNaming(
  { of, matches, test, isStem, wanted }: Naming,
  { isExempt }: Policy,
  { facts, limits, signal }: Evaluation,
  report: Report,
): Promise<void> {
  const paths = of === 'files' ? facts.files.map(({ path }) => path) : [...listFolders(facts.files).keys()]
  const named = paths.filter(path => matches(path) && !isExempt(path))
  const work = (path: string) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const judged = isStem ? name.replace(/^(\.?[^.]*).*$/s, '$1') : name
    if (!test.test(judged)) {
      const at = of === 'files' ? path : firstFileOf(facts, path)
      report.violate(at, 1, `The name ${judged} is not ${isStem ? wanted : `one that matches ${wanted}`}.`, path)
    }
  }
  const late = await runBounded(named, work, { limitMs: limits.rule_deadline_ms, signal })
  if (late.length > 0) report.skip('timed_out', `the pattern timed out on ${formatCount(late.length, 'name')}`, late[0])
}

/** Each directory that matches has what it must have. */
export async function checkStructure(
  { matches, contains, owner, test }: Structure,
  { isExempt }: Policy,
  { facts }: Evaluation,
  report: Report,
): Promise<void> {
  const folders = [...listFolders(facts.files)].filter(([folder]) => matches(folder) && !isExempt(folder))
  const owners = owner ? await facts.owners() : undefined
  if (owners && 'missing' in owners) report.skip('no_data', owners.missing)
  for (const [folder, files] of folders) {
    const [first] = files
    const violate = (message: string, subject: string) =>
      report.violate(first!.path, 1, message, `${folder}\0${subject}`)
    const others = facts.others.filter(path => path.startsWith(`${folder}/`))
    const below = [...files.map(({ path }) => path), ...others].map(path => path.slice(folder.length + 1))
    for (const { glob, matches: isOne } of contains)
      if (!below.some(isOne)) violate(`The directory ${folder} has no ${glob}.`, glob)
    if (test && !files.some(file => file.in_test)) violate(`The directory ${folder} has no test.`, 'test')
    if (owners && 'value' in owners && owners.value(first!.path).length === 0)
      violate(`CODEOWNERS names no owner of the directory ${folder}.`, 'owner')
  }
}

/** Every directory that has a file below it, with these files; by path. */
export function listFolders(files: readonly SourceFile[]): Map<string, SourceFile[]> {
  const folders = new Map<string, SourceFile[]>()
  for (const file of files) {
    for (let end = file.path.lastIndexOf('/'); end > 0; end = file.path.lastIndexOf('/', end - 1)) {
      const folder = file.path.slice(0, end)
      const known = folders.get(folder)
      if (known) known.push(file)
      else folders.set(folder, [file])
    }
  }
  return new Map([...folders].sort(([a], [b]) => (a < b ? -1 : 1)))
}

function firstFileOf({ files }: PolicyFacts, folder: string): string {
  return files.find(({ path }) => path.startsWith(`${folder}/`))?.path ?? folder
}
