import { type } from 'arktype'
import { FindingType, RuleGroupType, SeverityCountsType } from '../base/records/finding-schema.ts'

/** Output of every operation that scans and stores. */
export const ScanOutputType = type({
  run_id: 'string',
  findings: FindingType.array(),
  total: type('number.integer').describe('the number of findings, including those beyond the list'),
  by_severity: SeverityCountsType.describe('open findings by severity'),
  truncated: type('boolean').describe('whether the list of findings is shorter than total'),
  'by_rule?': RuleGroupType.array().describe(
    'the open findings by rule, most severe first; present if open findings are missing from the list',
  ),
  run: type('object').describe('the record of the run, as in out/run.json'),
  'output_dir?': type('string').describe('the directory of the run and its reports; absent if nothing was stored'),
  'not_stored?': type('string').describe('why the run and its reports could not be stored; the exit code is then 74'),
  'tree?': type('string').describe('the root of the scanned tree, if the command ran in another directory'),
  'to_review?': type({
    rule_id: 'string',
    title: 'string',
    severity: "'critical' | 'high' | 'medium' | 'low' | 'info'",
    confidence: 'number',
    findings: type('number.integer').describe('the number of places'),
    files: 'number.integer',
    places: type({ file: 'string', line: 'number.integer' }).array().describe('the first 100 places'),
  })
    .array()
    .describe('what rules of low confidence report, for a reviewer to decide; present if it was asked for'),
  'dry_run?': type('boolean').describe('true if nothing was written'),
  'held_back?': type({
    suppressed: 'number.integer',
    baseline: 'number.integer',
    without_remedy: 'number.integer',
    unsure: 'number.integer',
  }).describe('the findings that actionable_only excludes from the list, each counted once'),
  'baseline?': type({
    file: 'string',
    entries: 'number.integer',
    findings: type('number.integer').describe('the number of baselined findings of this scan'),
    added: type('number.integer').describe('the number of findings added to the baseline'),
    pruned: type('number.integer').describe('the number of entries removed because their finding is resolved'),
    kept: type('number.integer').describe('the number of entries kept because their file or rule was not scanned'),
    gaps: type('number.integer').describe('the number of rules and files not evaluated, recorded in the baseline'),
    written: type('boolean').describe('false if the file already contains exactly these entries'),
  }).describe('the baseline written by update_baseline'),
  'shard?': type({
    index: 'number.integer',
    count: 'number.integer',
    folder: type('string').describe('the path of the directory to pass to `svc merge`'),
    files: type('number.integer').describe('the number of files in this shard'),
    listed: type('number.integer').describe('the number of files in all shards'),
  }).describe(
    'the scanned shard; baseline and suppressions are not applied yet, so the counts include findings they cover',
  ),
})
