import { CONTROL_STATES, type ControlResult, type FrameworkResult } from '../../../base/records/framework.ts'
import type { Run } from '../../../base/records/run.ts'
import { clip, escapeHtml } from '../../../base/text/visible.ts'
import { formatCount, groupDigits } from '../../../base/text/words.ts'
import { formatCoverage, STATE_WORDS } from '../coverage-text.ts'

/** The state of the controls of each framework; nothing where the run evaluated none. */
export function* renderFrameworks({ frameworks }: Run): Iterable<string> {
  if (!frameworks?.length) return
  yield '<section class="unchecked" aria-labelledby="frameworks-title"><div class="section-head"><h2 id="frameworks-title">Controls</h2><p>Met means: every mapped rule was evaluated without a finding; manual is never met</p></div>\n'
  for (const framework of frameworks) yield panel(framework)
  yield '</section>\n'
}

function panel(framework: FrameworkResult): string {
  const groups = CONTROL_STATES.flatMap(state => {
    const controls = framework.controls.filter(control => control.state === state)
    return controls.length === 0
      ? []
      : `<div class="reason"><p><strong>${groupDigits(controls.length)}</strong> ${STATE_WORDS[state]}</p><ul class="names">${controls.map(row).join('')}</ul></div>\n`
  })
  return `<details class="panel" id="framework-${escapeHtml(framework.id)}"><summary><strong>${escapeHtml(framework.name)}</strong> ${escapeHtml(formatCoverage(framework))}</summary>\n${groups.join('')}${extent(framework)}</details>\n`
}

function row({ id, title, because, accepted }: ControlResult): string {
  const held = accepted > 0 ? ` ${formatCount(accepted, 'finding')} accepted with a reason.` : ''
  return `<li><code>${escapeHtml(id)}</code> ${escapeHtml(clip(title, 200))}: ${escapeHtml(clip(because, 400))}${held}</li>`
}

function extent({ controls, controls_total }: FrameworkResult): string {
  if (controls_total === undefined || controls_total === controls.length) return ''
  return `<p class="calm">The pack covers ${groupDigits(controls.length)} of the framework's ${groupDigits(controls_total)} controls; the others are not evaluated here.</p>\n`
}
