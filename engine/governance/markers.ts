/** An environment variable by which a coding agent or a CI runner is known to the programs that it starts. */
export interface Marker {
  /** The name under which it is recorded. */
  agent: string
  variable: string
  /** The value it must have; any but empty, `0` and `false` where left out. */
  value?: string
  kind: 'agent' | 'ci'
  /** Where its maker says so. */
  source: string
}

/**
 * Markers in the order in which they are looked for: agents before runners, since an agent may work inside a CI job, and
 * the general one last. A marker can be set by anybody: it names who acts and never gives trust.
 */
export const MARKERS: readonly Marker[] = [
  ...agents([
    ['claude-code', 'CLAUDECODE', 'https://docs.claude.com/en/docs/claude-code/settings'],
    ['gemini-cli', 'GEMINI_CLI', 'https://google-gemini.github.io/gemini-cli/docs/tools/shell.html'],
    ['codex', 'CODEX_SANDBOX', 'https://developers.openai.com/codex/environment-variables'],
    ['codex', 'CODEX_SANDBOX_NETWORK_DISABLED', 'https://developers.openai.com/codex/environment-variables'],
    ['codex', 'CODEX_THREAD_ID', 'https://developers.openai.com/codex/environment-variables'],
    ['cursor', 'CURSOR_AGENT', 'https://docs.cursor.com/en/agent/terminal'],
    ['copilot', 'COPILOT_AGENT', 'https://github.com/microsoft/vscode/pull/316267'],
    ['copilot', 'COPILOT_AGENT_SESSION_ID', 'https://docs.github.com/en/copilot/concepts/agents/coding-agent'],
    ['copilot-cli', 'COPILOT_CLI', 'https://docs.github.com/en/copilot/concepts/agents/about-copilot-cli'],
    ['cline', 'CLINE_ACTIVE', 'https://docs.cline.bot'],
    ['opencode', 'OPENCODE', 'https://opencode.ai/docs'],
    ['goose', 'GOOSE_TERMINAL', 'https://github.com/block/goose/pull/7017'],
    ['qwen-code', 'QWEN_CODE', 'https://qwenlm.github.io/qwen-code-docs'],
    ['augment', 'AUGMENT_AGENT', 'https://docs.augmentcode.com'],
  ]),
  ...runners([
    [
      'github-actions',
      'GITHUB_ACTIONS',
      'https://docs.github.com/en/actions/reference/workflows-and-actions/variables',
    ],
    ['gitlab-ci', 'GITLAB_CI', 'https://docs.gitlab.com/ci/variables/predefined_variables/'],
    ['azure-pipelines', 'TF_BUILD', 'https://learn.microsoft.com/azure/devops/pipelines/build/variables'],
    [
      'bitbucket-pipelines',
      'BITBUCKET_BUILD_NUMBER',
      'https://support.atlassian.com/bitbucket-cloud/docs/variables-and-secrets/',
    ],
    ['jenkins', 'JENKINS_URL', 'https://www.jenkins.io/doc/book/pipeline/jenkinsfile/#using-environment-variables'],
    ['circleci', 'CIRCLECI', 'https://circleci.com/docs/variables/'],
    ['buildkite', 'BUILDKITE', 'https://buildkite.com/docs/pipelines/configure/environment-variables'],
    ['travis-ci', 'TRAVIS', 'https://docs.travis-ci.com/user/environment-variables/'],
    ['teamcity', 'TEAMCITY_VERSION', 'https://www.jetbrains.com/help/teamcity/predefined-build-parameters.html'],
    [
      'aws-codebuild',
      'CODEBUILD_BUILD_ID',
      'https://docs.aws.amazon.com/codebuild/latest/userguide/build-env-ref-env-vars.html',
    ],
    ['drone', 'DRONE', 'https://docs.drone.io/pipeline/environment/reference/'],
    ['appveyor', 'APPVEYOR', 'https://www.appveyor.com/docs/environment-variables/'],
    ['ci', 'CI', 'the habit of nearly all runners'],
  ]),
]

function agents(rows: readonly (readonly [string, string, string])[]): Marker[] {
  return rows.map(([agent, variable, source]) => ({ agent, variable, source, kind: 'agent' }))
}

function runners(rows: readonly (readonly [string, string, string])[]): Marker[] {
  return rows.map(([agent, variable, source]) => ({ agent, variable, source, kind: 'ci' }))
}

/** Variables whose value is the agent's name, as several agents have agreed to set them. */
const NAMING = ['AI_AGENT', 'AGENT'] as const

/** All variables by which an agent is known; who takes one away may be taken for somebody else. */
export const NAMES_AGENT: ReadonlySet<string> = new Set([
  ...NAMING,
  ...MARKERS.filter(({ kind }) => kind === 'agent').map(({ variable }) => variable),
])

/** Names of programs that are agents, by which a parent process is known. */
export const PROGRAMS: ReadonlyMap<string, string> = new Map([
  ['claude', 'claude-code'],
  ['gemini', 'gemini-cli'],
  ['codex', 'codex'],
  ['cursor-agent', 'cursor'],
  ['copilot', 'copilot-cli'],
  ['opencode', 'opencode'],
  ['goose', 'goose'],
  ['aider', 'aider'],
  ['qwen', 'qwen-code'],
  ['amp', 'amp'],
  ['auggie', 'augment'],
])

/** The agent or runner that the environment names; undefined where it names none. */
export function detectByMarkers(
  env: Readonly<Record<string, string | undefined>>,
): { agent: string; kind: Marker['kind'] } | undefined {
  const found = MARKERS.find(({ variable, value }) => {
    const text = env[variable]
    return value === undefined ? isSet(text) : text === value
  })
  if (found?.kind === 'agent') return found
  for (const variable of NAMING) {
    const name = env[variable]?.toLowerCase()
    if (isSet(name) && name && /^[a-z][a-z0-9._-]{1,39}$/.test(name)) return { agent: name, kind: 'agent' }
  }
  return found
}

function isSet(text: string | undefined): boolean {
  return text !== undefined && text !== '' && text !== '0' && text.toLowerCase() !== 'false'
}
