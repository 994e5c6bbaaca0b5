import { type } from 'arktype'
import { FindingType, SeverityCountsType } from '../base/records/finding-schema.ts'

/** Output of every operation that scans and stores. */
export const ScanOutputType = type({
  run_id: 'string',
  findings: FindingType.array(),
  total: type('number.integer').describe('a number of findings, those beyond the list included'),
  by_severity: SeverityCountsType.describe('open findings by severity'),
  truncated: type('boolean').describe('whether the list of findings is shorter than total'),
  run: type('object').describe('the record of the run, as in out/run.json'),
  'output_dir?': type('string').describe(
    'the directory that holds the run and its reports; left out where nothing was stored',
  ),
  'tree?': type('string').describe('the root of the tree that was scanned, where the command ran in another directory'),
  'dry_run?': type('boolean').describe('true where nothing was written'),
  'held_back?': type({
    suppressed: 'number.integer',
    baseline: 'number.integer',
    without_remedy: 'number.integer',
    unsure: 'number.integer',
  }).describe('what actionable_only leaves out of the list, each finding counted once'),
  'baseline?': type({
    file: 'string',
    entries: 'number.integer',
    findings: type('number.integer').describe('a number of findings of this scan that the entries cover'),
    added: type('number.integer').describe('a number of findings that were not in it before'),
    pruned: type('number.integer').describe('a number of entries taken out since their finding is gone'),
    kept: type('number.integer').describe(
      'a number of entries kept unseen, since their file or rule was not looked at',
    ),
    gaps: type('number.integer').describe('a number of rules and files that could not be evaluated, and are known now'),
    written: type('boolean').describe('false where the file holds exactly these entries already'),
  }).describe('the baseline that update_baseline has made'),
  'shard?': type({
    index: 'number.integer',
    count: 'number.integer',
    folder: type('string').describe('a path of the folder that `svc merge` takes'),
    files: type('number.integer').describe('a number of files in this shard'),
    listed: type('number.integer').describe('a number of files in all shards'),
  }).describe(
    'the part that was scanned; nothing is judged yet, so the figures beside it count what will be held back too',
  ),
})
