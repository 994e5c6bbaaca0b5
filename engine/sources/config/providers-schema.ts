import { type } from 'arktype'

const text = type('string > 0')

/** One provider; a token is never a setting. */
const provider = type({
  'base_url?': type(/^https?:\/\/[^\s]+$/).describe(
    'an https URL: the address of the API or, for Azure DevOps and Jira, of the organization or site',
  ),
  'repository?': text.describe(
    'a repository as the provider names it (owner/name, group/project, organization/project/repository), or the key of a Jira project; default: by the CI system or the remote origin',
  ),
  'token_env?': text.describe('the name of an environment variable that holds the token; it ends with TOKEN or _PAT'),
  'client_id?': text.describe('the client id of an OAuth application, which is no secret'),
  'requirement_labels?': text
    .array()
    .atLeastLength(1)
    .describe('a list of labels: only work items with one of them are requirements'),
  'states?': type({ '[string]': text }).describe(
    "a map of svc's states of requirements to the provider's states of work items, which `svc sync` sets",
  ),
  '+': 'reject',
})

/** Providers of repositories and work items. */
export const providers = type({
  'default?': type
    .enumerated('github', 'gitlab', 'azure', 'jira')
    .configure({ description: 'github, gitlab, azure or jira: the provider of commands that name none' }, 'self'),
  'github?': provider,
  'gitlab?': provider,
  'azure?': provider,
  'jira?': provider,
  '+': 'reject',
})
