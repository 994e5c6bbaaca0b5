import { existsSync } from 'node:fs'
import { join, relative, resolve, sep } from 'node:path'
import { type } from 'arktype'
import { isInside, writeProjectFile } from '../../base/disk/project-write.ts'
import { readSettings } from '../../base/disk/settings-file.ts'
import { EngineError } from '../../base/errors.ts'
import { escapeInvisibleLine } from '../../base/text/visible.ts'
import { formatCount } from '../../base/text/words.ts'
import { draftRequirements, findUntraced, readUntraced } from '../../delivery/draft/draft.ts'
import { type RequirementRecord, toRecord } from '../../delivery/requirements/model.ts'
import { makeReadText } from '../../delivery/requirements/read.ts'
import { writeRequirements } from '../../delivery/requirements/write.ts'
import { MOST_REQUIREMENT_BYTES, readRequirementsYaml } from '../../delivery/requirements/yaml.ts'
import { readLinks } from '../../delivery/trace/gather.ts'
import { listRepository, reportProgress } from '../../delivery/trace/listing.ts'
import { defineOperation } from '../../door/operation.ts'
import { loadConfig } from '../../sources/config/load.ts'
import { REQUIREMENTS_PATHS } from '../../sources/config/paths.ts'

/** Files between two turns of the event loop. */
const STEP = 500

/** Drafts requirements for code that no requirement names. */
export default defineOperation({
  id: 'delivery.generate-reqs',
  summary:
    'Draft requirements for code that no requirement names: one per module, from its public API and documentation.',
  effect: 'write',
  action: ({ dry_run }) => (dry_run ? 'read_findings' : 'edit_config'),
  cli: 'generate-reqs',
  rest: 'POST /api/generate-reqs',
  mcp: null,
  short: { output: 'o' },
  examples: [
    ['svc generate-reqs --dry-run', 'show the drafts and write nothing'],
    ['svc generate-reqs', 'add the drafts to requirements.yaml'],
    ['svc generate-reqs -o requirements/drafts.yaml', 'write the drafts to another file'],
  ],
  input: type({
    dry_run: type('boolean').describe('true or false: write nothing').default(false),
    'output?': type('string > 0').describe(
      'a file of the repository to add the drafts to (default: requirements.yaml)',
    ),
    'config?': type('string > 0').describe('a configuration file'),
    '+': 'reject',
  }),
  output: type({
    requirements: type({
      id: 'string',
      title: 'string',
      'description?': 'string',
      status: type("'draft' | 'approved' | 'obsolete'").configure(
        { description: 'draft, approved or obsolete' },
        'self',
      ),
      parent: 'string[]',
      acceptance: 'string[]',
      files: 'string[]',
      tests: 'string[]',
      controls: 'string[]',
    })
      .array()
      .describe('the drafts'),
    count: 'number.integer >= 0',
    files: type('number.integer >= 0').describe('source files that no requirement named'),
    not_evaluated: type({ file: 'string', reason: 'string' }).array(),
    'requirements_file?': type('string').describe('the file that was written'),
  }),

  check: async ({ dry_run, output, config: path }, context) => {
    const { root } = await loadConfig(context.cwd, {
      env: context.env,
      ...(path !== undefined && { path: resolve(context.cwd, path) }),
    })
    const file = locate(root, output, context.cwd)
    if (!dry_run) await readBefore(root, file)
  },

  async run({ dry_run, output, config: path }, context) {
    const { config, listing } = await listRepository(context, path)
    const { root, scan } = config
    const file = locate(root, output, context.cwd)
    const { set, resolved } = await readLinks({ config, listing, signal: context.signal })
    const untraced = findUntraced(listing.files, new Set(resolved.links.map(link => link.file)))
    const read = makeReadText(root, scan.max_file_bytes)
    const not_evaluated: { file: string; reason: string }[] = []
    const onProgress = reportProgress(context, 'draft')
    const files = []
    for (const [index, each] of untraced.entries()) {
      if (index % STEP === 0) {
        context.signal.throwIfAborted()
        onProgress(index, untraced.length)
        await new Promise(settle => setImmediate(settle))
      }
      const content = read(each)
      if ('text' in content) files.push(readUntraced(each, content.text))
      else not_evaluated.push({ file: each.path, reason: content.reason })
    }
    const tests = listing.files.flatMap(({ path: name, in_test }) => (in_test ? [name] : []))
    const requirements = draftRequirements(files, tests, new Set(set.byId.keys()))
    const result = { requirements, count: requirements.length, files: untraced.length, not_evaluated }
    if (dry_run || requirements.length === 0) return result
    await append(root, file, requirements)
    return { ...result, requirements_file: file }
  },

  text({ requirements, files, requirements_file, not_evaluated }, { verbose }) {
    const shown = verbose ? requirements : requirements.slice(0, 40)
    return [
      ...shown.map(({ id, title }) => `${escapeInvisibleLine(id)}  ${escapeInvisibleLine(title)}`),
      ...(requirements.length > shown.length ? [`  and ${requirements.length - shown.length} more; -v shows all`] : []),
      `${formatCount(requirements.length, 'draft')} for ${formatCount(files, 'source file')} that no requirement names${requirements_file === undefined ? '' : `, written to ${requirements_file}`}.`,
      ...(not_evaluated.length > 0 ? [`${formatCount(not_evaluated.length, 'file')} could not be read.`] : []),
      ...(requirements_file === undefined ? [] : ['Review each draft, then set its status to approved.']),
    ].join('\n')
  },
})

/** Where drafts go, relative to the root. PATH_ESCAPES outside of it. */
function locate(root: string, output: string | undefined, cwd: string): string {
  if (output === undefined)
    return REQUIREMENTS_PATHS.find(path => existsSync(join(root, path))) ?? REQUIREMENTS_PATHS[0]
  const absolute = resolve(cwd, output)
  if (!isInside(root, absolute)) throw new EngineError('PATH_ESCAPES', `The path ${output} is outside the project.`)
  if (!/\.ya?ml$/i.test(output))
    throw new EngineError('INPUT_INVALID', `${output} is no YAML file by its name.`, { hint: 'Name a .yaml file.' })
  return relative(root, absolute).split(sep).join('/')
}

/** What the file has. CONFIG_INVALID where some of it cannot be read, and would be lost. */
async function readBefore(
  root: string,
  file: string,
): Promise<{ text: string | undefined; requirements: readonly RequirementRecord[] }> {
  const text = readSettings(root, file, { most: MOST_REQUIREMENT_BYTES })?.toString('utf8')
  const known = text === undefined ? undefined : await readRequirementsYaml(text, file)
  const [fault] = known?.faults ?? []
  if (fault)
    throw new EngineError('CONFIG_INVALID', `${file}:${fault.line}: ${fault.message}`, {
      hint: 'Correct it first, so that nothing of the file is lost.',
      place: { file, line: fault.line },
    })
  return { text, requirements: (known?.requirements ?? []).map(toRecord) }
}

/** Adds drafts behind the requirements that the file has. */
async function append(root: string, file: string, drafts: readonly RequirementRecord[]): Promise<void> {
  const { text, requirements } = await readBefore(root, file)
  writeProjectFile(root, file, await writeRequirements([...requirements, ...drafts], text))
}
