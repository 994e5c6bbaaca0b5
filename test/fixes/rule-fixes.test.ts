import { describe, expect, test } from 'vitest'
import { detectLanguage } from '../../engine/base/languages/languages.ts'
import type { Example } from '../../engine/base/records/rule.ts'
import type { CompiledRule } from '../../engine/detect/rules/active-rules.ts'
import { listFixes } from '../../engine/detect/rules/fixes.ts'
import { applyFixes } from '../../engine/fixes/apply.ts'
import { selectFixable } from '../../engine/fixes/plan.ts'
import { firesOn } from '../../engine/sources/packs/examples.ts'
import { loadBuiltinRules, loadExamples } from '../../engine/sources/packs/load.ts'
import { scanned } from './scanned.ts'

const fixing = loadBuiltinRules().filter(rule => listFixes(rule).length > 0)

/** The text of an example after all that its rule mends. */
function mended(rule: CompiledRule, { code, path }: Example): string {
  const language = (path === undefined ? undefined : detectLanguage(path)) ?? rule.languages[0]!
  const bytes = Buffer.from(code)
  const { applied, bytes: after } = applyFixes(
    bytes,
    selectFixable(scanned([rule], path ?? 'example', language, bytes)),
  )
  // A table mends the values that stand in the file, and not what is missing or comes by a name.
  if (rule.type !== 'resource') expect(applied, `${rule.id}: ${code}`).not.toEqual([])
  return Buffer.from(after).toString()
}

describe('the fix of', () => {
  test.each(fixing.map(rule => [rule.id, rule] as const))('%s leaves nothing for its rule to find', (_id, rule) => {
    for (const example of loadExamples(rule).match) {
      const text = mended(rule, example)
      if (text === example.code) continue
      expect(firesOn(rule, { ...example, code: text }), text).toBe(false)
    }
  })

  const cases: [id: string, before: string, after: string, path?: string][] = [
    [
      'go-tls-old-version',
      'var c = tls.Config{MinVersion: tls.VersionTLS10}',
      'var c = tls.Config{MinVersion: tls.VersionTLS12}',
    ],
    ['flask-debug-enabled', 'app.run(port=1, debug=True)', 'app.run(port=1, debug=False)'],
    ['python-debugger-call', 'if x:\n    breakpoint()\n', 'if x:\n    pass\n'],
    ['php-display-errors', "<?php ini_set('display_errors', 1);", "<?php ini_set('display_errors', '0');"],
    [
      'csharp-debug-build',
      '<configuration>\n<compilation targetFramework="4.8" debug="true" />\n</configuration>',
      '<configuration>\n<compilation targetFramework="4.8" debug="false" />\n</configuration>',
      'Web.config',
    ],
    [
      'tf-azure-app-http',
      'resource "azurerm_linux_web_app" "a" {\n  https_only = false # for now\n}\n',
      'resource "azurerm_linux_web_app" "a" {\n  https_only = true # for now\n}\n',
    ],
    [
      'tf-google-old-tls',
      'resource "google_compute_ssl_policy" "a" {\n  min_tls_version   = "TLS_1_0"\n}\n',
      'resource "google_compute_ssl_policy" "a" {\n  min_tls_version   = "TLS_1_2"\n}\n',
    ],
  ]
  test.each(cases)('%s changes the setting and nothing around it', (id, before, after, path) => {
    const rule = fixing.find(each => each.id === id)!
    expect(mended(rule, { code: before, ...(path && { path }) })).toBe(after)
  })
})
