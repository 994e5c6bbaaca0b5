import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { hashLeaf, MerkleTree, verifyConsistency, verifyInclusion } from '../../../engine/assure/notary/merkle.ts'
import fc from '../../made/property.ts'

const MOST = 64
const leaves = Array.from({ length: MOST }, (_, n) => hashLeaf(Buffer.from(`entry ${n}`)))
const tree = new MerkleTree()
for (const leaf of leaves) tree.append(leaf)

/** MTH as RFC 6962, section 2.1 writes it. */
function defineRoot(hashes: readonly Buffer[]): Buffer {
  if (hashes.length === 0) return createHash('sha256').digest()
  if (hashes.length === 1) return hashes[0]!
  let split = 1
  while (split * 2 < hashes.length) split *= 2
  const [left, right] = [defineRoot(hashes.slice(0, split)), defineRoot(hashes.slice(split))]
  return createHash('sha256').update(Buffer.of(1)).update(left).update(right).digest()
}

const roots = Array.from({ length: MOST + 1 }, (_, size) => defineRoot(leaves.slice(0, size)))
const flipped = (hash: Buffer) => Buffer.from(hash.map((byte, at) => (at === 7 ? byte ^ 1 : byte)))

describe('the Merkle tree', () => {
  it('has the root of the definition for every size to 64', () => {
    for (const [size, root] of roots.entries()) expect(tree.root(size).equals(root)).toBe(true)
  })

  it('has the roots of the reference leaves of Certificate Transparency', () => {
    const reference = new MerkleTree()
    const inputs = ['', '00', '10', '2021', '3031', '40414243', '5051525354555657', '606162636465666768696a6b6c6d6e6f']
    for (const input of inputs) reference.append(hashLeaf(Buffer.from(input, 'hex')))
    expect(reference.root(1).toString('hex')).toBe('6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d')
    expect(reference.root(8).toString('hex')).toBe('5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328')
  })

  it('proves each leaf in every size to 64, and no proof shows another leaf, index, size or root', () => {
    for (let size = 1; size <= MOST; size++) {
      const root = roots[size]!
      for (let index = 0; index < size; index++) {
        const path = tree.proveInclusion(index, size)
        const leaf = leaves[index]!
        expect(verifyInclusion(leaf, { index, size, path, root })).toBe(true)
        expect(verifyInclusion(flipped(leaf), { index, size, path, root })).toBe(false)
        expect(verifyInclusion(leaf, { index, size, path, root: flipped(root) })).toBe(false)
        expect(verifyInclusion(leaf, { index, size, path: [...path, leaf], root })).toBe(false)
        if (path.length > 0) expect(verifyInclusion(leaf, { index, size, path: path.slice(1), root })).toBe(false)
        if (size > 1) expect(verifyInclusion(leaf, { index: (index + 1) % size, size, path, root })).toBe(false)
      }
      expect(verifyInclusion(leaves[0]!, { index: size, size, path: [], root })).toBe(false)
    }
  })

  it('proves every size to 64 to be the beginning of every later one, and no other tree', () => {
    for (let to = 0; to <= MOST; to++)
      for (let from = 0; from <= to; from++) {
        const proof = tree.proveConsistency(from, to)
        const [first, second] = [
          { size: from, root: roots[from]! },
          { size: to, root: roots[to]! },
        ]
        expect(verifyConsistency(first, second, proof), `${from} to ${to}`).toBe(true)
        expect(verifyConsistency({ ...first, root: flipped(first.root) }, second, proof)).toBe(false)
        if (from > 0) expect(verifyConsistency(first, { ...second, root: flipped(second.root) }, proof)).toBe(false)
        if (from < to) expect(verifyConsistency(second, first, proof)).toBe(false)
        if (proof.length > 0) expect(verifyConsistency(first, second, proof.slice(0, -1))).toBe(false)
        if (from > 0 && from < to) expect(verifyConsistency(first, second, [...proof, roots[1]!])).toBe(false)
      }
  })

  it('is as it was before once its last leaf is taken away, at every size to 64', () => {
    const grown = new MerkleTree()
    for (const [size, leaf] of leaves.entries()) {
      grown.append(flipped(leaf))
      grown.removeLast()
      expect([grown.size, grown.root().equals(roots[size]!)]).toEqual([size, true])
      grown.append(leaf)
      expect(grown.root().equals(roots[size + 1]!)).toBe(true)
    }
  })

  it('no fork passes for the same log', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 63 }), fc.integer({ min: 1, max: 64 }), fc.nat(), (a, b, at) => {
        const [from, to] = [Math.min(a, b), Math.max(a, b)]
        const fork = new MerkleTree()
        for (const [n, leaf] of leaves.slice(0, to).entries()) fork.append(n === at % from ? flipped(leaf) : leaf)
        const first = { size: from, root: roots[from]! }
        return !verifyConsistency(first, { size: to, root: fork.root() }, fork.proveConsistency(from, to))
      }),
      { numRuns: 300 },
    )
  })

  it('refuses sizes and indexes that it does not have', () => {
    expect(() => tree.root(65)).toThrow(RangeError)
    expect(() => tree.proveInclusion(3, 3)).toThrow(RangeError)
    expect(() => tree.proveInclusion(-1, 3)).toThrow(RangeError)
    expect(() => tree.proveConsistency(4, 3)).toThrow(RangeError)
  })
})
