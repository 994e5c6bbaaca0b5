import type { SecretRule } from '../../base/records/rule.ts'
import type { Detector } from '../rules/detector.ts'
import { listAnchors } from './generic/anchors.ts'
import { escapeSigns, listJointSigns } from './hidden/find.ts'
import { SecretScan } from './rules.ts'

/** Secrets: by the format of a provider, by what stands around a value, and both in what is encoded or written in parts. */
export default {
  type: 'secret',
  reach: 'any',
  views: 'secrets',
  parses: false,
  identity: 'value',
  part: 'secrets',

  begin: searched => new SecretScan(searched),
  // What is encoded holds no literal of a format.
  beginsAlways: true,
  signs: [escapeSigns, listJointSigns],
  anchors: { strings: listAnchors, isAskedBy: rule => (rule as SecretRule).detector.generic !== undefined },
} satisfies Detector
