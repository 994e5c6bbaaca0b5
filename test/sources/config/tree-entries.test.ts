import { expect, test } from 'vitest'
import { parseEntries } from '../../../engine/sources/config/linked-settings.ts'

const oid = (digit: string) => digit.repeat(40)

/** What git prints: its records, each with a NUL behind it. */
const records = (...parts: (string | Uint8Array)[]) =>
  Buffer.concat(parts.flatMap(part => [Buffer.from(part), Buffer.from([0])]))

test('the entries of a commit are read with what they are, and directories are left out', () => {
  const output = records(
    `100644 blob ${oid('1')}\tdir/a b.c`,
    `100755 blob ${oid('2')}\tä.sh`,
    `120000 blob ${oid('3')}\tlink`,
    `160000 commit ${oid('4')}\tmodule`,
    `040000 tree ${oid('5')}\tdir`,
  )
  expect([...parseEntries(output)]).toEqual([
    ['dir/a b.c', { oid: oid('1') }],
    ['ä.sh', { oid: oid('2') }],
    ['link', { oid: oid('3'), kind: 'link' }],
    ['module', { oid: oid('4'), kind: 'submodule' }],
  ])
})

test('the entries of an index are read, but for those of a conflict', () => {
  const output = records(`100644 ${oid('1')} 0\ta`, `100644 ${oid('2')} 1\tb`, `100644 ${oid('3')} 2\tb`)
  expect([...parseEntries(output)]).toEqual([['a', { oid: oid('1') }]])
})

test('a name that is no text is written with its bytes, and those beside it as they are', () => {
  const head = Buffer.from(`100644 blob ${oid('1')}\tx\\y`)
  const output = records(`100644 blob ${oid('2')}\tä`, Buffer.concat([head, Buffer.from([0xff, 0x0a])]))
  expect([...parseEntries(output).keys()]).toEqual(['ä', 'x\\\\y\\xff\n'])
})
