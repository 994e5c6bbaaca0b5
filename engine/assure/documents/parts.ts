import type { ControlState, StateCounts } from '../../base/records/framework.ts'
import { escapeHtml } from '../../base/text/visible.ts'
import { groupDigits } from '../../base/text/words.ts'
import { STATE_WORDS } from '../reports/coverage-text.ts'
import type { Html } from './page.ts'
import { listStates } from './wording.ts'

/** A list of facts; values are HTML. */
export function renderFacts(facts: readonly (readonly [name: string, value: Html])[]): Html {
  const rows = facts.map(([name, value]) => `<div><dt>${escapeHtml(name)}</dt><dd>${value}</dd></div>`)
  return `<dl class="panel facts">${rows.join('')}</dl>\n`
}

/** Large figures with what each counts; both are plain text. */
export function renderFigures(figures: readonly (readonly [figure: string, meaning: string])[]): Html {
  const rows = figures.map(
    ([figure, meaning]) => `<li class="panel"><strong>${escapeHtml(figure)}</strong> ${escapeHtml(meaning)}</li>`,
  )
  return `<ul class="figures">${rows.join('')}</ul>\n`
}

/** Sentences that a reader must not miss; nothing where there are none. */
export function renderNotes(notes: readonly string[]): Html {
  if (notes.length === 0) return ''
  return `<ul class="notes">${notes.map(note => `<li>${escapeHtml(note)}</li>`).join('')}</ul>\n`
}

export function renderState(state: ControlState): Html {
  return `<span class="state ${state}">${STATE_WORDS[state]}</span>`
}

/** How many controls are in which state, as a bar; its label says the same in words. */
export function renderBar(counts: StateCounts): Html {
  const states = listStates(counts)
  const total = states.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return ''
  let x = 0
  const parts = states.map(({ state, count }) => {
    const width = (count / total) * 1000
    const rectangle = `<rect class="${state}" x="${x.toFixed(2)}" y="0" width="${width.toFixed(2)}" height="10"/>`
    x += width
    return rectangle
  })
  const label = states.map(({ count, words }) => `${groupDigits(count)} ${words}`).join(', ')
  return `<svg class="bar" viewBox="0 0 1000 10" preserveAspectRatio="none" role="img" aria-label="${label}">${parts.join('')}</svg>`
}

/** A column of a table; `number` aligns right. Cells are HTML; the first one of a row is its heading. */
export interface Column {
  name: string
  number?: boolean
}

/** A table that scrolls in itself where it is too wide; on a phone its rows become blocks, each cell with its column's name. */
export function renderTable(caption: string, columns: readonly Column[], rows: Iterable<readonly Html[]>): Html {
  const head = columns.map(
    ({ name, number }) => `<th scope="col"${number ? ' class="number"' : ''}>${escapeHtml(name)}</th>`,
  )
  const body: string[] = []
  for (const cells of rows) {
    const [first, ...rest] = cells
    const others = rest.map((cell, at) => {
      const { name, number } = columns[at + 1]!
      return `<td data-label="${escapeHtml(name)}"${number ? ' class="number"' : ''}>${cell}</td>`
    })
    body.push(`<tr><th scope="row">${first}</th>${others.join('')}</tr>\n`)
  }
  return `<div class="scroll" role="region" tabindex="0" aria-label="${escapeHtml(caption)}"><table class="stacked"><caption>${escapeHtml(caption)}</caption><thead><tr>${head.join('')}</tr></thead><tbody>\n${body.join('')}</tbody></table></div>\n`
}

/** Code or an id. */
export function renderCode(text: string): Html {
  return `<code>${escapeHtml(text)}</code>`
}
