import type { ThreatDocument } from './assess.ts'
import { drawHtml } from './draw-html.ts'
import { drawMermaid } from './draw-mermaid.ts'
import { writeOpenThreatModel } from './open-threat-model.ts'
import { writeThreatDragon } from './threat-dragon.ts'

/** What a threat model can be written as. */
export const EXPORT_FORMATS = ['json', 'html', 'mermaid', 'threat-dragon', 'otm'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

/** A threat model as a file's content. */
export function exportThreats(document: ThreatDocument, format: ExportFormat): string {
  switch (format) {
    case 'html':
      return drawHtml(document)
    case 'mermaid':
      return drawMermaid(document.model)
    case 'threat-dragon':
      return `${JSON.stringify(writeThreatDragon(document), null, 1)}\n`
    case 'otm':
      return `${JSON.stringify(writeOpenThreatModel(document), null, 1)}\n`
    case 'json':
      return `${JSON.stringify(document, null, 1)}\n`
  }
}
