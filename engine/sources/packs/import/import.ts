import { EngineError } from '../../../base/errors.ts'
import { refusePack } from '../parse.ts'
import { convertAstGrepRules, isAstGrepRule, isAstGrepTest } from './ast-grep.ts'
import { convertCodeqlModels, isCodeql } from './codeql.ts'
import { type Draft, makeSlug, PACK_FORMATS, type PackFormat } from './draft.ts'
import { isMap, isPack, makeOwnDraft } from './own.ts'
import { convertSemgrepRules, isSemgrep } from './semgrep.ts'
import type { Source, SourceDocument } from './source.ts'

/**
 * The draft of a source. The format is told by its documents, unless it is named. Foreign rules become a pack that is
 * called `id`, else as the source is. PACK_INVALID where no format fits.
 */
export function makeDraft(source: Source, asked: { id?: string; format?: PackFormat }): Draft {
  const format = asked.format ?? formatOf(source.documents)
  if (format === 'svc') return makeOwnDraft(source, asked.id)
  const id = asked.id ?? (makeSlug(source.name) || format)
  const [first] = source.documents
  const taken: Pick<Draft, 'rules' | 'libraries' | 'left_out'> = { rules: [], libraries: [], left_out: [] }
  if (format === 'ast-grep') Object.assign(taken, convertAstGrepRules(source.documents, id))
  else if (format === 'codeql') Object.assign(taken, convertCodeqlModels(source.documents))
  else
    for (const document of source.documents) {
      if (!isSemgrep(document.data)) continue
      const { rules, left_out } = convertSemgrepRules(document, id)
      taken.rules.push(...rules)
      taken.left_out.push(...left_out)
    }
  if (taken.rules.length + taken.libraries.length + taken.left_out.length === 0)
    throw new EngineError(
      'PACK_INVALID',
      `${first!.file} contains no ${format === 'codeql' ? 'row' : 'rule'} of ${format}.`,
    )
  const parts = [...taken.rules, ...taken.libraries]
  const languages = [...new Set(parts.flatMap(({ data }) => data.languages as string[]))].sort()
  const head = {
    id,
    version: '1.0.0',
    name: id,
    description: `${format === 'codeql' ? 'Libraries' : 'Rules'} imported from ${format}.`,
    languages,
  }
  return { format, head, file: first!.file, place: first!.place, ...taken }
}

function formatOf(documents: readonly SourceDocument[]): PackFormat {
  const has = (test: (data: unknown) => boolean) => documents.some(({ data }) => test(data))
  if (has(isPack)) return 'svc'
  if (has(isAstGrepRule)) return 'ast-grep'
  if (has(isSemgrep)) return 'semgrep'
  if (has(isCodeql)) return 'codeql'
  if (has(data => isMap(data) && 'type' in data && !isAstGrepTest(data))) return 'svc'
  const [first] = documents
  throw refusePack(first?.file ?? 'the source', [
    {
      message: `no format that packs are imported from (${PACK_FORMATS.join(', ')}) fits; a pack has id, version, name and rules`,
      place: first?.place([], 'value'),
    },
  ])
}
