import { type } from 'arktype'

/** What every surface answers with: `OwnFiles`. */
export const OWN_FILES = type({
  files: 'number.integer',
  tagged: type('number.integer').describe('files with an SPDX-License-Identifier'),
  annotated: type('number.integer').describe('files whose license REUSE.toml, dep5 or a .license file says'),
  by_license: type({ '[string]': 'number.integer' }),
  untagged: { count: 'number.integer', examples: 'string[]' },
  invalid: type({ file: 'string', line: 'number.integer', tag: 'string' }).array(),
  missing_texts: 'string[]',
  unused_texts: 'string[]',
  license_files: type({ file: 'string', 'license?': 'string' }).array(),
  declared: type({ file: 'string', license: 'string' }).array(),
  reuse: type('boolean').describe('whether each file has a license by the specification of REUSE'),
  unread: 'number.integer',
})
