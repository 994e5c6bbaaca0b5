import type { Random } from './random.ts'
import { LANGUAGE_NAMES, nameFor, nestings, realFiles, ruleExamples, type Sample } from './samples.ts'

/** A file made up to hurt, and which kind of hurt. */
export interface Input {
  name: string
  kind: string
  bytes: Uint8Array
}

const INVALID = [
  [0xff],
  [0xc0, 0x80],
  [0xed, 0xa0, 0x80],
  [0xf4, 0x90, 0x80, 0x80],
  [0xe2, 0x82],
  [0x80],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
]

/** Makes inputs out of what really stands in files. */
export class InputMaker {
  readonly #random: Random
  readonly #examples: readonly Sample[]
  readonly #files: readonly Sample[]

  constructor(random: Random) {
    this.#random = random
    this.#examples = ruleExamples()
    this.#files = realFiles()
  }

  make(): Input {
    const random = this.#random
    const kind = random.pick(this.#names)
    const { name, text } = this.#sample()
    const made = this.#kinds[kind]!(text, name)
    return { name, kind, bytes: typeof made === 'string' ? new TextEncoder().encode(made) : made }
  }

  readonly #kinds: Record<string, (text: string, name: string) => string | Uint8Array> = {
    'random bytes': () => this.#random.bytes(this.#random.below(1 << this.#random.below(17))),
    'random text': () => this.#soup(this.#random.below(3000)),
    'cut off': (text: string) => text.slice(0, this.#random.below(text.length + 1)),
    'cut off bytes': (text: string) => {
      const bytes = new TextEncoder().encode(text)
      return bytes.slice(this.#random.below(20), this.#random.below(bytes.length + 1))
    },
    mutated: (text: string) => this.#mutate(new TextEncoder().encode(text)),
    'pieces swapped': (text: string) => this.#shuffle(text),
    'pieces of two languages': (text: string) => this.#splice(text, this.#sample().text),
    nested: (text: string, name: string) => this.#nest(text, name, this.#random.pick([50, 500, 5000])),
    'one long line': (text: string) => this.#repeat(text.replaceAll('\n', ' '), 1 << (14 + this.#random.below(6))),
    'many lines': (text: string) => this.#repeat(`${text}\n`, 1 << (14 + this.#random.below(6))),
    'invalid UTF-8': (text: string) => this.#insert(text, () => Uint8Array.from(this.#random.pick(INVALID))),
    NULs: (text: string) => this.#insert(text, () => new Uint8Array(1 + this.#random.below(3))),
    'UTF-16LE': (text: string) => utf16(text, false, false),
    'UTF-16BE': (text: string) => utf16(text, true, false),
    'UTF-16LE with mark': (text: string) => utf16(text, false, true),
    'UTF-16BE with mark': (text: string) => utf16(text, true, true),
    'UTF-16 cut off': (text: string) => {
      const bytes = utf16(text, this.#random.chance(0.5), true)
      return bytes.slice(0, this.#random.below(bytes.length))
    },
    'UTF-16 mutated': (text: string) => this.#mutate(utf16(text, false, true)),
    'strange characters': (text: string) =>
      this.#insert(text, () =>
        new TextEncoder().encode(
          this.#random.pick([
            '\u2028',
            '\u0085',
            '\u202e',
            '\ufeff',
            '\u{1f9ea}',
            '\r',
            '\v',
            '\u0000',
            'e\u0301',
            '\ufffe',
          ]),
        ),
      ),
  }

  readonly #names = Object.keys(this.#kinds)

  #sample(): Sample {
    const random = this.#random
    if (random.chance(0.65)) return random.pick(this.#examples)
    if (random.chance(0.6)) return random.pick(this.#files)
    const language = random.pick(LANGUAGE_NAMES)
    return { name: nameFor(language), language, text: random.pick(this.#examples).text }
  }

  /** Words and signs of programs in no order. */
  #soup(words: number): string {
    const parts: string[] = []
    const from = [this.#sample(), this.#sample()].flatMap(
      ({ text }) => text.slice(0, 4000).match(/\w+|\s+|[^\w\s]/g) ?? [],
    )
    for (let i = 0; i < words; i++) parts.push(this.#random.pick(from.length > 0 ? from : ['x']))
    return parts.join(this.#random.pick(['', ' ']))
  }

  #mutate(bytes: Uint8Array): Uint8Array {
    const random = this.#random
    const out = [...bytes]
    for (let i = 0; i < 1 + random.below(20) && out.length > 0; i++) {
      const at = random.below(out.length)
      const what = random.below(4)
      if (what === 0) out[at] = random.below(256)
      else if (what === 1) out.splice(at, random.below(20))
      else if (what === 2) out.splice(at, 0, ...random.bytes(random.below(8)))
      else out.splice(at, 0, ...out.slice(random.below(out.length)).slice(0, random.below(200)))
    }
    return Uint8Array.from(out)
  }

  #shuffle(text: string): string {
    const lines = text.split(/(?<=[\n;{}()])/)
    for (let i = lines.length - 1; i > 0; i--) {
      const other = this.#random.below(i + 1)
      ;[lines[i], lines[other]] = [lines[other]!, lines[i]!]
    }
    return lines.join('')
  }

  #splice(one: string, other: string): string {
    const at = this.#random.below(one.length + 1)
    return one.slice(0, at) + other + one.slice(at)
  }

  #nest(text: string, name: string, depth: number): string {
    const language = LANGUAGE_NAMES.find(language => nameFor(language) === name) ?? 'text'
    const [open, close] = this.#random.pick(nestings(language))
    const inner = this.#random.chance(0.5) ? text : '1'
    const closed = this.#random.chance(0.8) ? close.repeat(depth) : ''
    const nest = open.repeat(depth) + inner + closed
    return this.#random.chance(0.5) ? `${text}\n${nest}\n` : nest
  }

  #repeat(text: string, length: number): string {
    return text === '' ? 'x'.repeat(length) : text.repeat(Math.ceil(length / text.length)).slice(0, length)
  }

  #insert(text: string, piece: () => Uint8Array): Uint8Array {
    const bytes = new TextEncoder().encode(text)
    const parts: Uint8Array[] = []
    let from = 0
    for (let i = 0; i < 1 + this.#random.below(5); i++) {
      const to = from + this.#random.below(bytes.length - from + 1)
      parts.push(bytes.subarray(from, to), piece())
      from = to
    }
    parts.push(bytes.subarray(from))
    return Buffer.concat(parts)
  }
}

function utf16(text: string, big: boolean, mark: boolean): Uint8Array {
  const bytes = Buffer.from(mark ? `\ufeff${text}` : text, 'utf16le')
  return big ? bytes.swap16() : bytes
}
