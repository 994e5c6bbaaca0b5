import { describe, expect, it } from 'vitest'
import { inventoryOf } from './read.ts'

const dependency = (version: string) =>
  `<dependency><groupId>org.acme</groupId><artifactId>log</artifactId><version>${version}</version></dependency>`
const PARENT = `<project><groupId>g</groupId><artifactId>parent</artifactId><version>1</version><dependencies>${dependency('2.17.1')}</dependencies></project>`
const child = (dependencies: string) =>
  `<project><parent><groupId>g</groupId><artifactId>parent</artifactId><version>1</version></parent><artifactId>child</artifactId><dependencies>${dependencies}</dependencies></project>`

async function versionsOf(files: Record<string, string>) {
  return (await inventoryOf(files)).components.map(({ name, version }) => `${name} ${version}`)
}

describe('a dependency of a POM', () => {
  it('has the version of the POM itself and not that of its parent', async () => {
    expect(await versionsOf({ 'pom.xml': PARENT, 'child/pom.xml': child(dependency('2.14.0')) })).toEqual([
      'org.acme:log 2.14.0',
      'org.acme:log 2.17.1',
    ])
  })

  it('has a version where its range allows one alone', async () => {
    expect(await versionsOf({ 'pom.xml': child(dependency('[1.2.3]')) })).toEqual(['org.acme:log 1.2.3'])
    expect(await versionsOf({ 'pom.xml': child(dependency('[1.2,2)')) })).toEqual(['org.acme:log undefined'])
  })
})
