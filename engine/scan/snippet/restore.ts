import type { Finding } from '../../base/records/finding.ts'
import type { Insertion } from '../../detect/snippets/insertion.ts'

type Span = Pick<Finding, 'line' | 'column' | 'end_line' | 'end_column'>

/** The finding at its place in the code without the lines that were put in; undefined for one that is about these. */
export function restoreFinding(finding: Finding, inserted: Insertion): Finding | undefined {
  const span = restoreSpan(finding, inserted)
  if (!span) return undefined
  const { fix: written, flow: steps, ...rest } = finding
  const snippet = span.line === inserted.parted ? `${inserted.prefix}${finding.snippet}` : finding.snippet
  const flow = steps?.flatMap(step => {
    const place = step.file === finding.file ? restoreSpan(step, inserted) : {}
    return place ? { ...step, ...place } : []
  })
  const edits = written?.edits.flatMap(edit => restoreEdit(edit, inserted) ?? [])
  return {
    ...rest,
    ...span,
    snippet,
    ...(flow && flow.length > 0 && { flow }),
    // Half of a fix is none.
    ...(edits && edits.length === written!.edits.length && { fix: { edits } }),
  }
}

function restoreSpan({ line, column, end_line, end_column }: Span, { restore }: Insertion): Span | undefined {
  const start = restore({ line, column })
  const end = restore({ line: end_line, column: end_column })
  return start && end && { ...start, end_line: end.line, end_column: end.column }
}

type Edit = NonNullable<Finding['fix']>['edits'][number]

function restoreEdit(edit: Edit, inserted: Insertion): Edit | undefined {
  const span = restoreSpan({ ...edit, line: edit.start_line, column: edit.start_column }, inserted)
  if (!span) return undefined
  const { line, column, end_line, end_column } = span
  return { start_line: line, start_column: column, end_line, end_column, text: edit.text }
}
