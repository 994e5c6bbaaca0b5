/** Languages whose files are written with blocks of a template language in them, and read once those are blanked. */
const ANYWHERE: ReadonlySet<string> = new Set(['yaml', 'dockerfile'])
/** Suffixes that say so of any file that is code or settings. */
const SUFFIX = /\.(?:j2|jinja2?|tftpl|tpl|gotmpl|tmpl|template|erb)$/i
const TERRAFORM = /\.tftpl$/i

/** Blocks of Go and Jinja, neither the expressions of GitHub nor the references of CloudFormation, which are values of YAML; of ERB. */
const BLOCK = /(?<!\$)\{\{(?!resolve:)[\s\S]*?\}\}|\{%[\s\S]*?%\}|\{#(?=[\s-])[\s\S]*?#\}|<%[\s\S]*?%>/g
/** Those of Terraform's templates; a `${…}` is left, which HCL and the shell know. */
const DIRECTIVE = /%\{[^{}\n]*\}/g

/** What only steers: it gives no text. An `include` gives some. */
const STEERS =
  /^(?:\{\{-?\s*(?:(?:if|else|end|range|with|define|block|break|continue)\b|\/\*|\$\w*\s*(?:,\s*\$\w+\s*)?:?=)|\{%|\{#|<%(?!=)|%\{)/

/**
 * The text with each block of a template language blanked, as long as before and line for line: what steers, and what stands alone in its
 * line, becomes spaces; an expression among other text becomes one word that begins with `$`, as of a variable whose value nobody knows.
 * Both branches of a condition stay. Undefined where the file is of no such form or has no block.
 */
export function blankTemplate(language: string, path: string, text: string): string | undefined {
  if (!ANYWHERE.has(language) && !SUFFIX.test(path)) return undefined
  const isOfTerraform = TERRAFORM.test(path)
  if (!(text.includes('{{') || text.includes('{%') || text.includes('<%') || (isOfTerraform && text.includes('%{'))))
    return undefined
  const blanked = text.replace(BLOCK, (block: string, at: number) =>
    STEERS.test(block) || standsAlone(text, at, at + block.length) ? spaces(block) : word(block),
  )
  const out = isOfTerraform ? blanked.replace(DIRECTIVE, spaces) : blanked
  return out === text ? undefined : out
}

/** The text with comments of the template language as comments of lines that begin with `#`, for what is said in them. */
export function restoreTemplateComments(text: string): string {
  return text.replace(
    /(\{\{-?\s*\/\*|\{#-?|<%#)([\s\S]*?)(\*\/\s*-?\}\}|-?#\}|-?%>)/g,
    (_, open: string, inner: string, close: string) =>
      `${' '.repeat(open.length - 1)}#${inner.replace(/\n./g, '\n#')}${' '.repeat(close.length)}`,
  )
}

/** Whether the lines hold nothing beside the block. */
function standsAlone(text: string, start: number, end: number): boolean {
  let from = start - 1
  while (text[from] === ' ' || text[from] === '\t') from--
  if (from >= 0 && text[from] !== '\n') return false
  let to = end
  while (text[to] === ' ' || text[to] === '\t' || text[to] === '\r') to++
  return to >= text.length || text[to] === '\n'
}

function spaces(block: string): string {
  return block.replace(/[^\r\n]/g, ' ')
}

/** One word in the block's first line; nothing of it is a digit, a quote or a letter. */
function word(block: string): string {
  const end = block.search(/[\r\n]/)
  if (end < 0) return `$${'_'.repeat(block.length - 1)}`
  return `$${'_'.repeat(end - 1)}${spaces(block.slice(end))}`
}
