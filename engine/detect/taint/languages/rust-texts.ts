import { unescapeText } from './tree.ts'

/** What a text in quotes says, be it of characters or of bytes. */
export function readText(written: string): string {
  return unescapeText(written.replace(/^[bc]?"|"$/g, '').replace(/\\\r?\n\s*/g, ''))
}
