import type { SimpleTypes } from '../simple-types.ts'

export const simpleTypes: SimpleTypes = {
  types: [
    'number',
    'boolean',
    'bigint',
    'Date',
    'Number',
    'Boolean',
    'undefined',
    'null',
    'true',
    'false',
    'never',
    'void',
  ],
  containers: ['Array', 'ReadonlyArray', 'Set', 'Promise', 'Readonly', 'NonNullable', 'Iterable', 'Partial'],
  texts: ['string', 'String'],
  results: [
    '^(?:Number|parseInt|parseFloat|Boolean|BigInt|isNaN|Date|(?:new )?Date)$',
    '^(?:Number|Date|Math|performance)\\.\\w+$|(?:^|\\.)(?:getTime|indexOf|lastIndexOf|charCodeAt|codePointAt|randomUUID)$',
    '(?:^|\\.)(?:getFullYear|getMonth|getDate|toISOString|findIndex|process\\.uptime|randomInt)$',
  ].join('|'),
  conversions: '^(?:String|Array\\.from|Array\\.of|Object\\.freeze)$',
  // Not `size`: that of a set is a number, that of a query parameter is not.
  members: ['length', 'byteLength'],
  castsAreErased: true,
  calculates: true,
}
