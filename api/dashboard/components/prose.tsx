/** A part of a text: a paragraph, whose every second piece is code, or a block of code. */
export type ProsePart = { kind: 'paragraph'; pieces: string[] } | { kind: 'block'; code: string }

/** Takes a text apart at its blocks of code: fenced, or indented by four spaces, as rules write their remediation. */
export function parseProse(text: string): ProsePart[] {
  return text.split(/^```.*$/m).flatMap((part, index) => (index % 2 === 1 ? [block(part)] : parseParagraphs(part)))
}

function parseParagraphs(text: string): ProsePart[] {
  return text
    .split(/\n{2,}/)
    .filter(paragraph => paragraph.trim() !== '')
    .map(paragraph =>
      isIndented(paragraph) ? block(paragraph) : { kind: 'paragraph', pieces: paragraph.trim().split(/`([^`\n]+)`/) },
    )
}

function block(text: string): ProsePart {
  const code = isIndented(text) ? text.replace(/^ {4}/gm, '') : text
  return { kind: 'block', code: code.replace(/^\n+|\n+$/g, '') }
}

function isIndented(paragraph: string): boolean {
  return paragraph.split('\n').every(line => line === '' || line.startsWith('    '))
}

/** Prose with `code` in it, and blocks of code. */
export function Prose({ text }: { text: string }) {
  return (
    <div class="prose">
      {parseProse(text).map((part, at) =>
        part.kind === 'block' ? (
          <pre key={at}>
            <code>{part.code}</code>
          </pre>
        ) : (
          <p key={at}>
            {part.pieces.map((piece, index) => (index % 2 === 1 ? <code key={index}>{piece}</code> : piece))}
          </p>
        ),
      )}
    </div>
  )
}
