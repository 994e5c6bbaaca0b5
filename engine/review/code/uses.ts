import { findReached, findReachedByModule, REACHED } from '../../base/technologies/technologies.ts'
import type { Reached } from '../../base/technologies/technology.ts'
import type { CodeFile } from './code-file.ts'
import { JAVASCRIPT, JVM } from './forms.ts'

/** A technology that a file reaches, at the line that shows it. */
export interface Use {
  technology: Reached
  line: number
}

/** How languages import; the module is captured. */
const IMPORTS: readonly { languages: readonly string[]; separator: string; pattern: RegExp }[] = [
  {
    languages: JAVASCRIPT,
    separator: '/',
    pattern: /\b(?:require\(|import\(|from\s{1,3}|import\s{1,3})\s{0,3}['"]([^'"\n]{1,120})['"]/g,
  },
  { languages: ['python'], separator: '.', pattern: /^[ \t]{0,40}(?:from|import)\s{1,3}([\w.]{1,120})/gm },
  { languages: JVM, separator: '.', pattern: /^[ \t]{0,20}import\s{1,3}(?:static\s{1,3})?([\w.]{1,160})/gm },
  {
    languages: ['go'],
    separator: '/',
    pattern: /^[ \t]{0,20}(?:import\s{1,3})?(?:[\w.]{1,40}\s{1,3})?"([\w./-]{1,160})"[ \t]{0,5}$/gm,
  },
  { languages: ['ruby'], separator: '/', pattern: /^[ \t]{0,20}(?:require|gem)[ (]{1,3}['"]([^'"\n]{1,100})['"]/gm },
  { languages: ['php'], separator: '\\', pattern: /^[ \t]{0,20}use\s{1,3}\\?([\w\\]{1,160})/gm },
  {
    languages: ['csharp'],
    separator: '.',
    pattern: /^[ \t]{0,20}using\s{1,3}(?:static\s{1,3})?([\w.]{1,160})\s{0,3};/gm,
  },
  { languages: ['rust'], separator: '::', pattern: /^[ \t]{0,20}(?:pub\s{1,3})?use\s{1,3}(?:::)?([\w:]{1,160})/gm },
]

/** Calls that reach a store without an import. */
const CALLS: readonly { languages: readonly string[]; technology: string; pattern: RegExp }[] = [
  { languages: ['php'], technology: 'mysql', pattern: /\bmysqli?_(?:connect|query)\b|\bnew\s{1,3}\\?mysqli\(/g },
  { languages: ['php'], technology: 'postgresql', pattern: /\bpg_(?:connect|query)\w{0,10}\(/g },
  {
    languages: ['php'],
    technology: 'sql',
    pattern: /\bnew\s{1,3}\\?PDO\(|\bDB::(?:select|table|statement|raw|insert)\(/g,
  },
  {
    languages: ['php'],
    technology: 'sql',
    pattern:
      /\bclass\s{1,3}\w{1,60}\s{1,3}extends\s{1,3}Model\b|\bDB::\w{1,20}\(|\$this->(?:db|em|entityManager)\b|EntityManagerInterface\b/g,
  },
  {
    languages: JAVASCRIPT,
    technology: 'sql',
    pattern:
      /\b(?:sequelize\.query|knex\.raw|knex\(\s{0,3}['"]|prisma\.\w{1,40}\.(?:find|create|update|delete)\w{0,10})\(?/g,
  },
  {
    languages: JAVASCRIPT,
    technology: 'dns',
    pattern: /\bdns(?:_\d{1,2})?(?:\.promises|Promises)?\.(?:reverse|resolve\w{0,6})\)?\(/g,
  },
  { languages: ['python'], technology: 'dns', pattern: /\bsocket\.gethostbyaddr\(|\bdns\.resolver\./g },
  { languages: ['go'], technology: 'dns', pattern: /\bnet\.Lookup(?:Addr|MX|TXT|SRV|NS|CNAME)\(/g },
  {
    languages: [...JAVASCRIPT, 'python', 'go', 'ruby', 'rust'],
    technology: 'systemd',
    pattern: /\bNOTIFY_SOCKET\b|\bsd_notify\b/g,
  },
  { languages: ['php'], technology: 'ldap', pattern: /\bldap_(?:connect|bind|search)\(/g },
  { languages: ['php'], technology: 'smtp', pattern: /(?<![\w>:$])mail\(\s{0,5}\$/g },
  {
    languages: ['ruby'],
    technology: 'sql',
    pattern:
      /<\s{0,3}(?:ApplicationRecord|ActiveRecord::Base)\b|\bActiveRecord::Base\.connection\b|\b[A-Z]\w{1,40}\.(?:where|find_by|find_by_sql|order|joins)\(/g,
  },
  { languages: ['ruby'], technology: 'smtp', pattern: /<\s{0,3}(?:ApplicationMailer|ActionMailer::Base)\b/g },
  {
    languages: ['python'],
    technology: 'sql',
    pattern: /\b[A-Z]\w{1,40}\.objects\.\w{1,20}|\bmodels\.Model\b|\bdb\.session\.\w{1,20}\(|\bconnection\.cursor\(/g,
  },
  {
    languages: ['csharp'],
    technology: 'sql',
    pattern: /\bnew\s{1,3}(?:SqlCommand|SqlConnection)\(|\bDbContext\b|\b\w{0,20}\.FromSqlRaw\(/g,
  },
  {
    languages: JVM,
    technology: 'sql',
    pattern: /\b(?:JdbcTemplate|EntityManager|DriverManager\.getConnection|JpaRepository|CrudRepository)\b/g,
  },
  { languages: ['go'], technology: 'sql', pattern: /\bsql\.Open\(|\*(?:sql\.DB|gorm\.DB)\b/g },
]

/** Addresses and settings that name a technology: a scheme in quotes, or the value of a key that says what it connects to. */
const ADDRESS = /["'`=\s(]((?:jdbc:)?[a-z][a-z0-9+]{1,20}):(?:\/\/|(?=mem:|file:))/g
const SETTING =
  /(?:\bdialect|\bdriver|\badapter|\bENGINE|\bprovider|\bDB_CONNECTION|\bdatabase_type|\bclient|\btype)['"]?\s{0,5}(?:[:=]|=>)\s{0,5}['"]?([\w.+-]{2,40})\b/g
const SETTING_FILES =
  /(?:^|\/)(?:settings[\w.]{0,20}\.py|database\.ya?ml|schema\.prisma|ormconfig\.\w{1,5}|knexfile\.\w{1,3}|\.env[\w.-]{0,20}|application[\w.-]{0,20}\.(?:properties|ya?ml)|data-source\.\w{1,3}|database\.php|config\/config\.js(?:on)?)$/

const BY_SCHEME = new Map(
  REACHED.flatMap(technology => (technology.schemes ?? []).map(scheme => [scheme, technology] as const)),
)

/** The technology of a connection scheme or of a word that settings have for it. */
export function findTechnologyByScheme(scheme: string): Reached | undefined {
  return BY_SCHEME.get(scheme)
}

/** The technologies that a file reaches, each at the first line that shows it. Time linear to the text. */
export function listTechnologies({ code, language, path, positions }: CodeFile): Use[] {
  const first = new Map<Reached, number>()
  const add = (technology: Reached | undefined, offset: number) => {
    if (technology && offset < (first.get(technology) ?? Number.POSITIVE_INFINITY)) first.set(technology, offset)
  }
  for (const { languages, separator, pattern } of IMPORTS) {
    if (!languages.includes(language)) continue
    for (const { 0: whole, 1: module, index } of code.matchAll(pattern))
      add(findReachedByModule(module!, separator, languages === JAVASCRIPT), index + whole.length - 1)
  }
  for (const { languages, technology, pattern } of CALLS) {
    if (!languages.includes(language)) continue
    const match = code.matchAll(pattern).next().value
    if (match) add(findReached(technology), match.index)
  }
  for (const { 1: scheme, index } of code.matchAll(ADDRESS)) add(BY_SCHEME.get(scheme!), index + 1)
  if (SETTING_FILES.test(path))
    for (const { 1: word, index } of code.matchAll(SETTING))
      add(BY_SCHEME.get(word!.replace(/_/g, '')) ?? BY_SCHEME.get(word!), index)
  return [...first]
    .map(([technology, offset]) => ({ technology, line: positions.at(offset).line }))
    .sort((a, b) => a.line - b.line)
}
