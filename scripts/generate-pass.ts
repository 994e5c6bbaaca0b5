// Writes engine/detect/prefilter/pass.gen.ts: the pass over a text in WebAssembly, which engine/detect/prefilter/compiled-pass.ts drives.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** So many places of a text are read in turn: while one waits for the table, the others go on. */
const LANES = [0, 1, 2, 3]

/** Where a table of a byte for each byte stands: its class, whether it is part of a word, whether it may stand before a call's parenthesis. */
const CLASS = 0
const WORD = 256
const GAP = 512
/** Four numbers for each lane: the end behind which it counts places, how many it has, where they are written, and room. */
const LANE = 768
/** So many places a lane has room for. */
const PLACES = 4096

/** A number of the list that begins at a global's address. */
const at = (list: string, index: string) =>
  `(i32.load (i32.add (global.get $${list}) (i32.shl (local.get $${index}) (i32.const 2))))`

/** The next byte of a lane: what ends with it is noted, and what nobody has come by is asked for. */
const step = (lane: number) => `
  (local.set $entry (i32.add (i32.shl (local.get $row${lane}) (i32.const 7)) (i32.load8_u offset=${CLASS} (i32.load8_u (local.get $at${lane})))))
  (local.set $at${lane} (i32.add (local.get $at${lane}) (i32.const 1)))
  (local.set $row${lane} (i32.load16_u (i32.add (local.get $table) (i32.shl (local.get $entry) (i32.const 1)))))
  (if (i32.ge_u (i32.sub (local.get $row${lane}) (i32.const 1)) (i32.const 0x7fff)) (then
    (if (i32.eqz (local.get $row${lane})) (then (local.set $row${lane} (call $resolve (local.get $entry)))))
    (if (i32.and (local.get $row${lane}) (i32.const 0x8000)) (then
      (local.set $row${lane} (i32.and (local.get $row${lane}) (i32.const 0x7fff)))
      (if (i32.ne ${at('done', `row${lane}`)} (global.get $stamp))
        (then (call $note (local.get $row${lane}) (local.get $at${lane}) (i32.const ${LANE + 16 * lane}))))))))`

/** Reads so many bytes of each lane, from its place on. */
const scan = (name: string, lanes: readonly number[]) => `
  (func (export "${name}") (param $count i32) ${lanes.map(lane => `(param $at${lane} i32)`).join(' ')}
    (local $end i32) (local $entry i32) (local $table i32) ${lanes.map(lane => `(local $row${lane} i32)`).join(' ')}
    (local.set $table (global.get $table))
    (local.set $end (i32.add (local.get $at0) (local.get $count)))
    ${lanes.map(lane => `(local.set $row${lane} (i32.const 1))`).join('\n    ')}
    (block $done (loop $next
      (br_if $done (i32.ge_u (local.get $at0) (local.get $end)))
      ${lanes.map(step).join('')}
      (br $next))))`

const GLOBALS = ['table', 'outputs', 'done', 'facts', 'seen', 'list', 'stamp', 'met', 'lines', 'longest']

