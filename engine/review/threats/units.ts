import { dirname } from 'node:path'

/** Files that make their directory a program or package of its own. */
const MANIFEST =
  /(?:^|\/)(?:package\.json|pyproject\.toml|setup\.py|requirements\.txt|Pipfile|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|Gemfile|composer\.json|Cargo\.toml|[\w.-]{1,80}\.csproj|mix\.exs|build\.sbt)$/

/** What is not part of a running program, though it is no test: nothing of it is in the model. */
const BESIDE =
  /(?:^|\/)(?:node_modules|vendor|third_party|examples?|samples?|sample-apps?|demos?|docs?|documentation|bench(?:mark)?s?|fixtures?|__fixtures__|__mocks__|mocks?|e2e|cypress|storybook|\.storybook|\.github|\.husky|perf)\//
/** Programs that build or maintain the project: what they read, start and download is not the application's. */
const TOOLING =
  /(?:^|\/)(?:scripts?|tools?|tooling|ci|hack|dev|tasks|migrations?|alembic|db\/migrate|database\/(?:migrations|seeders|factories)|seeds?|webpack|gulp)\/|(?:^|\/)(?:[\w.-]{1,60}\.config\.[cm]?[jt]s|gulpfile\.\w{1,4}|Gruntfile\.\w{1,4}|webpack\.[\w.]{1,20}\.js|setup\.py|conftest\.py|noxfile\.py|rollup\.[\w.]{1,20}|Rakefile|karma\.\w{1,10}\.js|\.eslintrc\.\w{1,4})$/

/** Whether a file belongs to what runs. */
export function isModeled(path: string): boolean {
  return !BESIDE.test(path)
}

/** Whether a file is a program of developers rather than of the application. */
export function isTooling(path: string): boolean {
  return TOOLING.test(path)
}

/** The directories that have a manifest, '' for the root, longest first. */
export function listUnits(paths: readonly string[]): string[] {
  const found = new Set([''])
  for (const path of paths) if (MANIFEST.test(path) && isModeled(path)) found.add(directoryOf(path))
  return [...found].sort((a, b) => b.length - a.length || (a < b ? -1 : 1))
}

/** The unit that a file belongs to: the nearest directory above it that is one. */
export function findUnit(path: string, units: ReadonlySet<string>): string {
  for (let at = directoryOf(path); at !== ''; at = directoryOf(at)) if (units.has(at)) return at
  return ''
}

function directoryOf(path: string): string {
  const directory = dirname(path)
  return directory === '.' ? '' : directory
}
