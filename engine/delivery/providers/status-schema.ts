import { type } from 'arktype'

/** The providers of the configuration and of git's remotes, and which of them are usable. */
export const ProviderStatesType = type({
  configured: type('boolean').describe('true if a provider is usable: named, with a repository and a token'),
  'default?': type('string').describe('the provider that is used where none is named'),
  providers: type({
    provider: 'string',
    'kind?': 'string',
    'base_url?': 'string',
    'repository?': 'string',
    'token_source?': type('string').describe('the environment variable of the token, or oauth; absent without a token'),
    'problem?': type('string').describe('the reason why it is not usable'),
  }).array(),
  'ci?': type('string').describe('the CI system that this process runs in'),
})
