import type { TaintRule } from '../../../engine/base/records/rule.ts'
import { scanFile } from '../../../engine/detect/file/file-scan.ts'
import { deriveRequirement } from '../../../engine/detect/file/requirement.ts'
import { RuleSet } from '../../../engine/detect/file/rule-set.ts'
import type { Match } from '../../../engine/detect/rules/match.ts'
import { registerGrammars } from '../../../engine/detect/syntax/grammar.ts'

registerGrammars()

/** A rule under which input of a request must not reach a call of `sink`. */
export function sinkRule(language: string, more: Partial<TaintRule> = {}): TaintRule {
  return {
    id: 'a-rule',
    type: 'taint',
    title: 'A rule',
    message: 'Input reaches a sink.',
    severity: 'high',
    category: 'code',
    languages: [language],
    cwe: ['CWE-20'],
    tags: [],
    remediation: '',
    references: [],
    files: [],
    exclude_files: [],
    match: [],
    clean: [],
    class: 'test',
    sources: ['request'],
    own_sources: [],
    cleaners: [],
    sinks: [{ calls: ['*.sink', 'sink'], arguments: [0] }],
    ...more,
  }
}

/** What the rules find in the code. */
export function follow(
  code: string,
  ...rules: TaintRule[]
): {
  matches: Match[]
  failures: { reason: string; detail?: string }[]
  excluded?: { rule: number; lines: number[] }[]
} {
  const set = new RuleSet(rules.map(rule => ({ ...rule, pack_id: 'own', requirement: deriveRequirement(rule) })))
  const language = rules[0]!.languages[0]!
  const file = { path: 'file', language, in_test: false, bytes: new TextEncoder().encode(code) }
  const scan = scanFile(set, file, { rule_deadline_ms: 60_000, file_deadline_ms: 60_000, max_parse_bytes: 1 << 22 })
  return scan
}

/** Whether input reaches `out.sink(…)` in the body of a servlet's handler, with further members beside it. */
export function reachesJava(body: string, members = ''): boolean {
  return (
    follow(
      `class A extends HttpServlet {
  public void doPost(HttpServletRequest request, HttpServletResponse response) throws Exception {
    String param = request.getParameter("p");
    ${body}
  }
  ${members}
}`,
      sinkRule('java'),
    ).matches.length > 0
  )
}

/** Whether input reaches `sink(…)` in the body of a Flask view, with further code after it. */
export function reachesPython(body: string, more = ''): boolean {
  const indented = body
    .trim()
    .split('\n')
    .map(line => `    ${line}`)
    .join('\n')
  return (
    follow(
      `from flask import Flask, request
@app.route("/x")
def view():
    param = request.args.get("p")
${indented}
${more}
`,
      sinkRule('python'),
    ).matches.length > 0
  )
}
