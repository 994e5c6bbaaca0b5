/** A scanner that svc knows of: how it is recognised in a repository, and how it is asked for SARIF. */
export interface KnownScanner {
  /** Its name in `external_scanners`. */
  name: string
  /** Its name as people write it. */
  title: string
  /** Globs of the files that configure it. */
  files: readonly string[]
  /** How build files and manifests mention it. */
  words: readonly string[]
  /** The name that its SARIF reports carry as their tool's. */
  driver: RegExp
  /**
   * The command that prints SARIF, given the configuration files found and the output directory as the repository names it; absent where
   * there is none for every case.
   */
  command?: (files: readonly string[], out: string) => string[]
  /** Where that command writes its report, for a program that does not print it. */
  report?: (out: string) => string
  /** What a person should know where it cannot be run just so. */
  note?: string
}

const yaml = (stem: string) => [`**/${stem}.yml`, `**/${stem}.yaml`]
const first = (files: readonly string[], otherwise: string) => files[0] ?? otherwise

/** In the order of their names. Programs and arguments as their makers document them. */
export const SCANNERS: readonly KnownScanner[] = [
  {
    name: 'bandit',
    title: 'Bandit',
    files: ['**/.bandit', ...yaml('bandit')],
    words: ['bandit'],
    driver: /^bandit/i,
    command: files => ['bandit', '-r', '.', '-f', 'sarif', '-q', ...configured('-c', files, /\.ya?ml$/)],
    note: 'Printing SARIF needs bandit[sarif].',
  },
  {
    name: 'brakeman',
    title: 'Brakeman',
    files: ['config/brakeman.{yml,ignore}'],
    words: ['brakeman'],
    driver: /^brakeman/i,
    command: () => ['brakeman', '-q', '-f', 'sarif', '--no-exit-on-warn'],
  },
  {
    name: 'checkov',
    title: 'Checkov',
    files: [...yaml('.checkov')],
    words: ['checkov'],
    driver: /^checkov/i,
    command: (_, out) => [
      'checkov',
      '-d',
      '.',
      '-o',
      'sarif',
      '--output-file-path',
      `${out}/external/checkov`,
      '--quiet',
    ],
    report: out => `${out}/external/checkov/results_sarif.sarif`,
  },
  {
    name: 'codeql',
    title: 'CodeQL',
    files: ['.github/codeql/**', ...yaml('codeql-config')],
    words: ['codeql-action', 'codeql'],
    driver: /^codeql/i,
    note: 'It needs a database that is built first: have its SARIF file written in the repository and name it as the report.',
  },
  {
    name: 'eslint',
    title: 'ESLint',
    files: ['**/eslint.config.{js,mjs,cjs,ts,mts,cts}', '**/.eslintrc{,.js,.cjs,.json,.yml,.yaml}'],
    words: ['eslint'],
    driver: /^eslint/i,
    command: () => ['node_modules/.bin/eslint', '.', '-f', '@microsoft/eslint-formatter-sarif'],
    note: 'Printing SARIF needs the package @microsoft/eslint-formatter-sarif.',
  },
  {
    name: 'gitleaks',
    title: 'Gitleaks',
    files: ['**/.gitleaks.toml', '**/gitleaks.toml', '**/.gitleaksignore'],
    words: ['gitleaks'],
    driver: /^gitleaks/i,
    command: () => ['gitleaks', 'dir', '.', '--no-banner', '-f', 'sarif', '-r', '-'],
  },
  {
    name: 'golangci-lint',
    title: 'golangci-lint',
    files: ['**/.golangci.{yml,yaml,toml,json}'],
    words: ['golangci-lint', 'golangci'],
    driver: /^golangci/i,
    command: () => ['golangci-lint', 'run', '--output.sarif.path', 'stdout'],
    note: 'The command is for version 2; version 1 needs --out-format sarif.',
  },
  {
    name: 'gosec',
    title: 'gosec',
    files: [],
    words: ['gosec', 'securego/gosec'],
    driver: /^gosec/i,
    command: () => ['gosec', '-quiet', '-fmt', 'sarif', './...'],
  },
  {
    name: 'grype',
    title: 'Grype',
    files: [...yaml('.grype')],
    words: ['grype', 'anchore/scan-action'],
    driver: /^grype/i,
    command: () => ['grype', 'dir:.', '-q', '-o', 'sarif'],
  },
  {
    name: 'hadolint',
    title: 'Hadolint',
    files: [...yaml('.hadolint')],
    words: ['hadolint'],
    driver: /^hadolint/i,
    note: 'Name the Dockerfiles in its command: hadolint -f sarif Dockerfile.',
  },
  {
    name: 'kics',
    title: 'KICS',
    files: ['**/kics.config', ...yaml('kics')],
    words: ['kics'],
    driver: /^kics/i,
    command: (_, out) => [
      'kics',
      'scan',
      '-p',
      '.',
      '--report-formats',
      'sarif',
      '-o',
      `${out}/external/kics`,
      '--silent',
    ],
    report: out => `${out}/external/kics/results.sarif`,
  },
  {
    name: 'njsscan',
    title: 'njsscan',
    files: ['**/.njsscan'],
    words: ['njsscan'],
    driver: /^njsscan|^nodejsscan/i,
    command: () => ['njsscan', '--sarif', '.'],
  },
  {
    name: 'osv-scanner',
    title: 'OSV-Scanner',
    files: ['**/osv-scanner.toml'],
    words: ['osv-scanner'],
    driver: /^osv-scanner/i,
    command: () => ['osv-scanner', 'scan', 'source', '-r', '--format', 'sarif', '.'],
  },
  {
    name: 'psalm',
    title: 'Psalm',
    files: ['**/psalm.xml', '**/psalm.xml.dist'],
    words: ['psalm', 'vimeo/psalm'],
    driver: /^psalm/i,
    command: () => ['vendor/bin/psalm', '--no-progress', '--output-format=sarif'],
  },
  {
    name: 'ruff',
    title: 'Ruff',
    files: ['**/ruff.toml', '**/.ruff.toml'],
    words: ['ruff', 'tool.ruff'],
    driver: /^ruff/i,
    command: () => ['ruff', 'check', '--output-format', 'sarif', '.'],
  },
  {
    name: 'semgrep',
    title: 'Semgrep',
    files: [...yaml('.semgrep'), '**/.semgrep/**', ...yaml('semgrep'), '**/.semgrepignore'],
    words: ['semgrep'],
    driver: /^semgrep/i,
    command: files => {
      const rules = first(
        files.filter(file => !file.endsWith('.semgrepignore')),
        'auto',
      )
      const config = rules.includes('.semgrep/')
        ? rules.slice(0, rules.indexOf('.semgrep/') + '.semgrep'.length)
        : rules
      return ['semgrep', 'scan', '--sarif', '--quiet', '--config', config]
    },
  },
  {
    name: 'snyk',
    title: 'Snyk',
    files: ['**/.snyk'],
    words: ['snyk'],
    driver: /^snyk/i,
    command: () => ['snyk', 'test', '--sarif'],
    note: 'It asks its service, and needs a login.',
  },
  {
    name: 'sonar',
    title: 'SonarQube',
    files: ['**/sonar-project.properties', '**/.sonarcloud.properties'],
    words: ['sonar-scanner', 'sonarqube-scan-action', 'sonarcloud-github-action', 'sonarqube', 'sonarcloud'],
    driver: /^sonar/i,
    note: 'It does not write SARIF: its results remain on its server.',
  },
  {
    name: 'tflint',
    title: 'TFLint',
    files: ['**/.tflint.hcl'],
    words: ['tflint'],
    driver: /^tflint/i,
    command: () => ['tflint', '--recursive', '--format', 'sarif'],
  },
  {
    name: 'tfsec',
    title: 'tfsec',
    files: ['**/.tfsec/**', ...yaml('tfsec')],
    words: ['tfsec'],
    driver: /^(?:tfsec|defsec)/i,
    command: () => ['tfsec', '.', '--format', 'sarif', '--no-color'],
  },
  {
    name: 'trivy',
    title: 'Trivy',
    files: ['**/trivy.yaml', '**/.trivyignore', '**/.trivyignore.yaml'],
    words: ['trivy', 'trivy-action'],
    driver: /^trivy/i,
    command: () => ['trivy', 'fs', '--quiet', '--format', 'sarif', '.'],
  },
  {
    name: 'trufflehog',
    title: 'TruffleHog',
    files: [],
    words: ['trufflehog'],
    driver: /^trufflehog/i,
    note: 'It prints no SARIF.',
  },
  {
    name: 'zizmor',
    title: 'zizmor',
    files: ['**/zizmor.yml', '**/.github/zizmor.yml'],
    words: ['zizmor', 'zizmor-action'],
    driver: /^zizmor/i,
    command: () => ['zizmor', '--format', 'sarif', '.'],
  },
]

function configured(option: string, files: readonly string[], form: RegExp): string[] {
  const file = files.find(path => form.test(path))
  return file === undefined ? [] : [option, file]
}
