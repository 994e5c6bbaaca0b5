import { detectLanguage } from '../../base/languages/languages.ts'

/** What is written beside code by everybody: its share of a change says nothing of what its author must know. */
const NO_SKILL = new Set(
  'asciidoc conf csv diff dotenv ignore ini json markdown org properties rst text toml xml yaml'.split(' '),
)

/** A language in which a path is written, or the directory at the top in which it lies. */
export interface Area {
  kind: 'language' | 'directory'
  name: string
}

/** The language of a path; undefined where its name does not tell one. */
export function findLanguage(path: string): string | undefined {
  return detectLanguage(path) ?? undefined
}

/** The directory at the top; `.` for a file at the root. */
export function findTopDirectory(path: string): string {
  const slash = path.indexOf('/')
  return slash === -1 ? '.' : path.slice(0, slash)
}

/** Whether experience in an area is compared: in every directory, and in languages that take skill. */
export function takesSkill({ kind, name }: Area): boolean {
  return kind === 'directory' || !NO_SKILL.has(name)
}
