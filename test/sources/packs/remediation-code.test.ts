import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import type { Rule } from '../../../engine/base/records/rule.ts'
import { readRuleTexts } from '../../../scripts/words.ts'
import { textOf } from '../../root.ts'
import { findSyntaxError } from './code-readers.ts'

/** The language of the code where it is none of the rule's: the file to fix is another one, or the rule reads files of any language. */
const WRITTEN_IN: Readonly<Record<string, string>> = {
  'agent-instructions-fetch-and-run': 'bash',
  'js-angular-trust-bypass': 'html',
  'supply-apt-unverified': 'apt',
  'supply-composer-insecure': 'json',
  'supply-gradle-wrapper-insecure': 'properties',
  'supply-nuget-insecure-source': 'xml',
  'supply-pip-two-indexes': 'requirements',
  'supply-pip-unverified': 'requirements',
  'supply-private-key-file': 'bash',
  'supply-submodule-insecure': 'ini',
  'supply-yarn-unverified': 'yaml',
}

/** The indented blocks of a text, as Markdown reads them: an empty line within one is part of it. */
function listCode(text: string): string[] {
  return [...text.matchAll(/^ {4}.*(?:\n(?: {4}.*|(?=\n+ {4})))*/gm)].map(([block]) => block.replace(/^ {4}/gm, ''))
}

const rules = readRuleTexts()
  .filter(({ secret }) => !secret)
  .map(({ id, file, remediation }) => {
    const { languages, corrected_code = [] } = parse(textOf(file)) as Pick<Rule, 'languages' | 'corrected_code'>
    const written = id in WRITTEN_IN ? [WRITTEN_IN[id]!] : languages
    return {
      id,
      remediation,
      code: [...listCode(remediation).map(code => ({ languages: written, code })), ...corrected_code],
    }
  })
const parsed = rules.filter(({ code }) => code.length > 0)

describe('the remediation of a rule', () => {
  it(`has code that parses in the rule's language: ${parsed.length} rules, and ${rules.length - parsed.length} in words only`, () => {
    const errors = parsed.flatMap(({ id, code }) =>
      code.flatMap(each => findSyntaxError(each.languages, each.code)?.replace(/^/, `${id}: `) ?? []),
    )
    expect(errors).toEqual([])
    expect(parsed.length).toBeGreaterThanOrEqual(782)
  })

  it('has code wherever it announces some, indented by four spaces', () => {
    const odd = rules.filter(({ remediation }) => /^(?! {4}).*:$(?!\n\n {4}\S)|^ {1,3}\S|^```/m.test(remediation))
    expect(odd.map(({ id }) => id)).toEqual([])
  })
})

describe('the readers of code', () => {
  it.each([
    ['c', 'if (size < limit {\n    copy(to, from);\n}'],
    ['cpp', 'std::vector<int> all{1, 2;'],
    ['csharp', '[AllowHtml\npublic string Body { get; set; }'],
    ['dockerfile', 'USER app\nRUNS make'],
    ['dockerfile', 'RUN sh -c "make'],
    ['go', 'if err != nil {\n    return err'],
    ['hcl', 'resource "a" "b" {\n  name = "x"'],
    ['hcl', 'resource "a" "b" {\n  name = \n}'],
    ['hcl', 'resource "a" "b" {\n  name = ["x"\n}'],
    ['hcl', 'Set the name to "x".'],
    ['html', '<p>{{ name }}</b>'],
    ['java', '@Select("select 1"'],
    ['javascript', "const a = { b: 'c'"],
    ['json', '{ "a": 1, }'],
    ['kotlin', 'val a = listOf(1, 2'],
    ['nginx', 'location / { autoindex off }'],
    ['php', '$a = [1, 2;'],
    ['properties', 'Set the key.'],
    ['python', 'subprocess.run(["ls"]'],
    ['ruby', 'if a\n  b'],
    ['rust', 'let a = vec![1, 2;'],
    ['sql', 'select * from where a = 1;'],
    ['swift', 'let a = [1, 2'],
    ['xml', 'Set the attribute.'],
    ['yaml', 'a: [1, 2'],
    ['yaml', 'Set the key.'],
    ['cobol', 'STOP RUN.'],
  ])('report broken %s: %j', (language, code) => {
    expect(findSyntaxError([language], code)).toEqual(expect.stringContaining(`${language}: `))
  })
})
