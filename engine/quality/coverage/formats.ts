import { readGoCover } from './go-cover.ts'
import { readCoveragePy, readSimpleCov } from './json.ts'
import { readLcov } from './lcov.ts'
import type { CoverageReader } from './report.ts'
import { readClover, readCobertura, readJacoco } from './xml.ts'

/** A format of coverage reports: where its tools write it by default, and what its text has near the beginning. */
export interface CoverageFormat {
  name: string
  /** Default paths below a project's directory. */
  paths: readonly string[]
  /** Shows the format where several share a file name. */
  marker: RegExp
  read: CoverageReader
  /** A beginning that the marker must match, and one of another format. */
  examples: { match: string; other: string }
}

/** The formats in which coverage is read, in the order in which a file is tried. */
export const COVERAGE_FORMATS: readonly CoverageFormat[] = [
  {
    name: 'lcov',
    paths: ['coverage/lcov.info', 'lcov.info', 'coverage.lcov', 'coverage/coverage.lcov', 'build/coverage/lcov.info'],
    marker: /^(?:TN|SF):/m,
    read: readLcov,
    examples: { match: 'TN:\nSF:src/a.ts\n', other: 'mode: set\n' },
  },
  {
    name: 'Cobertura',
    paths: [
      'coverage.xml',
      'cobertura.xml',
      'coverage/cobertura-coverage.xml',
      'coverage/cobertura.xml',
      'target/site/cobertura/coverage.xml',
    ],
    marker: /<coverage\b[^>]*\bline-rate=/,
    read: readCobertura,
    examples: { match: '<coverage line-rate="0.5" version="1">', other: '<coverage generated="1" clover="4.0">' },
  },
  {
    name: 'JaCoCo',
    paths: [
      'target/site/jacoco/jacoco.xml',
      'build/reports/jacoco/test/jacocoTestReport.xml',
      'jacoco.xml',
      'build/reports/kover/report.xml',
    ],
    marker: /<report\b[^>]*\bname=/,
    read: readJacoco,
    examples: { match: '<report name="app">', other: '<coverage line-rate="0.5">' },
  },
  {
    name: 'Clover',
    paths: ['coverage/clover.xml', 'clover.xml', 'build/logs/clover.xml', 'coverage.xml'],
    marker: /<coverage\b[^>]*\b(?:generated|clover)=/,
    read: readClover,
    examples: { match: '<coverage generated="1" clover="4.0">', other: '<coverage line-rate="0.5">' },
  },
  {
    name: 'Go cover',
    paths: ['coverage.out', 'cover.out', 'c.out'],
    marker: /^mode: (?:set|count|atomic)/,
    read: readGoCover,
    examples: { match: 'mode: atomic\nx/a.go:1.1,2.2 1 0\n', other: 'TN:\n' },
  },
  {
    name: 'coverage.py',
    paths: ['coverage.json'],
    marker: /"(?:executed_lines|branch_coverage|show_contexts)"/,
    read: readCoveragePy,
    examples: { match: '{"meta": {"branch_coverage": false}}', other: '{"RSpec": {"coverage": {}}}' },
  },
  {
    name: 'SimpleCov',
    paths: ['coverage/.resultset.json'],
    marker: /"coverage"\s*:\s*\{/,
    read: readSimpleCov,
    examples: { match: '{"RSpec": {"coverage": {', other: '{"meta": {"branch_coverage": false}}' },
  },
]
