/** What names stand for in code that declares them nowhere: the lines that a whole file would have for them. */
export interface AssumedNames {
  names: string[]
  /** What they stand for, as a sentence names it: "the HTTP request of Flask". */
  means: string
  /** The line that declares a name in the code; U+FFFC stands for the name. */
  before: string
  /** An expression that the code matches where it says by more than the name that this is meant. */
  written?: string
}

/** What code that is no whole file is the inside of. */
export interface Surrounding {
  before: string
  after: string
  /** As a sentence names it: "the body of a method". */
  means: string
  /** An expression that code without a class matches where it is the inside of this, although it can be read without it. */
  written?: string
}

/** How it is asked what a name of unknown origin does in the code. */
export interface UnknownNames {
  /** The line that makes the name untrusted input; U+FFFC stands for the name. */
  before: string
  /** Names that need no declaration: of the language and its environment, and by convention; `/expression/` over names for several. */
  known?: string[]
}

/** What a language's code is taken for where it lacks its imports or the function around it. */
export interface SnippetModel {
  names: AssumedNames[]
  /** The first under which the code is one without errors is taken. */
  around: Surrounding[]
  /** An expression over what stays in front of lines that are put into the code, such as imports. */
  head?: string
  unknown?: UnknownNames
}
