// npx tsx scripts/words.ts: the glossary. Exit 1 where a text that users see has a word for which the field has its own, or where a
// rule's title lacks the common name of its weakness.
import { readdirSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import { parse } from 'yaml'
import type { JsonSchema } from '../engine/base/json-schema.ts'
import { RULE_TYPES } from '../engine/base/records/rule.ts'
import { getRuleSchema, PACK_SCHEMA } from '../engine/base/records/rule-file.ts'
import { CONFIG_SCHEMA } from '../engine/sources/config/keys.ts'
import { deriveTitle } from '../engine/sources/packs/detector-file.ts'
import { DETECTOR_SCHEMA } from '../engine/sources/packs/detector-schema.ts'
import { textOf } from '../test/root.ts'
import { projectFiles } from '../test/sources.ts'

/** Words that are not written where users read, each with the field's own. */
export const GLOSSARY: readonly { not: RegExp; but: string }[] = [
  { not: /input of a client|what (a|the) client sends|comes with the request/i, but: 'untrusted input' },
  { not: /\bcleaners?\b|\bcleans\b|\bclean for\b/i, but: 'sanitizer, sanitizes, sanitized for' },
  { not: /\bmend(s|ed|ing)?\b|\bremed(y|ies)\b/i, but: 'fix, remediation' },
  { not: /\bheld by the baseline\b/i, but: 'baselined, in the baseline' },
  { not: /\btold\b|\bsilent\b/i, but: 'reported, not reported, skipped' },
  { not: /\bbroken off\b/i, but: 'timed out, aborted, not evaluated' },
  { not: /\bfindings? that (is|are) none\b|\bfalse alarms?\b/i, but: 'false positive' },
  { not: /\b(sound|weak) places?\b/i, but: 'negative case, positive case' },
  { not: /\bon trial\b/i, but: 'canary' },
  { not: /\bis written into a file\b/i, but: 'hard-coded, exposed' },
  { not: /\bdangerous zones?\b|\btouched\b/i, but: 'protected zone, modified' },
  { not: /\bsternest\b/i, but: 'strictest' },
  { not: /\blook(s|ed|ing)? (at|into|for)\b/i, but: 'scan, analyze, search' },
  { not: /\bwhoever\b|\bsomebody\b|\bthe other side\b/i, but: 'user, reviewer, attacker, actor' },
]

/** The common names of weaknesses, which people search for, by CWE number; a kind with a name of its own counts too. */
export const WEAKNESS_NAMES: Readonly<Record<string, RegExp>> = {
  'CWE-22': /path traversal/i,
  'CWE-78': /command injection/i,
  'CWE-79': /cross-site scripting \(XSS\)/i,
  'CWE-89': /SQL injection/i,
  'CWE-90': /LDAP injection/i,
  'CWE-94': /code injection|template injection/i,
  'CWE-352': /CSRF/,
  'CWE-502': /deserialization/i,
  'CWE-601': /open redirect/i,
  'CWE-611': /XXE/,
  'CWE-643': /XPath injection/i,
  'CWE-798': /hard-coded/i,
  'CWE-918': /SSRF/,
}

/** What users read of a rule or a secret detector. */
export interface RuleTexts {
  id: string
  pack: string
  file: string
  secret: boolean
  title: string
  message: string
  remediation: string
  cwe: string[]
}

/** The texts of every rule and detector, read from packs/ without the rest of their files. */
export function readRuleTexts(): RuleTexts[] {
  const read = (file: string) => parse(sliceKeys(textOf(file))) as Record<string, string> & { cwe?: string[] }
  const files = projectFiles().filter(path =>
    /^packs\/(?:[^/]+\/(?:rules|detectors)|weaknesses\/[^/]+)\/[^/]+\.yaml$/.test(path),
  )
  return files.sort().map(file => {
    const [, folder = '', kind] = file.split('/')
    const isForm = folder === 'weaknesses'
    const own = { ...(isForm && read(file.replace(/[^/]+$/, 'rule.yaml'))), ...read(file) }
    const pack = own.pack ?? folder
    const secret = kind === 'detectors'
    return {
      id: own.key ?? own.id!,
      pack,
      file,
      secret,
      title: secret ? deriveTitle(own as { provider: string }) : own.title!,
      message: own.message ?? '',
      remediation: own.remediation ?? own.revoke ?? '',
      cwe: own.cwe ?? [],
    }
  })
}

const KEYS = /^(id|key|pack|provider|credential|title|message|remediation|revoke|cwe):/

/** The top-level keys of a rule's file that hold texts, with their values. */
function sliceKeys(text: string): string {
  let kept = false
  return text
    .split('\n')
    .filter(line => {
      if (/^\S/.test(line) && !line.startsWith('#')) kept = KEYS.test(line)
      return kept
    })
    .join('\n')
}

/** The words of the text that are not written, each with what to write; code spans and blocks are left out. */
export function findWords(text: string): string[] {
  const prose = text.replace(/```[\s\S]*?```|`[^`\n]*`/g, '')
  return GLOSSARY.flatMap(({ not, but }) => {
    const found = not.exec(prose)?.[0]
    return found === undefined ? [] : [`"${found}": write ${but}`]
  })
}

/** Whether the title names the weakness of the rule's CWE numbers; a secret's title is provider and credential. */
export function isNamed({ title, cwe, secret }: Pick<RuleTexts, 'title' | 'cwe' | 'secret'>): boolean {
  const names = cwe.flatMap(number => WEAKNESS_NAMES[number] ?? [])
  return secret || names.length === 0 || names.some(name => name.test(title))
}

/** Every description in a JSON Schema, with its pointer. */
function listDescriptions(schema: unknown, at: string): { at: string; text: string }[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([key, value]) =>
    key === 'description' && typeof value === 'string'
      ? [{ at, text: value }]
      : listDescriptions(value, `${at}/${key}`),
  )
}

/** Everything that the glossary holds for, with where it stands. */
async function listTexts(): Promise<{ at: string; text: string }[]> {
  const { OPERATIONS } = await import('../engine/door/operations.gen.ts')
  const operations = JSON.parse(textOf('engine/door/schemas.gen.json')) as Record<string, JsonSchema>
  const schemas: [string, unknown][] = [
    ['engine/sources/config/schema.ts', CONFIG_SCHEMA],
    ['engine/sources/packs/detector-schema.ts', DETECTOR_SCHEMA],
    ['engine/base/records/rule-file.ts pack', PACK_SCHEMA],
    ...RULE_TYPES.map((type): [string, unknown] => [`engine/base/records/rule-file.ts ${type}`, getRuleSchema(type)]),
    ...Object.entries(operations).map(([id, schema]): [string, unknown] => [
      `engine/ops/${id.replace('.', '/')}.ts`,
      schema,
    ]),
  ]
  const pages = ['README.md', ...readdirSync('docs').flatMap(name => (name.endsWith('.md') ? [`docs/${name}`] : []))]
  return [
    ...readRuleTexts().flatMap(({ file, title, message, remediation }) => [
      { at: `${file} title`, text: title },
      { at: `${file} message`, text: message },
      { at: `${file} remediation`, text: remediation },
    ]),
    ...OPERATIONS.flatMap(({ id, summary, examples }) => [
      { at: `engine/ops/${id.replace('.', '/')}.ts summary`, text: summary },
      ...examples.map(([, caption]) => ({ at: `engine/ops/${id.replace('.', '/')}.ts example`, text: caption })),
    ]),
    ...schemas.flatMap(([at, schema]) => listDescriptions(schema, at)),
    ...pages.flatMap(page =>
      [...textOf(page).matchAll(/^#{1,6} (.*)$/gm)].map(([, heading]) => ({ at: `${page} heading`, text: heading! })),
    ),
  ]
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const words = (await listTexts()).flatMap(({ at, text }) => findWords(text).map(found => `${at}: ${found}`))
  const nameless = readRuleTexts().filter(rule => !isNamed(rule))
  const complaints = [
    ...words,
    ...nameless.map(({ file, cwe, title }) => `${file}: the title does not name ${cwe.join(', ')}: ${title}`),
  ]
  for (const complaint of complaints) console.log(complaint)
  process.exitCode = complaints.length > 0 ? 1 : 0
}
