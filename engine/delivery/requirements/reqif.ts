import type { SaxesTagPlain } from 'saxes'
import { addRequirement, mapStatus, type RequirementFile, type RequirementReader } from './model.ts'

/** Deeper elements than this are no ReqIF. */
const DEEPEST = 200

interface SpecObject {
  id: string
  line: number
  /** By the id of the attribute's definition: texts, and ids of enumeration values. */
  values: Map<string, { text: string; enums: string[] }>
}

/** Names that tools give to the attributes, in lower case without the prefix `reqif.`. */
const ID_NAMES = ['foreignid', 'id', 'uid', 'identifier', 'object identifier', 'reqid', 'requirement id']
const TITLE_NAMES = ['name', 'title', 'headline', 'short description']
const TEXT_NAMES = ['text', 'object text', 'description', 'statement', 'requirement text']
const STATUS_NAMES = ['status', 'state', 'foreignstate']

/**
 * Reads the specification objects of a ReqIF file (OMG ReqIF 1.2) as a stream. A document type declaration is refused, and no entity is followed.
 * An object that has a heading and no text is a chapter and no requirement; relations make the target the parent of the source.
 */
export const readReqif: RequirementReader = async (text, file) => {
  const { SaxesParser } = await import('saxes')
  const into: RequirementFile = { requirements: [], faults: [] }
  const parser = new SaxesParser({ xmlns: false, fileName: file })
  const document = new ReqifDocument(() => parser.line)
  let fault: string | undefined
  parser.on('doctype', () => {
    fault ??= 'The file has a document type declaration, which ReqIF does not need and svc does not read.'
  })
  parser.on('error', error => {
    fault ??= `The file is not XML (${error.message.replace(/^.*?\d+:\d+: /, '').slice(0, 200)}).`
  })
  parser.on('opentag', ({ name, attributes }: SaxesTagPlain) => {
    fault ??= document.open(localName(name), attributes)
  })
  parser.on('closetag', ({ name }) => document.close(localName(name)))
  parser.on('text', value => document.write(value))
  parser.on('cdata', value => document.write(value))
  // In pieces, so that nothing more is read once a fault is found.
  for (let at = 0; at < text.length && fault === undefined; at += 65_536) parser.write(text.slice(at, at + 65_536))
  if (fault === undefined) parser.close()
  if (fault !== undefined)
    return { requirements: [], faults: [{ kind: 'invalid', file, line: parser.line, message: fault }] }
  document.addTo(into, file)
  return into
}

class ReqifDocument {
  readonly #line: () => number
  readonly #path: string[] = []
  readonly #names = new Map<string, string>()
  readonly #enums = new Map<string, string>()
  readonly #objects: SpecObject[] = []
  readonly #relations: { source: string; target: string }[] = []
  #object: SpecObject | undefined
  #relation: { source: string; target: string } | undefined
  #value: { definition: string; text: string; enums: string[] } | undefined
  #reference = ''

  constructor(line: () => number) {
    this.#line = line
  }

  /** Reads the beginning of an element; the sentence is a fault. */
  open(name: string, attributes: Readonly<Record<string, string>>): string | undefined {
    if (this.#path.length === 0 && name !== 'REQ-IF') return `The root is <${name.slice(0, 60)}> instead of <REQ-IF>.`
    if (this.#path.length > DEEPEST) return `The elements are nested deeper than ${DEEPEST} levels.`
    this.#path.push(name)
    const id = attributes.IDENTIFIER ?? ''
    if (name.startsWith('ATTRIBUTE-DEFINITION-') && attributes['LONG-NAME'] !== undefined)
      this.#names.set(id, attributes['LONG-NAME'].toLowerCase().replace(/^reqif\./, ''))
    else if (name === 'ENUM-VALUE') this.#enums.set(id, attributes['LONG-NAME'] ?? '')
    else if (name === 'SPEC-OBJECT') this.#object = { id, line: this.#line(), values: new Map() }
    else if (name === 'SPEC-RELATION') this.#relation = { source: '', target: '' }
    else if (name.startsWith('ATTRIBUTE-VALUE-') && this.#object)
      this.#value = { definition: '', text: attributes['THE-VALUE'] ?? '', enums: [] }
    else if (this.#value && /^(?:p|br|div|li|tr|h\d)$/.test(name) && this.#value.text !== '') this.#value.text += '\n'
    if (name.endsWith('-REF')) this.#reference = ''
    return undefined
  }

  write(text: string): void {
    const name = this.#path.at(-1) ?? ''
    if (name.endsWith('-REF')) this.#reference += text
    else if (this.#value && this.#path.includes('THE-VALUE')) this.#value.text += text
  }

  close(name: string): void {
    this.#path.pop()
    const parent = this.#path.at(-1)
    if (name.endsWith('-REF')) {
      const id = this.#reference.trim()
      if (this.#value && name.startsWith('ATTRIBUTE-DEFINITION-')) this.#value.definition = id
      else if (this.#value && name === 'ENUM-VALUE-REF') this.#value.enums.push(id)
      else if (this.#relation && parent === 'SOURCE') this.#relation.source = id
      else if (this.#relation && parent === 'TARGET') this.#relation.target = id
    } else if (name.startsWith('ATTRIBUTE-VALUE-') && this.#value) {
      this.#object?.values.set(this.#value.definition, this.#value)
      this.#value = undefined
    } else if (name === 'SPEC-OBJECT' && this.#object) {
      this.#objects.push(this.#object)
      this.#object = undefined
    } else if (name === 'SPEC-RELATION' && this.#relation) {
      this.#relations.push(this.#relation)
      this.#relation = undefined
    }
  }

  addTo(into: RequirementFile, file: string): void {
    const read = this.#objects.map(object => ({ object, fields: this.#readFields(object) }))
    const ids = new Map(
      read.map(({ object, fields }) => [object.id, (pick(fields, ID_NAMES) || object.id).replace(/\s+/g, '-')]),
    )
    const parents = new Map<string, Set<string>>()
    for (const { source, target } of this.#relations) {
      const parent = ids.get(target)
      if (parent === undefined || source === target) continue
      const known = parents.get(source)
      if (known) known.add(parent)
      else parents.set(source, new Set([parent]))
    }
    for (const { object, fields } of read) {
      const title = pick(fields, TITLE_NAMES)
      const description = pick(fields, TEXT_NAMES)
      if (description === '' && (title === '' || pick(fields, ['chaptername']) !== '')) continue
      addRequirement(
        into,
        { file, line: object.line, format: 'reqif' },
        {
          id: ids.get(object.id)!,
          title: title || description,
          description,
          status: mapStatus(pick(fields, STATUS_NAMES)),
          parent: [...(parents.get(object.id) ?? [])],
          source: { provider: 'reqif', key: object.id },
        },
      )
    }
  }

  #readFields({ values }: SpecObject): Map<string, string> {
    const fields = new Map<string, string>()
    for (const [definition, { text, enums }] of values) {
      const name = this.#names.get(definition)
      const value = enums.length > 0 ? enums.map(each => this.#enums.get(each) ?? '').join(', ') : text
      if (name !== undefined)
        fields.set(
          name,
          value
            .replace(/[ \t]+/g, ' ')
            .replace(/\s*\n\s*/g, '\n')
            .trim(),
        )
    }
    return fields
  }
}

function pick(fields: ReadonlyMap<string, string>, names: readonly string[]): string {
  for (const name of names) {
    const value = fields.get(name)
    if (value) return value
  }
  return ''
}

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}
