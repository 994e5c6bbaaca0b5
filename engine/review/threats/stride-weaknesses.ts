import { STRIDE, type Stride } from './model.ts'
import { STRIDE_TABLE } from './stride-table.ts'

/** Weaknesses of CWE by the category of STRIDE that they make real, beyond those of the table's rows. Some are of several. */
const MORE: Readonly<Record<Stride, readonly number[]>> = {
  spoofing: [208, 290, 297, 308, 322, 324, 330, 336, 338, 441, 1007, 939],
  tampering: [
    ...[
      74, 93, 95, 98, 113, 129, 131, 183, 190, 193, 195, 197, 427, 444, 470, 494, 501, 621, 624, 642, 643, 680, 681,
      697, 749,
    ],
    ...[
      805, 839, 841, 120, 121, 134, 242, 367, 415, 416, 457, 467, 478, 481, 483, 484, 562, 590, 676, 762, 768, 908,
      1357, 1427,
    ],
  ],
  repudiation: [252, 693],
  information_disclosure: [
    ...[14, 208, 214, 259, 321, 323, 328, 329, 330, 338, 548, 598, 693, 760, 780, 908, 927, 1021],
    ...[497, 525, 540, 615, 1104],
  ],
  denial_of_service: [190, 252, 369, 401, 415, 416, 476, 617, 663, 674, 690, 772, 775, 834, 835],
  elevation_of_privilege: [16, 95, 243, 250, 273, 470, 494, 636, 653, 749, 1021, 1104, 1427],
}

/** Categories of STRIDE by weakness. */
const CATEGORIES = new Map<string, Set<Stride>>()
const add = (cwe: string, stride: Stride) => CATEGORIES.set(cwe, (CATEGORIES.get(cwe) ?? new Set()).add(stride))
for (const { stride, cwe } of STRIDE_TABLE) for (const each of cwe) add(each, stride)
for (const stride of STRIDE) for (const number of MORE[stride]) add(`CWE-${number}`, stride)

/** The categories of STRIDE that a weakness bears on, in their order; none for one of quality alone. */
export function listCategories(cwe: readonly string[]): Stride[] {
  return STRIDE.filter(stride => cwe.some(each => CATEGORIES.get(each)?.has(stride)))
}

/** Weaknesses of a category, sorted by number. */
export function listWeaknesses(stride: Stride): string[] {
  return [...CATEGORIES]
    .flatMap(([cwe, categories]) => (categories.has(stride) ? [cwe] : []))
    .sort((a, b) => Number(a.slice(4)) - Number(b.slice(4)))
}
