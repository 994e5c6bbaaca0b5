import type { Detector } from '../rules/detector.ts'

/**
 * Questions to a language model. Nothing is asked while files are searched, which waits for no network: engine/review/rules asks beside
 * the search, or says that the rule was not evaluated.
 */
export default {
  type: 'llm',
  reach: 'severe',
  views: 'none',
  parses: false,
  identity: 'code',

  readsContent: () => false,
  begin: () => ({ admit: () => undefined }),
} satisfies Detector
