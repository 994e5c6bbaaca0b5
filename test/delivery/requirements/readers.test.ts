import { strToU8, zipSync } from 'fflate'
import { describe, expect, it } from 'vitest'
import { parseCsv, readRequirementCsv } from '../../../engine/delivery/requirements/csv.ts'
import { readDoorstopItem } from '../../../engine/delivery/requirements/doorstop.ts'
import { readRequirementMarkdown } from '../../../engine/delivery/requirements/markdown.ts'
import type { RequirementReader } from '../../../engine/delivery/requirements/model.ts'
import { readReqif } from '../../../engine/delivery/requirements/reqif.ts'
import { readReqifArchive } from '../../../engine/delivery/requirements/reqifz.ts'
import { readSpecItems } from '../../../engine/delivery/requirements/spec-items.ts'
import { readStrictDoc } from '../../../engine/delivery/requirements/strictdoc.ts'
import { readRequirementsYaml } from '../../../engine/delivery/requirements/yaml.ts'
import fc from '../../made/property.ts'

const REQIF = `<?xml version="1.0" encoding="UTF-8"?>
<REQ-IF xmlns="http://www.omg.org/spec/ReqIF/20110401/reqif.xsd" xmlns:xhtml="http://www.w3.org/1999/xhtml">
 <CORE-CONTENT><REQ-IF-CONTENT>
  <DATATYPES><DATATYPE-DEFINITION-ENUMERATION IDENTIFIER="dt"><SPECIFIED-VALUES>
    <ENUM-VALUE IDENTIFIER="e-draft" LONG-NAME="Draft"/></SPECIFIED-VALUES></DATATYPE-DEFINITION-ENUMERATION></DATATYPES>
  <SPEC-TYPES><SPEC-OBJECT-TYPE IDENTIFIER="type"><SPEC-ATTRIBUTES>
    <ATTRIBUTE-DEFINITION-STRING IDENTIFIER="a-id" LONG-NAME="ReqIF.ForeignID"/>
    <ATTRIBUTE-DEFINITION-STRING IDENTIFIER="a-head" LONG-NAME="ReqIF.ChapterName"/>
    <ATTRIBUTE-DEFINITION-XHTML IDENTIFIER="a-text" LONG-NAME="ReqIF.Text"/>
    <ATTRIBUTE-DEFINITION-ENUMERATION IDENTIFIER="a-status" LONG-NAME="Status"/>
  </SPEC-ATTRIBUTES></SPEC-OBJECT-TYPE></SPEC-TYPES>
  <SPEC-OBJECTS>
   <SPEC-OBJECT IDENTIFIER="o-1"><VALUES>
     <ATTRIBUTE-VALUE-STRING THE-VALUE="SYS-1"><DEFINITION><ATTRIBUTE-DEFINITION-STRING-REF>a-id</ATTRIBUTE-DEFINITION-STRING-REF></DEFINITION></ATTRIBUTE-VALUE-STRING>
     <ATTRIBUTE-VALUE-XHTML><DEFINITION><ATTRIBUTE-DEFINITION-XHTML-REF>a-text</ATTRIBUTE-DEFINITION-XHTML-REF></DEFINITION>
       <THE-VALUE><xhtml:div><xhtml:p>The door opens.</xhtml:p><xhtml:p>Within 2 s.</xhtml:p></xhtml:div></THE-VALUE></ATTRIBUTE-VALUE-XHTML>
     <ATTRIBUTE-VALUE-ENUMERATION><DEFINITION><ATTRIBUTE-DEFINITION-ENUMERATION-REF>a-status</ATTRIBUTE-DEFINITION-ENUMERATION-REF></DEFINITION>
       <VALUES><ENUM-VALUE-REF>e-draft</ENUM-VALUE-REF></VALUES></ATTRIBUTE-VALUE-ENUMERATION>
   </VALUES></SPEC-OBJECT>
   <SPEC-OBJECT IDENTIFIER="o-2"><VALUES>
     <ATTRIBUTE-VALUE-STRING THE-VALUE="Doors"><DEFINITION><ATTRIBUTE-DEFINITION-STRING-REF>a-head</ATTRIBUTE-DEFINITION-STRING-REF></DEFINITION></ATTRIBUTE-VALUE-STRING>
   </VALUES></SPEC-OBJECT>
   <SPEC-OBJECT IDENTIFIER="o-3"><VALUES>
     <ATTRIBUTE-VALUE-STRING THE-VALUE="SW-1"><DEFINITION><ATTRIBUTE-DEFINITION-STRING-REF>a-id</ATTRIBUTE-DEFINITION-STRING-REF></DEFINITION></ATTRIBUTE-VALUE-STRING>
     <ATTRIBUTE-VALUE-XHTML><DEFINITION><ATTRIBUTE-DEFINITION-XHTML-REF>a-text</ATTRIBUTE-DEFINITION-XHTML-REF></DEFINITION>
       <THE-VALUE><xhtml:div>The motor starts.</xhtml:div></THE-VALUE></ATTRIBUTE-VALUE-XHTML>
   </VALUES></SPEC-OBJECT>
  </SPEC-OBJECTS>
  <SPEC-RELATIONS><SPEC-RELATION IDENTIFIER="r"><SOURCE><SPEC-OBJECT-REF>o-3</SPEC-OBJECT-REF></SOURCE><TARGET><SPEC-OBJECT-REF>o-1</SPEC-OBJECT-REF></TARGET></SPEC-RELATION></SPEC-RELATIONS>
 </REQ-IF-CONTENT></CORE-CONTENT>
</REQ-IF>`

