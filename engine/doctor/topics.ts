/** A task of a user, and the commands for it in order. */
export interface Topic {
  /** One word, for `svc guide <topic>`. */
  id: string
  /** Completes "I want to …". */
  want: string
  /** What to know first, in one or two sentences. */
  about: string
  steps: readonly { command: string; does: string }[]
  /** Page of the documentation. */
  read?: string
}

/** The topics in the order in which a new user needs them; `out` is the path of the output directory. */
export function listTopics(out: string): readonly Topic[] {
  return [
    {
      id: 'start',
      want: 'see what svc finds in this repository',
      about: `No configuration is needed: packs are selected by the detected languages. Only ${out}/ is written.`,
      steps: [
        { command: 'svc scan', does: `scan, and write findings and reports to ${out}/` },
        { command: 'svc next-action', does: 'show which findings to fix first, and how' },
        { command: 'svc explain <rule>', does: 'explain a rule, with examples that violate it and examples that pass' },
        { command: 'svc dashboard', does: 'browse the results' },
      ],
      read: 'docs/command-line.md',
    },
    {
      id: 'adopt',
      want: 'adopt svc in an existing repository',
      about: 'Current findings go into a baseline; only new findings fail the gate.',
      steps: [
        { command: 'svc init', does: 'write .svc/config.yaml' },
        {
          command: 'svc suggest-excludes',
          does: 'find generated and vendored code, and print the command that excludes it',
        },
        { command: 'svc scan --update-baseline', does: 'add current findings to .svc/baseline.json' },
        { command: 'git add .svc .gitignore', does: 'commit the configuration and the baseline (`git commit`)' },
        { command: 'svc gate', does: 'check that the gate passes' },
        { command: 'svc hook install', does: 'scan every commit' },
      ],
      read: 'docs/adopting.md',
    },
    {
      id: 'fix',
      want: 'fix findings',
      about: 'Start with actionable findings: an autofix, or a remediation and high confidence.',
      steps: [
        { command: 'svc scan --actionable-only', does: 'list actionable findings and count the others' },
        { command: 'svc next-action', does: 'show the most severe findings, one per rule, with remediation' },
        { command: 'svc apply-patches', does: 'apply the autofixes' },
        { command: 'svc compare', does: 'list findings that are new or resolved since the previous run' },
      ],
    },
    {
      id: 'accept',
      want: 'suppress a false positive or accept a risk',
      about: 'A suppression needs a reason. It may have an expiry date, after which the finding is open again.',
      steps: [
        {
          command: 'svc suppress --rule <rule> --file <file> --expires 90 --reason "…"',
          does: 'suppress it for 90 days, in .svc/suppressions.yaml',
        },
        { command: 'svc suppress --list', does: 'list suppressions with their expiry' },
        { command: 'svc exclude <path>', does: 'exclude a file, a directory or a glob from the scan' },
      ],
      read: 'docs/suppressions.md',
    },
    {
      id: 'commit',
      want: 'check what I am about to commit',
      about: 'The git index is scanned, not the working tree, and only findings that the change introduces count.',
      steps: [
        { command: 'svc hook install', does: 'scan every commit; existing hooks are kept' },
        { command: 'svc pre-commit-scan', does: 'scan staged changes, with a hint per finding' },
        { command: 'svc fix-hook', does: 'apply autofixes to staged changes; unstaged changes stay' },
      ],
    },
    {
      id: 'ci',
      want: 'fail the build on new findings',
      about: 'The gate exits with 1 when it fails; other nonzero exit codes are errors.',
      steps: [
        { command: 'svc init --mode ci', does: 'write a configuration for CI' },
        { command: 'svc gate', does: 'scan the repository and evaluate the gate' },
        { command: 'svc gate --git-range origin/main...HEAD', does: 'only evaluate findings that a branch introduces' },
        { command: 'svc report --format sarif', does: 'write SARIF for code scanning' },
      ],
    },
    {
      id: 'others',
      want: 'import findings of other scanners',
      about: 'SARIF reports become findings: suppressions, baseline and gate apply to them as to any other.',
      steps: [
        { command: 'svc external-detect', does: 'detect the scanners in use, with the evidence' },
        { command: 'svc external-detect --write', does: 'add them to the configuration' },
      ],
      read: 'docs/adopting.md',
    },
    {
      id: 'rules',
      want: 'list and select rules',
      about: 'Packs are turned on and off under packs in .svc/config.yaml; your own rules are in .svc/rules.',
      steps: [
        { command: 'svc list-rules', does: 'list enabled rules' },
        { command: 'svc explain <rule>', does: 'explain a rule' },
        { command: 'svc validate-config', does: 'validate the configuration and list every error with its line' },
      ],
      read: 'docs/configuration.md',
    },
    {
      id: 'evidence',
      want: 'provide evidence to an auditor',
      about: `Runs are kept in ${out}/history and never changed.`,
      steps: [
        { command: 'svc report', does: 'write the report of the latest run' },
        { command: 'svc history-report --list', does: 'list the runs, newest first' },
        { command: 'svc history-report -f <framework>', does: 'write the report for one framework' },
      ],
      read: 'docs/reports.md',
    },
    {
      id: 'agents',
      want: 'govern a coding agent',
      about: 'The agent uses svc over MCP and reads the context of the repository before it writes code.',
      steps: [
        { command: 'svc context', does: `write ${out}/agent_context.json` },
        { command: 'svc mcp-server', does: 'serve the tools over standard input and output' },
        { command: 'svc hook install --agent <agent>', does: 'check each change of the agent before it is made' },
        { command: 'svc agent-register <name>', does: 'issue a credential to the agent' },
        { command: 'svc task-bind "<intent>" --path <glob>', does: 'declare its task and paths' },
      ],
      read: 'docs/governance.md',
    },
    {
      id: 'trouble',
      want: 'troubleshoot a problem',
      about: 'Every error names the problem, its location and the next step; -v prints details.',
      steps: [
        {
          command: 'svc install-check',
          does: 'check Node.js, git, grammars, database, permissions, disk and configuration',
        },
        { command: 'svc validate-config', does: 'check the configuration' },
        { command: 'svc migrate', does: 'move a .guard.yaml to .svc/config.yaml' },
      ],
    },
  ]
}

/** The state of a repository. */
export interface Situation {
  configured: boolean
  scanned: boolean
  baseline: boolean
  /** Open findings of the latest run; 0 where there is none. */
  open: number
}

/** More open findings than this call for a baseline. */
const MANY = 50

/** The topic that most likely comes next. */
export function estimateLikely({ configured, scanned, baseline, open }: Situation): string {
  if (!scanned) return 'start'
  if (open > MANY && !baseline) return 'adopt'
  if (open > 0) return 'fix'
  return configured ? 'ci' : 'commit'
}
