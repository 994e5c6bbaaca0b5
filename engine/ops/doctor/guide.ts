import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { type } from 'arktype'
import { readOwn } from '../../base/disk/own-folder.ts'
import { EngineError } from '../../base/errors.ts'
import { findNearest } from '../../base/text/nearest.ts'
import { estimateLikely, listTopics, type Situation, type Topic } from '../../doctor/topics.ts'
import { defineOperation } from '../../door/operation.ts'
import { findRepositoryRoot } from '../../sources/config/load.ts'
import { BASELINE_PATH, CONFIG_PATH } from '../../sources/config/paths.ts'
import { DEFAULT_OUTPUT } from '../../sources/repository/own-output.ts'
import { formatOutput, resolveOutputDirectory } from '../../sources/store/output-directory.ts'

const TOPIC_IDS = listTopics(DEFAULT_OUTPUT).map(({ id }) => id)

/** Leads from what one wants to do to the commands for it: with arrows where there is a terminal, as a list elsewhere. */
export default defineOperation({
  id: 'doctor.guide',
  summary: 'Show the commands for a task, with an explanation.',
  effect: 'read',
  action: null,
  cli: 'guide [topic]',
  rest: null,
  mcp: null,
  input: type({
    'topic?': type('string > 0').describe(`one of ${TOPIC_IDS.join(', ')}`),
    '+': 'reject',
  }),
  output: type({
    likely: type('string').describe('the topic that is most likely next in this repository'),
    topics: type({
      id: 'string',
      want: 'string',
      about: 'string',
      steps: type({ command: 'string', does: 'string' }).array(),
      'read?': 'string',
    })
      .array()
      .describe('the selected topic, or all topics'),
  }),
  examples: [
    ['svc guide', 'choose a task with the arrow keys'],
    ['svc guide adopt', 'list the commands to adopt svc in an existing repository'],
  ],

  async run({ topic }, { cwd, env, choose }) {
    const root = findRepositoryRoot(cwd)
    // With a configuration that is not valid the guide must still lead to the commands that find the fault.
    const out = await resolveOutputDirectory({ cwd, env }).catch(error => {
      if (error instanceof EngineError) return join(root, DEFAULT_OUTPUT)
      throw error
    })
    const topics = listTopics(formatOutput(root, out))
    const next = estimateLikely(situation(root, out))
    if (topic !== undefined) return { likely: next, topics: [chooseTopic(topics, topic)] }
    if (!choose) return { likely: next, topics: [...topics] }
    const choices = topics.map(({ id, want, about }) => ({ value: id, name: want, description: about }))
    const chosen = await choose('I want to', choices, next)
    return { likely: next, topics: chosen === undefined ? [] : [chooseTopic(topics, chosen)] }
  },

  text({ topics, likely: next }, { paint }) {
    const steps = (all: Topic['steps']) =>
      all.map(({ command, does }) => `  ${paint('cyan', command)}\n      ${does}`).join('\n')
    const blocks = topics.map(({ id, want, about, steps: all, read }) =>
      [
        `${paint('bold', `To ${want}`)}${topics.length > 1 ? paint('dim', ` (${id})`) : ''}`,
        about,
        steps(all),
        ...(read === undefined ? [] : [paint('dim', `  More: ${read}`)]),
      ].join('\n'),
    )
    if (topics.length > 1) blocks.push(`Most likely next: \`svc guide ${next}\`.`)
    return blocks.join('\n\n')
  },
})

function chooseTopic(topics: readonly Topic[], id: string): Topic {
  const found = topics.find(topic => topic.id === id)
  if (found) return found
  const meant = findNearest(id, TOPIC_IDS)
  throw new EngineError(
    'NOT_FOUND',
    `There is no topic ${JSON.stringify(id)}${meant ? `; did you mean ${meant}?` : '.'}`,
    {
      hint: `Topics: ${TOPIC_IDS.join(', ')}.`,
    },
  )
}

/** Three looks at the disk; a run that cannot be read counts as none, since it only changes a suggestion. */
function situation(root: string, out: string): Situation {
  let open: number | undefined
  try {
    open = Number(JSON.parse(String(readOwn(join(out, 'run.json')))).counts.open)
  } catch {
    open = undefined
  }
  return {
    configured: existsSync(join(root, CONFIG_PATH)),
    scanned: open !== undefined,
    baseline: existsSync(join(root, BASELINE_PATH)),
    open: open ?? 0,
  }
}