describe('reading requirements', () => {
  it('reads requirements.yaml with the line of each', async () => {
    const text =
      'requirements:\n- id: REQ-1\n  title: Log in\n  level: 1\n- id: REQ-2\n  title: Log out\n  parent: [REQ-1]\n'
    const { requirements, faults } = await readRequirementsYaml(text, 'requirements.yaml')
    expect(faults).toEqual([])
    expect(requirements.map(({ id, line, level, parent }) => ({ id, line, level, parent }))).toEqual([
      { id: 'REQ-1', line: 2, level: '1', parent: [] },
      { id: 'REQ-2', line: 5, level: undefined, parent: ['REQ-1'] },
    ])
  })

  it('names a wrong key of requirements.yaml with its line, and reads the other requirements', async () => {
    const text = 'requirements:\n- id: REQ-1\n  titel: Log in\n- id: REQ-2\n  title: Log out\n'
    const { requirements, faults } = await readRequirementsYaml(text, 'r.yaml')
    expect(requirements.map(({ id }) => id)).toEqual(['REQ-2'])
    expect(faults).toContainEqual(
      expect.objectContaining({ line: 3, message: 'titel is not a known key; did you mean title?' }),
    )
  })

  it.each([
    ['Helm', 'dependencies:\n- name: redis\n  version: 1.0.0\n'],
    ['Ansible', '- src: geerlingguy.nginx\n'],
  ])('takes a requirements.yaml of %s for none', async (_, text) => {
    expect(await readRequirementsYaml(text, 'requirements.yaml')).toEqual({ requirements: [], faults: [] })
  })

  it('reads a Markdown file with front matter, its heading and acceptance criteria', async () => {
    const text =
      '---\nid: REQ-7\nstatus: Draft\nparent: REQ-1\n---\n# Log in with a key\n\nUsers log in.\n\n## Acceptance criteria\n- [ ] a wrong key is refused\n- a right one is not\n'
    const { requirements } = await readRequirementMarkdown(text, 'requirements/login.md')
    expect(requirements).toMatchObject([
      {
        id: 'REQ-7',
        line: 2,
        title: 'Log in with a key',
        status: 'draft',
        parent: ['REQ-1'],
        acceptance: ['a wrong key is refused', 'a right one is not'],
        description: 'Users log in.',
      },
    ])
  })

  it('takes a Markdown file without an id for no requirement', async () => {
    expect(await readRequirementMarkdown('---\ntitle: Notes\n---\ntext\n', 'requirements/notes.md')).toEqual({
      requirements: [],
      faults: [],
    })
  })

  it('reads the specification items of OpenFastTrace, with what they cover, and none in a code block', () => {
    const text = [
      '# Design',
      '',
      '## Login by password',
      '`dsn~login~2`',
      '',
      'A wrong password is refused.',
      '',
      'Status: draft',
      'Rationale: see `req~other~1`',
      'Covers:',
      '',
      '* `req~login~1`',
      '* [Sessions](#x) `req~session~3`',
      '',
      'Needs: impl, utest',
      '',
      '```',
      'req~example~1',
      '```',
      '### Logout',
      'dsn~logout~1',
      'The session ends.',
    ].join('\n')
    expect(readSpecItems(text, 'requirements/d.md')).toMatchObject({
      faults: [],
      requirements: [
        {
          ...{ id: 'dsn~login~2', title: 'Login by password', status: 'draft', level: 'dsn', line: 4 },
          ...{ parent: ['req~login~1', 'req~session~3'], description: 'A wrong password is refused.' },
        },
        { id: 'dsn~logout~1', title: 'Logout', description: 'The session ends.', status: 'approved', parent: [] },
      ],
    })
  })

  describe('a ReqIF archive', () => {
    const pack = (files: Record<string, string>) =>
      Buffer.from(
        zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))),
      ).toString('latin1')

    it('gives the requirements of its documents, and leaves attachments alone', async () => {
      const { requirements, faults } = await readReqifArchive(
        pack({ 'a.reqif': REQIF, 'files/image.png': 'x', 'notes.txt': 'y' }),
        'spec.reqifz',
      )
      const plain = await readReqif(REQIF, 'spec.reqifz')
      expect([requirements, faults]).toEqual([plain.requirements, []])
      expect(requirements.length).toBeGreaterThan(0)
    })

    it.each([
      ['is no archive', 'made up'],
      ['is cut off', pack({ 'a.reqif': REQIF }).slice(0, 200)],
      ['has no document', pack({ 'notes.txt': 'y' })],
      ['grows without measure', pack({ 'a.reqif': ' '.repeat(40 << 20) })],
    ])('that %s is a fault and no error', async (_, text) => {
      const { requirements, faults } = await readReqifArchive(text, 'spec.reqifz')
      expect([requirements, faults.map(({ kind }) => kind)]).toEqual([[], ['invalid']])
    })
  })

  it('reads an item of Doorstop, with links by id and fingerprint', async () => {
    const text =
      'active: true\nlevel: 1.2\nlinks:\n- SYS001: avwblqPimDJ2OgTrRCXxRPN8FQhUBWqPIXm7kSR95C4=\n- SYS002\nnormative: true\nreferences:\n- path: src/door.c\n  type: file\ntext: |\n  The door opens.\n'
    expect((await readDoorstopItem(text, 'reqs/SRD001.yml')).requirements).toMatchObject([
      { id: 'SRD001', title: 'The door opens.', level: 'SRD', parent: ['SYS001', 'SYS002'], files: ['src/door.c'] },
    ])
  })

  it('leaves out what is not normative, and marks what is inactive as obsolete', async () => {
    expect((await readDoorstopItem('normative: false\ntext: Intro\n', 'reqs/SRD002.yml')).requirements).toEqual([])
    expect((await readDoorstopItem('active: false\ntext: Old\n', 'reqs/SRD003.yml')).requirements[0]!.status).toBe(
      'obsolete',
    )
  })

  it('reads StrictDoc nodes with texts of several lines and relations', async () => {
    const text =
      '[DOCUMENT]\nTITLE: Doors\n\n[[SECTION]]\nTITLE: Opening\n\n[REQUIREMENT]\nUID: REQ-1\nSTATUS: Draft\nTITLE: Open\nSTATEMENT: >>>\nThe door\nopens.\n<<<\nRELATIONS:\n- TYPE: Parent\n  VALUE: SYS-1\n- TYPE: File\n  VALUE: src/door.py\n\n[[/SECTION]]\n\n[TEXT]\nSTATEMENT: none\n'
    const { requirements, faults } = await readStrictDoc(text, 'doors.sdoc')
    expect(faults).toEqual([])
    expect(requirements).toMatchObject([
      {
        ...{ id: 'REQ-1', line: 7, title: 'Open', description: 'The door\nopens.', status: 'draft' },
        ...{ parent: ['SYS-1'], files: ['src/door.py'] },
      },
    ])
  })

  it('reads ReqIF objects with ids, texts, states and relations, and no chapter', async () => {
    const { requirements, faults } = await readReqif(REQIF, 'doors.reqif')
    expect(faults).toEqual([])
    expect(requirements).toMatchObject([
      { id: 'SYS-1', status: 'draft', description: 'The door opens.\nWithin 2 s.', title: 'The door opens.' },
      { id: 'SW-1', parent: ['SYS-1'] },
    ])
  })

  it('refuses ReqIF with a document type declaration, and follows no entity', async () => {
    const text = `<!DOCTYPE r [<!ENTITY a "x">]>${REQIF.replace(/^.*\n/, '').replace('The motor', '&a;')}`
    const { requirements, faults } = await readReqif(text, 'x.reqif')
    expect(requirements).toEqual([])
    expect(faults[0]!.message).toContain('document type declaration')
  })

  it('reads a table with semicolons, quotes and lists', async () => {
    const text = 'ID;Title;Acceptance Criteria;Parent\nR-1;"Log ""in""";"one\ntwo";\nR-2;Log out;;R-1\n'
    const { requirements } = await readRequirementCsv(text, 'requirements.csv')
    expect(requirements).toMatchObject([
      { id: 'R-1', line: 2, title: 'Log "in"', acceptance: ['one', 'two'] },
      { id: 'R-2', line: 4, parent: ['R-1'] },
    ])
  })

  it('names an id that cannot be one', async () => {
    const { faults } = await readRequirementCsv('id,title\na b,Log in\n', 'requirements.csv')
    expect(faults).toMatchObject([{ line: 2, kind: 'invalid' }])
  })

  it('reads back every table that is written by RFC 4180', () => {
    const cell = fc.string()
    fc.assert(
      fc.property(fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 5 }), rows => {
        const text = rows.map(row => row.map(each => `"${each.replaceAll('"', '""')}"`).join(',')).join('\r\n')
        const read = parseCsv(text, ',')
        expect('fault' in read ? read : read.map(({ cells }) => cells)).toEqual(rows)
      }),
    )
  })

  const readers: [string, RequirementReader][] = [
    ['yaml', readRequirementsYaml],
    ['markdown', readRequirementMarkdown],
    ['doorstop', readDoorstopItem],
    ['spec items', readSpecItems],
    ['reqif archive', readReqifArchive],
    ['strictdoc', readStrictDoc],
    ['reqif', readReqif],
    ['csv', readRequirementCsv],
  ]
  it.each(readers)('fails on no text: %s', async (_, read) => {
    const piece = fc.constantFrom(
      '---\n',
      'id: a\n',
      '[REQUIREMENT]\n',
      'UID: A\n',
      'STATEMENT: >>>\n',
      '<REQ-IF>',
      '"',
      ';\n',
      '- ',
      '[',
      '{',
    )
    await fc.assert(
      fc.asyncProperty(fc.array(fc.oneof(piece, fc.string()), { maxLength: 12 }), async pieces => {
        const { requirements, faults } = await read(pieces.join(''), 'x.md')
        for (const { line } of [...requirements, ...faults]) expect(line).toBeGreaterThan(0)
      }),
      { numRuns: 150 },
    )
  })
})
