/**
 * A literal that a file must contain, ASCII case folded. `word` literals stand between characters that are no part of an
 * identifier, so `free` is not found in `kfree`; of prose about "the system", `call` keeps a rule on `system()` away.
 */
export interface Literal {
  text: string
  word: boolean
  /** The word is called: an opening parenthesis follows, with nothing but space or a comment between. */
  call?: boolean
}

/** One of these must be in the file. */
export type Clause = Literal[]

/** Every clause must hold for a rule to be able to match: a necessary condition, never a sufficient one. Empty: no condition known. */
export type Requirement = Clause[]
