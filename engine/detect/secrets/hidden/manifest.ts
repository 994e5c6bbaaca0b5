import { measureReadable } from './runs.ts'
import { type Stretch, StretchMaker } from './stretch.ts'

const KIND = /^kind:[ \t]{0,4}["']?Secret["']?[ \t]*\r?$/m
const DATA = /^data:[ \t]*\r?\n((?:[ \t]+[^\n]*\n?|[ \t]*#[^\n]*\n?|\r?\n)*)/gm
const ENTRY = /^[ \t]+(["']?)([\w.-]{1,120})\1:[ \t]+["']?([A-Za-z0-9+/]{8,4000}={0,2})["']?[ \t]*(?:#.*)?\r?$/gm

/**
 * The values of Kubernetes Secrets in a manifest, each decoded and behind its own name: however short, what stands under `data` is in
 * base64 (API reference, Secret v1). Empty for anything else.
 */
export function decodeManifest(text: string): Stretch[] {
  const out: Stretch[] = []
  if (!KIND.test(text)) return out
  let from = 0
  for (const document of text.split(/^---/m)) {
    if (KIND.test(document)) {
      for (const data of document.matchAll(DATA)) {
        const block = from + data.index + data[0].length - data[1]!.length
        for (const entry of data[1]!.matchAll(ENTRY)) {
          const stretch = decodeEntry(text, block + entry.index, entry)
          if (stretch) out.push(stretch)
        }
      }
    }
    from += document.length + '---'.length
  }
  return out
}

function decodeEntry(text: string, at: number, [whole, , name = '', value = '']: RegExpExecArray): Stretch | undefined {
  const bytes = Buffer.from(value, 'base64')
  if (bytes.length === 0 || measureReadable(bytes) < bytes.length) return undefined
  const named = at + whole.indexOf(name)
  const valued = at + whole.indexOf(value, named - at + name.length)
  const maker = new StretchMaker(text)
  maker.copy(named, named + name.length)
  maker.copy(text.indexOf(':', named), text.indexOf(':', named) + 2)
  maker.decoded(bytes.toString('latin1').trimEnd(), valued, 3, 4, valued + value.length)
  return maker.done('base64')
}
