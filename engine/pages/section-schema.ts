import { type Type, type } from 'arktype'
import type { Section } from './section.ts'

/** The schema of a section with data of this schema. */
export function sectionType<D>(data: Type<D>): Type<Section<D>> {
  const section = type({
    state: type("'ready' | 'missing' | 'unreadable'").configure({ description: 'whether there is data' }, 'self'),
    'data?': data as unknown as Type<unknown>,
    'reason?': 'string',
    'command?': type('string').describe('the command that makes the data'),
    'hint?': 'string',
  })
  return section as unknown as Type<Section<D>>
}
