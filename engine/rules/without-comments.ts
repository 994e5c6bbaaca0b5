/** Languages in which comments stand between the same signs as in C. */
const LIKE_C = new Set([
  'c',
  'cpp',
  'csharp',
  'go',
  'java',
  'javascript',
  'kotlin',
  'php',
  'rust',
  'scala',
  'swift',
  'tsx',
  'typescript',
])

/** Texts within which no comment begins, and comments. What is not closed goes on to the end, of the line or of all, so that nothing is read twice. */
const PARTS =
  /R"([^()\\\s]{0,16})\([\s\S]*?(?:\)\1"|(?![\s\S]))|"(?:[^"\\\n]|\\[\s\S])*"?|'(?:[^'\\\n]|\\[\s\S])*'?|`[^`]*`|\/\*[\s\S]*?(?:\*\/|(?![\s\S]))|\/\/[^\n]*/g

/**
 * The text with a space for each comment, in time linear to it; as it is in a language that writes them another way. Where a text is
 * written as no program would be (`` ` `` alone, a regular expression with quotes) a comment may stay, or code go: for a second look only.
 */
export function withoutComments(language: string, text: string): string {
  if (!LIKE_C.has(language)) return text
  return text.replace(PARTS, part => (part.startsWith('/') ? ' ' : part))
}
