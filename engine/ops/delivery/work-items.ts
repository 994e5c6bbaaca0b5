import { type } from 'arktype'
import { EngineError } from '../../base/errors.ts'
import { readProviderItems } from '../../delivery/work-items/provider-items.ts'
import { defineOperation } from '../../door/operation.ts'
import { loadConfig } from '../../sources/config/load.ts'

/** The provider's work items, page by page. */
export default defineOperation({
  id: 'delivery.work-items',
  summary: 'List the work items of the DevOps provider.',
  effect: 'read',
  cli: null,
  rest: 'GET /api/work-items',
  mcp: null,
  input: type({
    'provider?': type('string > 0').describe('a provider; default: providers.default'),
    limit: type('1 <= number.integer <= 500').describe('a number of work items from 1 to 500').default(100),
    'cursor?': type('string > 0').describe('the cursor of the page before'),
    '+': 'reject',
  }),
  output: type({
    provider: 'string',
    work_items: type({
      key: 'string',
      title: 'string',
      state: 'string',
      type: 'string',
      'url?': 'string',
      'updated?': 'string',
    }).array(),
    total: 'number.integer',
    'next_cursor?': type('string').describe('the cursor of the next page; absent at the end'),
  }),
  async run({ provider: name, limit, cursor = '0' }, context) {
    if (!/^[0-9]{1,6}$/.test(cursor)) throw new EngineError('INPUT_INVALID', 'cursor is not one of this list.')
    const { provider, work_items } = await readProviderItems(
      await loadConfig(context.cwd, { env: context.env }),
      context,
      name,
    )
    const start = Number(cursor)
    const end = start + limit
    return {
      provider,
      work_items: work_items.slice(start, end),
      total: work_items.length,
      ...(end < work_items.length && { next_cursor: String(end) }),
    }
  },
  text: ({ work_items }) => work_items.map(({ key, state, title }) => `${key}  ${state}  ${title}`).join('\n'),
})
