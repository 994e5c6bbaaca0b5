import { type } from 'arktype'
import { defineOperation } from '../../door/operation.ts'
import { PROFILE_FILE, storeProfile } from '../../quality/profile/cache.ts'
import { ConstraintsType, ProfileType } from '../../quality/profile/profile-schema.ts'
import { readProject } from '../../quality/profile/read.ts'
import { formatConstraints, formatProfile } from '../../quality/profile/text.ts'
import { formatOutput } from '../../sources/store/output-directory.ts'

/** What the repository is made of and how it is written; stored in out/project-profile.json until a file changes. */
export default defineOperation({
  id: 'quality.profile',
  summary: 'Profile the project: languages, frameworks, tools, architecture, decisions, conventions and modules.',
  effect: 'write',
  action: 'read_metrics',
  cli: 'profile',
  rest: null,
  mcp: null,
  examples: [
    ['svc profile', 'update out/project-profile.json'],
    ['svc profile --show', 'show the profile'],
    ['svc profile --for src/app.py', 'show what a change to a path must respect'],
  ],
  input: type({
    show: type('boolean').describe('true or false: show the whole profile').default(false),
    'for?': type('string > 0').describe('a path: shows the conventions, architecture rules and decisions for it'),
    'config?': type('string > 0').describe('a configuration file'),
    '+': 'reject',
  }),
  output: type({
    profile: ProfileType,
    cached: type('boolean').describe('true if no file changed since the stored profile'),
    show: 'boolean',
    file: type('string').describe('the file that has the profile'),
    'constraints?': ConstraintsType,
  }),

  async run({ show, for: path, config }, context) {
    const { profile, cached, root, out, constraints } = await readProject(context, { path, config })
    if (!cached) storeProfile(out, profile)
    const file = `${formatOutput(root, out)}/${PROFILE_FILE}`
    return { profile, cached, show, file, ...(constraints && { constraints }) }
  },

  text({ profile, cached, show, file, constraints }, view) {
    if (constraints) return formatConstraints(constraints, view)
    if (show) return formatProfile(profile, view)
    const { languages, frameworks, adrs, modules } = profile
    const names = (items: readonly { name: string }[]) =>
      items
        .slice(0, 5)
        .map(({ name }) => name)
        .join(', ') || 'none'
    return [
      `${cached ? 'The profile is current' : 'Profile updated'}: ${file}.`,
      `Languages: ${names(languages)}. Frameworks: ${names(frameworks)}. ${modules.length} modules, ${adrs.length} decision records.`,
      'svc profile --show lists all of it.',
    ].join('\n')
  },
})