const MODULE = `(module
  (import "host" "memory" (memory 1))
  (import "host" "resolve" (func $resolve (param i32) (result i32)))
  (import "host" "flush" (func $flush (param i32)))
  ${GLOBALS.map(name => `(global $${name} (export "${name}") (mut i32) (i32.const 0))`).join('\n  ')}

  ;; Lines between two places, and the longest one; sixteen bytes behind the end are no line's end.
  (func (export "count") (param $at i32) (param $end i32)
    (local $bits i32) (local $start i32) (local $found i32) (local $longest i32) (local $lines i32) (local $size i32)
    (local.set $start (local.get $at))
    (block $done (loop $next
      (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
      (local.set $bits (i8x16.bitmask (i8x16.eq (v128.load (local.get $at)) (i8x16.splat (i32.const 10)))))
      (block $none (loop $bit
        (br_if $none (i32.eqz (local.get $bits)))
        (local.set $found (i32.add (local.get $at) (i32.ctz (local.get $bits))))
        (local.set $size (i32.sub (local.get $found) (local.get $start)))
        (if (i32.gt_u (local.get $size) (local.get $longest)) (then (local.set $longest (local.get $size))))
        (local.set $lines (i32.add (local.get $lines) (i32.const 1)))
        (local.set $start (i32.add (local.get $found) (i32.const 1)))
        (local.set $bits (i32.and (local.get $bits) (i32.sub (local.get $bits) (i32.const 1))))
        (br $bit)))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br $next)))
    (if (i32.lt_u (local.get $start) (local.get $end)) (then
      (local.set $lines (i32.add (local.get $lines) (i32.const 1)))
      (local.set $size (i32.sub (local.get $end) (local.get $start)))
      (if (i32.gt_u (local.get $size) (local.get $longest)) (then (local.set $longest (local.get $size))))))
    (global.set $lines (local.get $lines))
    (global.set $longest (local.get $longest)))

  ;; Keeps where an anchor begins, of those that end behind what the lane before has read.
  (func $place (param $end i32) (param $length i32) (param $lane i32)
    (local $count i32)
    (if (i32.le_u (local.get $end) (i32.load (local.get $lane))) (then (return)))
    (if (i32.eq (i32.load offset=4 (local.get $lane)) (i32.const ${PLACES})) (then (call $flush (local.get $lane))))
    (local.set $count (i32.load offset=4 (local.get $lane)))
    (i32.store
      (i32.add (i32.load offset=8 (local.get $lane)) (i32.shl (local.get $count) (i32.const 2)))
      (i32.sub (local.get $end) (local.get $length)))
    (i32.store offset=4 (local.get $lane) (i32.add (local.get $count) (i32.const 1))))

  ;; Whether a parenthesis may follow, or what could stand before it.
  (func $called (param $at i32) (result i32)
    (local $byte i32)
    (loop $next
      (local.set $byte (i32.load8_u (local.get $at)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (br_if $next (i32.load8_u offset=${GAP} (local.get $byte))))
    (i32.or
      (i32.or (i32.eq (local.get $byte) (i32.const 40)) (i32.eq (local.get $byte) (i32.const 47)))
      (i32.or (i32.eq (local.get $byte) (i32.const 35)) (i32.eq (local.get $byte) (i32.const 92)))))

  ;; Notes the literals that end in a row, before a place. A row of which all were met is done.
  (func $note (param $row i32) (param $end i32) (param $lane i32)
    (local $item i32) (local $id i32) (local $fact i32) (local $start i32) (local $left i32)
    (local.set $item ${at('outputs', 'row')})
    (block $done (loop $next
      (local.set $id (i32.load16_u (local.get $item)))
      (br_if $done (i32.eq (local.get $id) (i32.const 0xffff)))
      (local.set $item (i32.add (local.get $item) (i32.const 2)))
      (br_if $next (i32.eq ${at('seen', 'id')} (global.get $stamp)))
      (local.set $left (i32.const 1))
      (local.set $fact ${at('facts', 'id')})
      (local.set $start (i32.sub (local.get $end) (i32.shr_u (local.get $fact) (i32.const 8))))
      (if (i32.and (local.get $fact) (i32.const 4)) (then
        (call $place (local.get $end) (i32.shr_u (local.get $fact) (i32.const 8)) (local.get $lane))
        (br $next)))
      (if (i32.and (local.get $fact) (i32.const 1)) (then
        (br_if $next (i32.load8_u offset=${WORD} (i32.load8_u (local.get $end))))
        (br_if $next (i32.load8_u offset=${WORD} (i32.load8_u (i32.sub (local.get $start) (i32.const 1)))))))
      (if (i32.and (local.get $fact) (i32.const 2)) (then
        (br_if $next (i32.eqz (call $called (local.get $end))))))
      (i32.store (i32.add (global.get $seen) (i32.shl (local.get $id) (i32.const 2))) (global.get $stamp))
      (i32.store16 (i32.add (global.get $list) (i32.shl (global.get $met) (i32.const 1))) (local.get $id))
      (global.set $met (i32.add (global.get $met) (i32.const 1)))
      (br $next)))
    (if (i32.eqz (local.get $left)) (then
      (i32.store (i32.add (global.get $done) (i32.shl (local.get $row) (i32.const 2))) (global.get $stamp)))))
  ${scan('one', LANES.slice(0, 1))}
  ${scan('all', LANES)}
)`

/** Writes the module under the root. */
export async function generatePass(root: string): Promise<void> {
  // Loaded here: it takes a while, and nothing else needs it.
  const { default: load } = await import('wabt')
  const wabt = await load()
  const { buffer } = wabt.parseWat('pass.wat', MODULE, { simd: true }).toBinary({})
  writeFileSync(
    join(root, 'engine/detect/prefilter/pass.gen.ts'),
    `// Generated by npm run generate from scripts/generate-pass.ts. Do not edit.

/** The pass in WebAssembly, in base64. */
export const PASS =
  '${Buffer.from(buffer).toString('base64')}'

/** Places of a text that it reads in turn. */
export const LANES = ${LANES.length}

/** Where it has its tables, and the numbers of each lane; so many places a lane has room for. */
export const LAYOUT = { classes: ${CLASS}, words: ${WORD}, gaps: ${GAP}, lanes: ${LANE}, places: ${PLACES} }
`,
  )
}
