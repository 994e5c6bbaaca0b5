import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { runFormat } from '../../../engine/detect/secrets/run.ts'
import { sample } from '../../../engine/detect/secrets/sample.ts'
import { writeOut } from '../../../engine/detect/secrets/shorthand.ts'
import { parseDetector } from '../../../engine/sources/packs/detector-file.ts'
import { ROOT } from '../../root.ts'

const FILE = join(ROOT, 'packs/secrets/detectors/secret-deepgram-api-key.yaml')

/** Ways to write a key of a provider; VALUE stands for it. */
const WAYS = [
  'DEEPGRAM_API_KEY=VALUE',
  'export DEEPGRAM_API_KEY_V2="VALUE"',
  'const deepgramApiKeyProd = `VALUE`',
  '"deepgram.apiKey": "VALUE"',
  '"{\\\\\\"deepgramApiKey\\\\\\": \\\\\\"VALUE\\\\\\"}"',
  'deepgram-api-token := `VALUE`',
  '<deepgramApiKey>VALUE</deepgramApiKey>',
  '<add key="DeepgramApiKey" value="VALUE" />',
  'curl -H "X-Deepgram-Api-Key: VALUE"',
  'https://api.deepgram.com/v1/x?a=1&access_token=VALUE&b=2',
  'variable "deepgram_api_key" {\n  type    = string\n  default = "VALUE"\n}',
  'provider "deepgram" {\n  region = "eu"\n  api_key = "VALUE"\n}',
  'helm install x --set deepgram.apiKey=VALUE',
  "client = deepgram.Client(region='eu', api_key='VALUE')",
  "Deepgram::Client.new(token: 'VALUE')",
  ":deepgram_api_key => 'VALUE'",
  'public string DeepgramApiKey { get; set; } = "VALUE";',
  "ENV['DEEPGRAM_API_KEY'] ||= 'VALUE'",
  'deepgram:\n  enabled: true\n  api_key: VALUE',
  '- name: DEEPGRAM_API_KEY\n              value: "VALUE"',
  'pub const DEEPGRAM_API_KEY: &\'static str = "VALUE";',
  '**Deepgram API key:** `VALUE`',
]

/** Texts in which the value belongs to something else. */
const OTHERS = [
  'deepgram_commit = VALUE',
  'DEEPGRAM_API_KEY_FILE=VALUE',
  'deepgram_enabled: true\nchecksum: VALUE',
  'deepgram_key_hash = "VALUE"',
]

let rule: Awaited<ReturnType<typeof parseDetector>>

beforeAll(async () => {
  rule = await parseDetector(readFileSync(FILE), FILE, 'secrets')
})

const finds = (way: string): boolean => {
  if (rule.type !== 'secret') return false
  return runFormat(rule, way.replace('VALUE', sample('{hex:40}', way))).length === 1
}

describe('the shorthand of formats', () => {
  it('finds a key whatever way it is given its value', () => {
    expect(WAYS.filter(way => !finds(way))).toEqual([])
  })

  it('leaves a value alone that is given to another name', () => {
    expect(OTHERS.filter(finds)).toEqual([])
  })

  it('keeps a name that stands for nothing, so that the format is refused', () => {
    expect(writeOut('a(?&nothing)')).toBe('a(?&nothing)')
    expect(() => new RegExp(writeOut('a(?&nothing)'), 'u')).toThrow()
  })
})
