import { SaxesParser } from 'saxes'
import { ManifestFault } from '../parsed.ts'

export interface XmlElement {
  /** Without its prefix. */
  name: string
  attributes: Record<string, string>
  children: XmlElement[]
  /** All text directly in it, trimmed. */
  text: string
  line: number
}

/** Levels of elements that any manifest has, and many more. */
const DEEPEST = 100

/**
 * The elements of an XML text. Entities that a document defines itself are refused, since nested ones grow without end; so are two
 * roots and a missing one. Throws ManifestFault with the line.
 */
export function readXml(text: string): XmlElement {
  const parser = new SaxesParser()
  const open: XmlElement[] = []
  let root: XmlElement | undefined
  let fault: ManifestFault | undefined
  // The parser goes on after an error and calls for each one that follows; the first is the cause.
  const refuse = (message: string) => {
    fault ??= new ManifestFault(message, parser.line)
  }
  parser.on('error', error => refuse(`invalid XML: ${error.message.replace(/^[\d:.]+:\s*/, '')}`))
  parser.on('doctype', doctype => {
    if (/<!ENTITY/i.test(doctype)) refuse('the document defines entities, which is refused')
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (fault) return
    if (open.length >= DEEPEST) return refuse(`elements are nested more than ${DEEPEST} levels deep`)
    const element = { name: withoutPrefix(name), attributes, children: [], text: '', line: parser.line }
    const parent = open.at(-1)
    if (parent) parent.children.push(element)
    else root ??= element
    open.push(element)
  })
  const addText = (content: string) => {
    const element = open.at(-1)
    if (element) element.text += content
  }
  parser.on('text', addText)
  parser.on('cdata', addText)
  parser.on('closetag', () => {
    const element = open.pop()
    if (element) element.text = element.text.trim()
  })
  for (let at = 0; at < text.length && !fault; at += PIECE) parser.write(text.slice(at, at + PIECE))
  if (!fault) parser.close()
  if (fault) throw fault
  if (root === undefined) throw new ManifestFault('the file has no XML element')
  return root
}

/** Characters between two checks for an error. */
const PIECE = 1 << 16

function withoutPrefix(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** The first child of that name. */
export function findChild(element: XmlElement | undefined, name: string): XmlElement | undefined {
  return element?.children.find(child => child.name === name)
}

/** The text of the first child of that name; undefined where there is none, or it is empty. */
export function readChild(element: XmlElement | undefined, name: string): string | undefined {
  return findChild(element, name)?.text || undefined
}

/** The grandchildren: `listItems(project, 'dependencies', 'dependency')`. */
export function listItems(element: XmlElement | undefined, list: string, item: string): XmlElement[] {
  return (element?.children ?? [])
    .filter(child => child.name === list)
    .flatMap(child => child.children.filter(({ name }) => name === item))
}

/** All elements of that name below one, in the order of the document. */
export function* findAll(element: XmlElement, name: string): Generator<XmlElement> {
  for (const child of element.children) {
    if (child.name === name) yield child
    yield* findAll(child, name)
  }
}
