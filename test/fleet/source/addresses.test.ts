import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { isAddress, makeProject, parseAddress } from '../../../engine/fleet/source/address.ts'
import { readList, want } from '../../../engine/fleet/source/repositories.ts'
import { describeTransfer } from '../../../engine/fleet/source/transfer.ts'
import { folder } from '../../made/folder.ts'

describe('the address of a repository', () => {
  it('has one form, however it is written', () => {
    for (const text of ['https://git.example/Acme/shop.git', 'https://git.example/Acme/shop/'])
      expect(parseAddress(text, '/').text).toBe('https://git.example/Acme/shop')
    const scp = parseAddress('git@git.example:acme/shop.git', '/')
    expect(scp.text).toBe('ssh://git@git.example/acme/shop')
    expect(scp.organization).toBe('git.example/acme')
    expect(isAddress(scp.text)).toBe(true)
  })

  it.each([
    'https://user:word@git.example/a/b',
    'https://token@git.example/a/b',
    'ssh://git:word@git.example/a/b',
    'http://git.example/a/b',
    'file:///etc/passwd',
    'ext::sh -c x',
    'https://git.example/a/../b?x',
    '--upload-pack=x',
    'ssh://-oProxyCommand=x/a/b',
    'ssh://-l@git.example/a/b',
    '/does/not/exist',
  ])('is refused where it is %j', text => {
    expect(() => parseAddress(text, '/')).toThrow()
    if (text !== '/does/not/exist') expect(isAddress(text)).toBe(false)
  })

  it('gives a project that no other address has', () => {
    const project = (text: string) => makeProject(parseAddress(text, '/'))
    expect(project('https://git.example/acme/shop')).toBe('git.example/acme/shop')
    expect(project('https://git.example/acme/a%20b')).not.toBe(project('https://git.example/acme/a-20b'))
  })
})

describe('a list of repositories', () => {
  const list = (text: string) => {
    const path = join(folder(), 'repositories.yaml')
    writeFileSync(path, text)
    return readList(path, 'repositories.yaml')
  }

  it('has addresses, and maps with what is wanted of one', async () => {
    const text =
      'repositories:\n  - https://h/a/b\n  - {url: "https://h/a/c", ref: main, shards: 4, organization: team, project: x/y}\n'
    expect(await list(text)).toMatchObject([
      { project: 'h/a/b', organization: 'h/a' },
      { project: 'x/y', organization: 'team', ref: 'main', shards: 4 },
    ])
  })

  it('has the limits of a repository, within what any may have', async () => {
    expect(await list('repositories: [{url: "https://h/a/b", minutes: 5, repository_mb: 200}]\n')).toMatchObject([
      { limits: { minutes: 5, repository_mb: 200 } },
    ])
    for (const wrong of ['minutes: 0', 'minutes: 1441', 'minutes: "5"', 'repository_mb: 1.5', 'repository_mb: null'])
      await expect(list(`repositories: [{url: "https://h/a/b", ${wrong}}]\n`), wrong).rejects.toMatchObject({
        ...{ code: 'INPUT_INVALID', message: expect.stringContaining('must be a whole number from 1 to') },
      })
  })

  it('is refused whole, with every wrong entry', async () => {
    const text = 'repositories: [https://h/a/b, {url: "https://h/a/c", reff: main}, 7, {ref: x}]\n'
    await expect(list(text)).rejects.toMatchObject({
      code: 'INPUT_INVALID',
      faults: [
        { message: expect.stringContaining('repositories[1]: "reff" is not a key; did you mean ref?') },
        { message: expect.stringContaining('repositories[2]') },
        { message: expect.stringContaining('repositories[3]: url is missing') },
      ],
    })
    await expect(list('a: 1\n')).rejects.toMatchObject({ code: 'INPUT_INVALID' })
    await expect(list('a: [\n')).rejects.toMatchObject({ code: 'INPUT_INVALID' })
  })

  it('takes no option for a branch or a project', () => {
    for (const choice of [
      { ref: '--x' },
      { ref: 'a..b' },
      { commit: 'abc' },
      { project: '../x' },
      { project: 'x/_y' },
      { shards: 0 },
    ])
      expect(() => want('https://h/a/b', choice, '/')).toThrow()
  })
})

it('a failure of git is told without addresses, paths and what looks like a credential', () => {
  const secret = 'abcdefghijklmnop'.repeat(2)
  const stderr = `fatal: unable to access 'https://u:${secret}@h/a/': ${secret} in /home/x/y\n`
  const told = describeTransfer({ code: 128, stdout: Buffer.alloc(0), stderr }, { bytes: 1, milliseconds: 1 })
  expect(told).toContain('unable to access')
  for (const part of [secret, 'h/a', '/home']) expect(told).not.toContain(part)
})
