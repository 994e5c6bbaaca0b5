import type { WrittenRule } from '../sources/packs/pack-file.ts'
import { PLAIN_PROTOCOLS } from './asyncapi.ts'
import { isTree, type SpecDocument, type Tree } from './document.ts'
import { Matchers, matchOneOf } from './matchers.ts'
import { type Analysis, METHODS } from './openapi.ts'
import { makeExamples } from './rule-examples.ts'
import { RULE_TEXTS } from './rule-texts.ts'
import { BOUNDS } from './schemas.ts'
import { SENSITIVE_NAME, type WeaknessKind } from './weakness.ts'

/** Keys below which stands data for the reader's sake. */
const SAMPLES = '(?:examples?|default|enum|const|value|dataValue|x-.*)'

/**
 * The rules that find the weak places of a document in its file: the same places as the analysis found, and new ones of
 * the kind as they are written. A rule is silent as soon as its place is mended.
 */
export async function makeDocumentRules(
  document: SpecDocument,
  analysis: Analysis,
  packId: string,
  path: string,
): Promise<WrittenRule[]> {
  const matchers = new Matchers(document.language)
  const bodies =
    document.format === 'openapi' ? openApiBodies(matchers, analysis) : asyncApiBodies(matchers, analysis, document)
  const rules: WrittenRule[] = []
  for (const [kind, rule] of Object.entries(bodies) as [WeaknessKind, Tree][]) {
    rules.push({
      id: `${packId}-${kind}`,
      type: 'ast',
      ...RULE_TEXTS[kind],
      languages: [document.language],
      files: [path],
      rule,
      ...(await makeExamples(kind, document, analysis, path.replace('**/', ''))),
    })
  }
  return rules
}

type Bodies = Partial<Record<WeaknessKind, Tree>>

function openApiBodies(m: Matchers, { input_schemas, output_schemas, names }: Analysis): Bodies {
  const root = m.pair('(?:openapi|swagger)')
  const components = (schemas: readonly string[]) => sharedSchemas(m, schemas)
  // What the server sends on its own goes the other way round.
  const asked = { not: m.under('(?:callbacks|webhooks)') }
  const security = m.pair('security')
  const empty = m.pair('security', '(?:\\[\\s*\\]|[\\s\\S]*(?:^|[\\s\\[,-])\\{\\s*\\}[\\s\\S]*)')
  return {
    auth: {
      all: [
        m.pair(matchOneOf(METHODS)),
        m.directlyUnder('/.*', m.directlyUnder('paths')),
        {
          any: [
            m.above(empty),
            { all: [{ not: m.above(security) }, { not: m.inDocumentWith(security, root) }] },
            { all: [{ not: m.above(security) }, m.inDocumentWith(empty, root)] },
          ],
        },
      ],
    },
    'unbounded-string': unbounded(m, [
      { all: [m.under('(?:requestBody|requestBodies|parameters)'), asked] },
      ...components(input_schemas),
    ]),
    'sensitive-field': sensitive(m, [{ all: [m.under('responses'), asked] }, ...components(output_schemas)]),
    'insecure-server': {
      any: [
        {
          all: [
            m.pair('url', 'http://.*'),
            { not: m.pair('url', 'http://(?:localhost|127\\.|\\[::1\\]).*') },
            m.directlyUnder('servers'),
          ],
        },
        {
          all: [
            m.pair('schemes', '[\\s\\S]*?(?:^|[\\s\\[,"\'-])(?:http|ws)(?:$|[\\s\\],"\'])[\\s\\S]*'),
            m.beside(m.pair('swagger')),
            { not: m.beside(m.pair('host', '(?:localhost|127\\.|\\[::1\\]).*')) },
          ],
        },
      ],
    },
    'path-parameter': {
      all: [
        m.pair('in', 'path'),
        { not: m.beside(m.pair('content')) },
        {
          any: [
            { all: [m.beside(m.pair('type', 'string')), { not: m.beside(m.pair(matchOneOf(BOUNDS))) }] },
            m.beside({
              all: [m.pair('schema'), m.above(m.pair('type', STRING)), { not: m.above(m.pair(matchOneOf(BOUNDS))) }],
            }),
            ...(names.length === 0
              ? []
              : [m.beside({ all: [m.pair('schema'), m.above(m.pair('\\$ref', `#/.*/${matchOneOf(names)}`))] })]),
          ],
        },
      ],
    },
  }
}

function asyncApiBodies(m: Matchers, { input_schemas, names }: Analysis, { version, data }: SpecDocument): Bodies {
  const servers = Object.values(isTree(data.servers) ? data.servers : {})
  const root = m.pair('asyncapi')
  const protectedServers = { all: [m.pair('servers'), { has: { ...m.pair('security'), stopBy: 'end' } }] }
  const unprotected = [
    { not: m.above(m.pair('security')) },
    // Where no server asks for credentials, one that does mends all; where some do, only the analysis tells which count.
    ...(servers.some(server => isTree(server) && 'security' in server)
      ? []
      : [{ not: m.inDocumentWith(protectedServers, root) }]),
  ]
  const where = [m.under('payload'), ...sharedSchemas(m, input_schemas)]
  const named = matchOneOf(names)
  const operation = version.startsWith('2.')
    ? { all: [m.pair('(?:publish|subscribe)'), m.directlyUnder(named, m.directlyUnder('channels')), ...unprotected] }
    : { all: [m.pair(named), m.directlyUnder('operations'), ...unprotected] }
  return {
    ...(names.length > 0 && { auth: operation }),
    'unbounded-string': unbounded(m, where),
    'sensitive-field': sensitive(m, where),
    'insecure-server': {
      all: [
        m.pair('protocol', matchOneOf(PLAIN_PROTOCOLS)),
        { not: m.beside(m.pair('(?:host|url)', '(?:[a-z]+://)?(?:localhost|127\\.|\\[::1\\]).*')) },
        m.directlyUnder('[^"\']+', m.directlyUnder('servers')),
      ],
    },
  }
}

/** `string`, alone or in a list of types. */
const STRING = '(?:string|[^:{}]*[\\s\\[,"\'-]string(?:$|[\\s\\],"\'])[^:{}]*)'

/** In an example, a default or an extension; a field may be called so too. */
function sample(m: Matchers): Tree {
  return m.under(SAMPLES, {
    not: m.directlyUnder('(?:properties|patternProperties|schemas|definitions|messages|channels|parameters)'),
  })
}

function unbounded(m: Matchers, where: readonly Tree[]): Tree {
  return {
    all: [m.pair('type', STRING), { not: m.beside(m.pair(matchOneOf(BOUNDS))) }, { any: where }, { not: sample(m) }],
  }
}

function sensitive(m: Matchers, where: readonly Tree[]): Tree {
  return {
    all: [
      m.pair(SENSITIVE_NAME),
      m.directlyUnder('properties'),
      { not: m.above(m.pair('writeOnly', 'true')) },
      { any: where },
      { not: sample(m) },
    ],
  }
}

/** Below one of these shared schemas. */
function sharedSchemas(m: Matchers, names: readonly string[]): Tree[] {
  return names.length === 0 ? [] : [m.under(matchOneOf(names), m.directlyUnder('(?:schemas|definitions)'))]
}
