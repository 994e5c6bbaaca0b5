/** Something that a person wants to do, and the commands for it in their order. */
export interface Topic {
  /** One word, for `svc guide <topic>`. */
  id: string
  /** Completes "I want to …". */
  want: string
  /** What to know before, in a sentence or two. */
  about: string
  steps: readonly { command: string; does: string }[]
  /** Page of the documentation. */
  read?: string
}

/** In the order in which a newcomer meets them; `out` is the output directory as a user finds it. */
export function listTopics(out: string): readonly Topic[] {
  return [
    {
      id: 'start',
      want: 'see what svc finds in this repository',
      about: `No configuration is needed: the packs are chosen by the languages found. Nothing but ${out}/ is written.`,
      steps: [
        { command: 'svc scan', does: `scan, and write findings and reports to ${out}/` },
        { command: 'svc next-action', does: 'show what to mend first, and how' },
        { command: 'svc explain <rule>', does: 'tell about a rule, with code that violates it and code that passes' },
        { command: 'svc dashboard', does: 'look at it all in a browser' },
      ],
      read: 'docs/command-line.md',
    },
    {
      id: 'adopt',
      want: 'bring svc into an old repository without drowning in findings',
      about: 'What is found today goes into a baseline; only new findings fail the gate from then on.',
      steps: [
        { command: 'svc init', does: 'write .svc/config.yaml' },
        {
          command: 'svc suggest-excludes',
          does: 'find generated and vendored code, and print the command that excludes it',
        },
        { command: 'svc scan --update-baseline', does: 'put what is found now into .svc/baseline.json' },
        { command: 'git add .svc .gitignore', does: 'commit the configuration and the baseline (`git commit`)' },
        { command: 'svc gate', does: 'check that the gate passes now' },
        { command: 'svc hook install', does: 'check each commit from now on' },
      ],
      read: 'docs/adopting.md',
    },
    {
      id: 'mend',
      want: 'mend findings',
      about: 'Begin with what can be acted on: a certain fix, or a remedy and little doubt.',
      steps: [
        { command: 'svc scan --actionable-only', does: 'list only what can be acted on, and count the rest' },
        { command: 'svc next-action', does: 'take the worst one a rule, with its remedy' },
        { command: 'svc apply-patches', does: 'apply the fixes that are certain' },
        { command: 'svc compare', does: 'see what is new and what is resolved since the run before' },
      ],
    },
    {
      id: 'accept',
      want: 'accept a finding that is none, or not now',
      about: 'Nothing is accepted without a reason; it may have a date, after which the finding is open again.',
      steps: [
        {
          command: 'svc suppress --rule <rule> --file <file> --expires 90 --reason "…"',
          does: 'accept it for 90 days, in .svc/suppressions.yaml',
        },
        { command: 'svc suppress --list', does: 'see what is accepted, and until when' },
        { command: 'svc exclude <path>', does: 'leave a file, a folder or a glob out of the scan' },
      ],
      read: 'docs/suppressions.md',
    },
    {
      id: 'commit',
      want: 'check what I am about to commit',
      about: 'The index is read, not the working tree, and only what the change introduces is judged.',
      steps: [
        { command: 'svc hook install', does: 'check each commit; a hook that is there is kept' },
        { command: 'svc pre-commit-scan', does: 'check what is staged now, with hints for each finding' },
        { command: 'svc fix-hook', does: 'apply certain fixes to what is staged; unstaged work stays' },
      ],
    },
    {
      id: 'ci',
      want: 'let the build fail on new findings',
      about: 'The gate exits with 1 when it does not pass; other exit codes mean that something broke.',
      steps: [
        { command: 'svc init --mode ci', does: 'write a configuration for a build machine' },
        { command: 'svc gate', does: 'scan and judge the repository' },
        { command: 'svc gate --git-range origin/main...HEAD', does: 'judge only what a branch introduces' },
        { command: 'svc report --format sarif', does: 'write SARIF for the code scanning of the host' },
      ],
    },
    {
      id: 'others',
      want: 'have the findings of other scanners in the same place',
      about: 'Reports in SARIF become findings: suppressed, held by the baseline and judged like any other.',
      steps: [
        { command: 'svc external-detect', does: 'find the scanners that are used here, with the evidence' },
        { command: 'svc external-detect --write', does: 'have svc scan run them, or read their reports' },
      ],
      read: 'docs/adopting.md',
    },
    {
      id: 'rules',
      want: 'know the rules, and choose among them',
      about: 'Packs are switched on and off under packs in .svc/config.yaml; rules of your own stand in .svc/rules.',
      steps: [
        { command: 'svc list-rules', does: 'list the rules that are on here' },
        { command: 'svc explain <rule>', does: 'tell about one of them' },
        { command: 'svc validate-config', does: 'check the configuration, and name every fault with its line' },
      ],
      read: 'docs/configuration.md',
    },
    {
      id: 'evidence',
      want: 'show an auditor where we stand',
      about: `Runs are kept in ${out}/history and never changed.`,
      steps: [
        { command: 'svc report', does: 'write the report of the latest run' },
        { command: 'svc history-report --list', does: 'list the runs, newest first' },
        { command: 'svc history-report -f <framework>', does: 'write what bears on one framework' },
      ],
      read: 'docs/reports.md',
    },
    {
      id: 'agents',
      want: 'let a coding agent work by the rules',
      about: 'The agent asks svc over MCP, and reads what it should know of the repository before it writes.',
      steps: [
        { command: 'svc context', does: `write ${out}/agent_context.json` },
        { command: 'svc mcp-server', does: 'serve the tools over standard input and output' },
        { command: 'svc hook install --agent <agent>', does: 'have the agent ask svc before each change' },
        { command: 'svc agent-register <name>', does: 'give it a credential, and so a name that it can prove' },
        { command: 'svc task-bind "<intent>" --path <glob>', does: 'say what it is to do, and where' },
      ],
      read: 'docs/governance.md',
    },
    {
      id: 'trouble',
      want: 'find out why something does not work',
      about: 'Every error names what is wrong, where, and the next step; -v tells more.',
      steps: [
        {
          command: 'svc install-check',
          does: 'check Node, git, grammars, database, permissions, disk and configuration',
        },
        { command: 'svc validate-config', does: 'check the configuration' },
        { command: 'svc migrate', does: 'move a .guard.yaml to .svc/config.yaml' },
      ],
    },
  ]
}

/** What stands in a repository already. */
export interface Situation {
  configured: boolean
  scanned: boolean
  baseline: boolean
  /** Open findings of the latest run; 0 where there is none. */
  open: number
}

/** More open findings than this are not mended in a day. */
const MANY = 50

/** The topic that most likely comes next. */
export function estimateLikely({ configured, scanned, baseline, open }: Situation): string {
  if (!scanned) return 'start'
  if (open > MANY && !baseline) return 'adopt'
  if (open > 0) return 'mend'
  return configured ? 'ci' : 'commit'
}
