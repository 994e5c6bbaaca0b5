import { isAbsolute, relative, resolve, sep } from 'node:path'
import { type } from 'arktype'
import { findToday } from '../../assure/controls/load.ts'
import { checkEvidence, findSubject } from '../../assure/evidence/check.ts'
import { digestFile, MOST_EVIDENCE_BYTES } from '../../assure/evidence/digest.ts'
import type { EvidenceFields } from '../../assure/evidence/entry.ts'
import { addEvidence, readEvidence } from '../../assure/evidence/file.ts'
import { CheckedEvidenceType, formatEvidence } from '../../assure/evidence/schema.ts'
import type { Context } from '../../base/context.ts'
import { EngineError } from '../../base/errors.ts'
import { defineOperation } from '../../door/operation.ts'
import { isDate } from '../../findings/suppression-file.ts'
import { addDays } from '../../findings/suppression-list.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { EVIDENCE_PATH } from '../../sources/config/paths.ts'
import { loadPacks } from '../../sources/packs/load.ts'
import type { Pack } from '../../sources/packs/pack.ts'

/** Edits .svc/evidence.yaml: a person vouches for a control or an obligation. */
export default defineOperation({
  id: 'evidence.add',
  summary: 'Attach evidence that a person vouches for to a control: a file or a link, with owner and expiry.',
  effect: 'write',
  // It can make a manual control met: no agent vouches for itself.
  weakens: true,
  cli: 'evidence add <control>',
  rest: null,
  mcp: null,
  examples: [
    [
      'svc evidence add soc2-tsc-2017:CC7.5 --title "Recovery test" --file docs/recovery.pdf --owner "Dana Reed" --expires 365',
      'attach a document for a year',
    ],
    [
      'svc evidence add soc2-tsc-2017:CC4.1 --title "Penetration test" --url https://example.org/pentest --owner "Dana Reed"',
      'attach a link',
    ],
  ],
  input: type({
    control: type('string > 0').describe('framework:control, or framework:obligation'),
    title: type('0 < string <= 1000').describe('what the evidence is'),
    'file?': type('0 < string <= 1000').describe('a file of the repository'),
    'url?': type('0 < string <= 1000').describe('an address that begins with https:// or http://'),
    owner: type('0 < string <= 1000').describe('the name of the person who vouches for it'),
    'observed_at?': type('string > 0').describe('the date of what it shows, such as 2027-01-31 (default: today)'),
    'expires?': type('string > 0').describe('the last date on which it holds, or a number of days from today'),
    'note?': type('0 < string <= 1000').describe('what was examined, and with what result'),
    '+': 'reject',
  }),
  output: type({
    file: 'string',
    done: type("'added' | 'replaced'").configure({ description: 'added or replaced' }, 'self'),
    entry: CheckedEvidenceType,
  }),

  check: async (input, context) => {
    await readFields(input, context)
  },

  async run(input, context) {
    const { root, packs, today, fields } = await readFields(input, context)
    const done = await addEvidence(root, fields)
    const entries = await checkEvidence(root, await readEvidence(root), packs, { today, signal: context.signal })
    const entry = entries.find(
      each => each.control === fields.control && each.file === fields.file && each.url === fields.url,
    )!
    return { file: EVIDENCE_PATH, done, entry }
  },

  text: ({ file, done, entry }, view) =>
    `${view.paint('green', done)} in ${file}\n  ${formatEvidence(entry, view)}${entry.sha256 === undefined ? '' : `\n    sha256 ${entry.sha256}`}`,
})

interface Given {
  control: string
  title: string
  file?: string
  url?: string
  owner: string
  observed_at?: string
  expires?: string
  note?: string
}

/** The entry that the input asks for, with the file's digest. NOT_FOUND, USAGE or INPUT_INVALID where it can be none. */
async function readFields(
  input: Given,
  { cwd, env, signal }: Pick<Context, 'cwd' | 'env' | 'signal'>,
): Promise<{ root: string; packs: readonly Pack[]; today: string; fields: EvidenceFields }> {
  const root = findRepositoryRoot(cwd)
  const today = findToday(env)
  const packs = await loadPacks(root)
  const subject = findSubject(input.control, packs)
  if ('unknown' in subject)
    throw new EngineError('NOT_FOUND', subject.unknown, {
      hint: 'List the frameworks with `svc compliance-report --list`, and the controls with `svc compliance-map`.',
    })
  if ((input.file === undefined) === (input.url === undefined))
    throw new EngineError('USAGE', 'Give either --file or --url.')
  const { control: _, ...texts } = input
  const fields: EvidenceFields = {
    ...texts,
    control: `${subject.framework}:${subject.obligation ?? subject.control_id}`,
    observed_at: toDate('observed_at', input.observed_at ?? today, today),
    ...(input.expires !== undefined && { expires: toDate('expires', input.expires, today) }),
    ...(input.file !== undefined && (await sealFile(root, cwd, input.file, signal))),
  }
  if (fields.observed_at! > today)
    throw new EngineError('INPUT_INVALID', `observed_at must not be in the future, but was ${fields.observed_at}.`)
  if (fields.expires !== undefined && fields.expires < today)
    throw new EngineError('INPUT_INVALID', `expires must not be in the past, but was ${fields.expires}.`)
  // A file that is not understood is told of before anything is asked.
  await readEvidence(root)
  return { root, packs, today, fields }
}

/** The path from the root of the repository, with the file's digest; NOT_FOUND where it can be no evidence. */
async function sealFile(
  root: string,
  cwd: string,
  named: string,
  signal: AbortSignal,
): Promise<{ file: string; sha256: string }> {
  const file = relative(root, resolve(cwd, named)).split(sep).join('/')
  if (file.startsWith('../') || file === '..' || isAbsolute(file))
    throw new EngineError('PATH_ESCAPES', `${named} is outside the repository.`, {
      hint: 'Copy the file into the repository, or give --url.',
    })
  const digest = await digestFile(root, file, { signal })
  if ('missing' in digest) throw new EngineError('NOT_FOUND', `The file ${named} ${digest.missing}.`)
  if ('too_large' in digest)
    throw new EngineError(
      'INPUT_INVALID',
      `${named} is too large: evidence has at most ${MOST_EVIDENCE_BYTES} bytes.`,
      {
        hint: 'Keep the file elsewhere, and give its address with --url.',
      },
    )
  return { file, sha256: digest.sha256 }
}

/** An ISO date, or the one that is so many days from today; INPUT_INVALID where it is neither. */
function toDate(name: string, text: string, today: string): string {
  if (isDate(text)) return text
  if (name === 'expires' && /^[1-9]\d{0,4}d?$/.test(text)) return addDays(new Date(today), Number.parseInt(text, 10))
  const also = name === 'expires' ? ' or a number of days' : ''
  throw new EngineError(
    'INPUT_INVALID',
    `${name} must be a date like 2027-01-31${also}, but was ${JSON.stringify(text)}.`,
  )
}
