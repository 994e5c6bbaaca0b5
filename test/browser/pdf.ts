import { inflateSync } from 'node:zlib'

/** What a PDF of the browser says: the text of each page, without white space, since a PDF places glyphs rather than words. */
export interface ReadPdf {
  pages: string[]
}

/** Reads a PDF as Chromium writes it: objects in plain text, streams deflated, fonts by glyph with a map to Unicode. */
export function readPdf(bytes: Uint8Array): ReadPdf {
  const text = Buffer.from(bytes).toString('latin1')
  const objects = new Map<string, string>()
  for (const [, id, body] of text.matchAll(/(\d+) 0 obj\n([\s\S]*?)\nendobj/g)) objects.set(id!, body!)
  const streamOf = (id: string): string => {
    const body = objects.get(id) ?? ''
    const at = /stream\r?\n/.exec(body)
    if (!at) return ''
    const raw = body.slice(at.index + at[0].length, body.lastIndexOf('endstream'))
    return body.includes('/FlateDecode') ? inflateSync(Buffer.from(raw, 'latin1')).toString('latin1') : raw
  }
  const fonts = new Map<string, Map<number, string>>()
  const mapOf = (font: string): Map<number, string> => {
    const known = fonts.get(font)
    if (known) return known
    const id = /\/ToUnicode (\d+) 0 R/.exec(objects.get(font) ?? '')?.[1]
    const map = id === undefined ? new Map<number, string>() : readMap(streamOf(id))
    fonts.set(font, map)
    return map
  }
  const resourcesOf = (page: string): string => {
    const id = /\/Resources (\d+) 0 R/.exec(page)?.[1]
    return id === undefined ? page : (objects.get(id) ?? '')
  }
  const pages = [...objects.values()]
    .filter(body => /\/Type \/Page\b(?!s)/.test(body))
    .map(page => {
      const names = new Map<string, string>()
      const listed = /\/Font <<([\s\S]*?)>>/.exec(resourcesOf(page))?.[1] ?? ''
      for (const [, name, id] of listed.matchAll(/\/(\w+) (\d+) 0 R/g)) names.set(name!, id!)
      const content = /\/Contents (\d+) 0 R/.exec(page)?.[1]
      return content === undefined ? '' : readText(streamOf(content), name => mapOf(names.get(name) ?? ''))
    })
  return { pages }
}

/** The characters that a content stream shows, in its order. */
function readText(stream: string, mapOf: (font: string) => Map<number, string>): string {
  let map = new Map<number, string>()
  let shown = ''
  for (const [, font, array, single] of stream.matchAll(/\/(\w+) [\d.]+ Tf|\[([^\]]*)\] ?TJ|(<[0-9A-Fa-f]+>) ?Tj/g)) {
    if (font !== undefined) map = mapOf(font)
    for (const [, hex] of (array ?? single ?? '').matchAll(/<([0-9A-Fa-f]+)>/g))
      for (const [code] of hex!.matchAll(/.{4}/g)) shown += map.get(Number.parseInt(code, 16)) ?? '\uFFFD'
  }
  return shown.normalize('NFKC').replace(/\s+/g, '')
}

/** Glyphs to characters, of a ToUnicode map. */
function readMap(stream: string): Map<number, string> {
  const map = new Map<number, string>()
  const decode = (hex: string) =>
    String.fromCharCode(...[...hex.matchAll(/.{4}/g)].map(([unit]) => Number.parseInt(unit, 16)))
  for (const [, rows] of stream.matchAll(/beginbfchar([\s\S]*?)endbfchar/g))
    for (const [, glyph, to] of rows!.matchAll(/<([0-9A-Fa-f]+)> ?<([0-9A-Fa-f]+)>/g))
      map.set(Number.parseInt(glyph!, 16), decode(to!))
  for (const [, rows] of stream.matchAll(/beginbfrange([\s\S]*?)endbfrange/g))
    for (const [, from, last, to] of rows!.matchAll(/<([0-9A-Fa-f]+)> ?<([0-9A-Fa-f]+)> ?<([0-9A-Fa-f]+)>/g)) {
      const start = Number.parseInt(from!, 16)
      for (let glyph = start; glyph <= Number.parseInt(last!, 16); glyph++)
        map.set(glyph, String.fromCharCode(Number.parseInt(to!, 16) + glyph - start))
    }
  return map
}
