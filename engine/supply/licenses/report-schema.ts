import { type } from 'arktype'

const Place = type({ file: 'string', 'line?': 'number.integer' })

/** What every surface answers with: `LicenseReport`. */
export const LICENSE_REPORT = {
  generated_at: 'string',
  total_dependencies: 'number.integer',
  by_risk: type({ '[string]': 'number.integer' }).describe(
    'the number of dependencies by risk: high, medium, low, none',
  ),
  by_kind: type({ '[string]': 'number.integer' }).describe('the number of dependencies by kind of license'),
  copyleft: type('number.integer').describe('the number of dependencies with a copyleft license'),
  unknown: type('number.integer').describe('the number of dependencies whose license is not known'),
  'denied?': type('number.integer').describe('the number of dependencies that the policy denies'),
  'review?': type('number.integer').describe('the number of dependencies that need a review by the policy'),
  dependencies: type({
    package: 'string',
    'version?': 'string',
    ecosystem: 'string',
    'purl?': 'string',
    component: type('string').describe('the id of the component in the inventory'),
    direct: 'boolean',
    scope: 'string',
    locations: Place.array(),
    'license?': type('string').describe('an SPDX expression; absent where the license is not known'),
    'declared?': type('string').describe('what the package says, where that is no SPDX expression'),
    source: type("'override' | 'lock_file' | 'installed' | 'text' | 'registry' | 'none'").configure(
      { description: 'override, lock_file, installed, text, registry or none: where the license was read' },
      'self',
    ),
    'source_file?': 'string',
    kind: 'string',
    risk: type("'high' | 'medium' | 'low' | 'none'").configure({ description: 'high, medium, low or none' }, 'self'),
    copyleft: 'boolean',
    'reason?': 'string',
    'policy?': type("'allowed' | 'review' | 'denied' | 'unknown'").configure(
      { description: 'allowed, review, denied or unknown: what licenses.policy says' },
      'self',
    ),
  }).array(),
  unread_manifests: type({ file: 'string', state: 'string', detail: 'string', 'line?': 'number.integer' }).array(),
  manifests: 'number.integer',
  notices: 'string[]',
} as const
