import { type } from 'arktype'

const text = type('string > 0')

/** How a language model is asked (decisions on the `llm` section); nothing is sent without a provider. */
export const llm = type({
  'provider?': type
    .enumerated('anthropic', 'openai', 'openai-compatible')
    .configure(
      { description: 'anthropic, openai or openai-compatible (local servers too); nothing is sent without one' },
      'self',
    ),
  'model?': text.describe('a model name, as the provider has it'),
  'base_url?': type(/^https?:\/\/[^\s]+$/).describe(
    'an http or https URL: the API; other servers than those of the provider and of this machine must be in SVC_LLM_TRUST',
  ),
  'key_env?': text.describe('an environment variable that holds the API key; its name ends in _API_KEY'),
  'usd_per_million_input?': type('0 <= number <= 100000').describe(
    'a number of US dollars from 0 to 100000: the price of a million input tokens (default: the list price, and never less; 0 on this machine)',
  ),
  'usd_per_million_output?': type('0 <= number <= 100000').describe(
    'a number of US dollars from 0 to 100000: the price of a million output tokens (default: the list price, and never less; 0 on this machine)',
  ),
  max_tokens_per_run: type('1 <= number.integer <= 100000000')
    .describe(
      'a number of tokens from 1 to 100000000: the most that one run may take, within SVC_LLM_MAX_TOKENS_PER_RUN (2000000)',
    )
    .default(500_000),
  max_usd_per_day: type('0 <= number <= 100000')
    .describe(
      'a number of US dollars from 0 to 100000: the most that may be spent on a day, within SVC_LLM_MAX_USD_PER_DAY (20)',
    )
    .default(5),
  max_output_tokens: type('1 <= number.integer <= 200000')
    .describe('a number of tokens from 1 to 200000: the most that one answer may have')
    .default(8000),
  concurrency: type('1 <= number.integer <= 32')
    .describe('a number from 1 to 32: requests at the same time')
    .default(2),
  timeout_seconds: type('1 <= number.integer <= 3600')
    .describe('a number of seconds from 1 to 3600: the time limit of one request')
    .default(120),
  exclude: text
    .array()
    .describe('a list of files, directories and globs: never sent')
    .default(() => []),
  'record?': text.describe('a directory of the repository: every exchange is written there'),
  'replay?': text.describe('a directory of the repository: answers come from there, and nothing is sent'),
  '+': 'reject',
})
