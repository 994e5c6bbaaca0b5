import type { Candidate } from './candidates.ts'
import { detectCommonPassword } from './chosen-passwords.ts'
import { describeShape } from './shape.ts'
import { splitName } from './words-of.ts'

/**
 * What the model sees of a candidate: named numbers, nearly all from 0 to 1, those that are 0 left out. Neither path nor file name is
 * among them: what stands in a test may be a credential.
 */
export function computeFeatures(candidate: Candidate): Record<string, number> {
  const { sense, link, writing, text, name, quote } = candidate
  const shape = describeShape(text, name)
  const out: Record<string, number> = { bias: 1 }
  const set = (key: string, value: number | boolean) => {
    const number = Number(value)
    if (number !== 0) out[key] = number
  }
  const { length } = shape
  const letters = (shape.upper + shape.lower) / length
  const wordy = Math.min(1.5, Math.max(-1, (4.4 - shape.surprise) / 1.2))
  const random = Math.max(0, Math.min(1.5, (shape.surprise - 4.2) / 1.2))
  const total = shape.entropy * length

  set(`kind:${candidate.kind}`, 1)
  set('name:strength', sense.strength)
  set('name:weak', sense.strength < 0.5)
  set('name:goes_on', !sense.last)
  set('name:other', sense.other)
  set('name:exact', name.length <= 10 && sense.last)
  set(`link:${link}`, 1)
  set(`writing:${writing}`, 1)
  set('place:bare', quote === '' && link !== 'url' && link !== 'command')
  set('place:text', candidate.inText)
  set('place:comment', candidate.inComment)
  set('place:wrapped', candidate.wrapped)

  set('length:short', length < 6)
  set('length:tiny', length < 4)
  set('length:word', length >= 6 && length < 12)
  set('length:key', length >= 16 && length <= 64)
  set('length:long', length > 100)
  set('length:huge', length > 300)
  set('digits', Math.min(1, shape.digits / length))
  set('digits:some', shape.digits > 0)
  set('digits:inside', /[A-Za-z]\d+[A-Za-z]/.test(text))
  set('upper:mixed', shape.upper > 0 && shape.lower > 0 && !/^[A-Z][a-z]+$/.test(text))
  set('special:some', /[!#$%^&*@~?]/.test(text) && shape.spaces === 0)
  set('special:share', shape.special / length)
  set('classes', shape.classes / 4)
  set('entropy', Math.min(1, total / 128))
  set('entropy:rate', shape.entropy / 6)
  set('words:wordy', wordy * letters)
  set('words:random', random * letters)
  set('words:random_long', random * letters * Number(length >= 12))
  set('words:mixed_random', random * letters * Number(shape.digits > 0))
  set('words:one', shape.words === 1 && letters === 1)
  set('words:many', Math.min(1, Math.max(0, shape.words - 2) / 4) * Math.max(0, wordy))
  set('spaces', Math.min(1, shape.spaces / 3))
  set('sentence', shape.sentence)
  set('foreign', shape.foreign)
  set('markup', shape.markup)
  set('hex:key', shape.hex && length >= 16 && length % 2 === 0)
  set('hex:hash', shape.hex && (length === 32 || length === 40 || length === 64))
  set('hex:short', shape.hex && length < 16)
  set('base64', shape.base64 && shape.surprise > 4.4)
  set('uuid', shape.uuid)
  set('template', shape.template)
  set('reference', shape.reference)
  set('url', shape.url)
  set('path', shape.path)
  set('file', shape.file)
  set('date', shape.date)
  set('number', shape.number)
  set('number:short', shape.number && length < 6)
  set('walk', shape.walk)
  set('repeat', shape.repeat >= 4)
  set('sequence', shape.sequence >= 5)
  set('identifier', shape.identifier && shape.special + shape.digits < length / 3)
  set('identifier:camel', /^[a-z]+(?:[A-Z][a-z]+)+$/.test(text))
  set('identifier:upper', /^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+$/.test(text))
  set('identifier:kebab', /^[a-z]+(?:[-_][a-z]+)+$/.test(text) && shape.surprise < 4.8)
  set('identifier:title', /^[A-Z][a-z]+$/.test(text))
  set('dotted', shape.dotted)
  set('ends_colon', /[:?]$/.test(text))
  set('stand_in', shape.standIn)
  set('stand_in:share', shape.standInShare)
  // Of a login the name is that of its user: the same word twice is how many are set up.
  const ofLogin = link === 'url' || link === 'login'
  set('same_as_name', shape.sameAsName && !ofLogin)
  set('same_as_user', shape.sameAsName && ofLogin)
  const isKebab = /^[a-z]{2,}(?:[-_][a-z]{2,}){1,6}$/.test(text) && shape.standInShare === 0
  set('kebab:words', candidate.kind === 'password' && isKebab)
  set('url:word', link === 'url' && isWord(text) && !shape.standIn && !STAND_IN_USER.test(name))
  set('url:named', link === 'url' && !STAND_IN_USER.test(name) && !shape.standIn)
  set('within_name', !shape.sameAsName && isWithin(text, name))
  set('contains_name', shape.containsName)
  set('example', /example|placeholder|your|change.?me|replace|insert|dummy|redact|xxxx|\.\.\.|<.+>/i.test(text))
  const strong = sense.strength >= 0.8 && sense.last && !sense.other
  const oneWord = isWord(text)
  set('vocabulary', shape.vocabulary)
  set('vocabulary:one', oneWord && shape.vocabulary === 1)
  set('vocabulary:numbered', /^[a-z]+\d{1,4}$/i.test(text) && shape.vocabulary === 1)
  set('name:strong', strong)
  set('name:strong_word', strong && oneWord && shape.vocabulary === 0)
  set('name:strong_made', strong && shape.digits > 0 && letters > 0 && shape.spaces === 0)
  const common = detectCommonPassword(text)
  const isPassword = candidate.kind === 'password' || candidate.kind === 'url'
  set('common:word', isPassword && common === 'word')
  set('common:changed', isPassword && common === 'changed')
  set('common:strong', isPassword && strong && common !== undefined && !shape.sameAsName)
  // Words run together with what it is: `novapass`, `supersecret`, `password123`.
  const joined = isPassword && strong && shape.containsName && !shape.sameAsName
  set('joined:own', joined && /^[a-z]{6,}$/.test(text) && (!shape.standIn || EMPHATIC.test(text)))
  set('joined:stand_in', joined && /^[a-z]{6,}$/.test(text) && (STAND_IN_BEGINNING.test(text) || /here$/.test(text)))
  set('joined:numbered', joined && /^[a-z]{4,}\d{1,4}$/.test(text))
  set('name:negative', /wrong|bad|invalid|incorrect|fake|dummy|expected/i.test(name))
  set('name:plural', /s$/i.test(name) && !/pass$/i.test(name))
  set('name:upper', /^[A-Z][A-Z0-9_]+$/.test(name))
  set('name:long', Math.min(1, Math.max(0, splitName(name).length - 3) / 3))
  set('negative', /wrong|bad|invalid|incorrect|fake|dummy|not?[-_ ]?(?:a|real|the)/i.test(text))
  set('begins_sign', /^[^A-Za-z0-9$"'({[<!@#%^&*+]/.test(text))
  set('ends_sign', /[,;:.)(\]}/>\\-]$/.test(text))
  set('lines', text.includes('\n'))
  set('escaped', /\\[xuU]|%[0-9A-F]{2}/.test(text))
  set('crypt', /^\$(?:\d|2[aby]|apr1|argon2\w*|y|pbkdf2[\w-]*)\$/.test(text))
  set('pem', text.includes('-----BEGIN'))
  set('other:random', Number(sense.other) * random)
  set('name:id', /id\d?$/i.test(name))
  set('bare:number', quote === '' && shape.number)
  set('kebab', /^[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)+$/.test(text))
  set('kebab:known', /^[A-Za-z0-9]+(?:[-_.][A-Za-z0-9]+)+$/.test(text) && shape.vocabulary > 0.5)
  set('title', /^[A-Z][a-z\u00e0-\u017f]+$/.test(text))
  set('phrase', strong && shape.spaces > 0 && shape.spaces < 4)
  set('phrase:small', strong && quote !== '' && /^[a-z]+(?:[ _-][a-z]+){1,4}$/.test(text) && shape.spaces > 0)
  set('login:word', link === 'login' && oneWord && shape.vocabulary < 1)
  set('salt:nonce', /nonce/i.test(name))
  set('phrase:title', shape.spaces > 0 && /^[A-Z]/.test(text))
  // A saying: no name of a thing in a program has such words in its middle.
  const said = sense.strength >= 0.6 && sense.last && !sense.other && isSaying(text)
  set('saying', said)
  set('saying:joined', said && shape.spaces === 0)
  set('saying:key', said && !isPassword && shape.spaces === 0)
  set('kebab:key', strong && !isPassword && isKebab)
  set('env:word', strong && isPassword && quote === '' && link === 'assign' && oneWord && shape.vocabulary === 0)
  const { around } = candidate
  set('around:login', Math.min(2, around.login) / 2)
  set('around:user', around.user)
  set('around:user_stand_in', around.user && strong && isPassword && shape.standInShare > 0 && !shape.sameAsName)
  set('around:same_user', isPassword && around.sameUser && !shape.sameAsName)
  set(
    'around:user_short',
    around.user && strong && isPassword && quote !== '' && length < 6 && shape.standInShare === 0,
  )
  set('around:login_word', strong && oneWord && around.login > 0)
  set('around:phrases', around.phrases)
  set('around:phrases_word', around.phrases * Number(letters > 0.9))
  set('around:name', around.isName)
  set('around:vector', around.isVector)
  set('around:goes_on', around.goesOn && (writing === 'prose' || writing === 'code' || candidate.inComment))
  // Some things mean different things of different names.
  const kind =
    candidate.kind === 'url' || candidate.kind === 'password' ? 'password' : candidate.kind === 'salt' ? 'salt' : 'key'
  set(`${kind}:${link}`, 1)
  set(`${kind}:vocabulary`, shape.vocabulary)
  set(`${kind}:bare`, quote === '' && link !== 'url' && link !== 'command')
  set(`${kind}:number`, shape.number)
  set(`${kind}:path`, shape.path || shape.file || shape.url)
  set(`${kind}:identifier`, shape.identifier)
  set(`${kind}:random`, random * letters)
  set(`${kind}:word`, Math.max(0, wordy) * Number(letters > 0.8))
  set(`${kind}:short`, length < 8)
  set(
    `${kind}:weak_name_random`,
    Number(sense.strength < 0.5) * Number(total > 60) * Math.max(random, Number(shape.hex)),
  )
  return out
}

/** One word of letters, a capital at its beginning at most. */
function isWord(text: string): boolean {
  return /^[A-Za-z]?[a-z]{3,}$/.test(text)
}

/** What joins words into something said. */
const JOINING =
  /^(?:the|of|your|our|to|is|are|in|under|on|at|it|its|and|for|with|by|be|so|all|no|we|you|i|do|dont|never|always|very|extremely|keep|let|hard|easily|too|many|much|this|that|as|was)$/

/** Whether a text is three words and more, blanks or hyphens between them or capitals at their beginnings, and words join them. */
function isSaying(text: string): boolean {
  const words = splitName(text)
  if (words.length < 3 || words.length > 12 || !/^[A-Za-z][\w ,.!?'’-]*$/.test(text)) return false
  // What it says of itself: `IAmAToken`, `this_is_a_secret`.
  if (/^(?:i|this|it|that) (?:am|is) (?:a|an|the|my|your)\b.*(?:token|password|secret|key)$/.test(words.join(' ')))
    return false
  return words.slice(0, -1).some(word => JOINING.test(word))
}

/** How people stress that something is secret. */
const EMPHATIC = /^(?:super|very|top|ultra|extra|really|s{2,}h)+/
/** Words before "password" by which a text says that another one comes in its place. */
const STAND_IN_BEGINNING =
  /^(?:my|your|their|some|any|the|a|an|new|old|no|not|bad|wrong|invalid|foo|bar|baz|auth|example|existing|option|proxy|fake|dummy)(?:gmail|secret|secure|own)?(?:pass|secret|token|pw|key)/
/** Users that nobody is. */
const STAND_IN_USER = /^(?:(?:my|your|some|the)?[-_]?(?:user|username|login|name|foo|test|u|x+)|)\d*$/i

/** Whether the letters of a value stand in the name in their order, and are most of it: `iopassword` under `IoCredPassword`. */
function isWithin(value: string, name: string): boolean {
  const folded = value.toLowerCase().replace(/[^a-z]/g, '')
  const inName = name.toLowerCase().replace(/[^a-z]/g, '')
  if (folded.length < 4 || folded.length * 2 < inName.length || !/^[A-Za-z._-]+$/.test(value)) return false
  let at = 0
  for (const char of inName) if (char === folded[at]) at++
  return at === folded.length
}
