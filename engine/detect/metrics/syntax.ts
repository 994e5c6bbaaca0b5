/** What a word of a language does to the structure of code; words that are not in a language's table are names. */
export type Role =
  /** Begins a branch: `if`, `unless`. */
  | 'if'
  /** Begins a further branch of the same decision in one word: `elif`. */
  | 'elseif'
  /** The branch that is taken otherwise. */
  | 'else'
  /** A condition whose `else` leaves: Swift's `guard`. */
  | 'guard'
  | 'loop'
  /** A loop that also ends a `do`. */
  | 'while'
  /** A loop whose condition comes last: `do`, `repeat`. */
  | 'do'
  /** A choice between values, which its head has: `switch`, `match`. */
  | 'switch'
  /** One value of a choice: `case`. */
  | 'case'
  /** The value of a choice that is left: `default`. */
  | 'default'
  | 'catch'
  /** A block that nests and decides nothing: `try`, `finally`, `with`. */
  | 'try'
  | 'function'
  /** A block whose code is members: a class, a namespace. */
  | 'class'
  /** A block of declarations without code: TypeScript's `interface`. */
  | 'interface'
  /** A statement that is a type: TypeScript's `type`. */
  | 'type'
  /** Names a block that is a function without parameters: `get` of a property. */
  | 'accessor'
  | 'new'
  /** Leaves for a label where one follows: `break`, `goto`. */
  | 'jump'
  | 'and'
  | 'or'
  /** A word between operands. */
  | 'binary'
  /** A word that an operand follows: `return`. */
  | 'operator'
  /** Opens a block that `end` ends: `begin`. */
  | 'begin'
  /** Ends a block. */
  | 'end'

/** Where functions, decisions and nesting are seen in a language's code, comments and strings aside. */
export interface Syntax {
  /** What delimits blocks: braces, indentation, or words (`end`, `fi`). */
  blocks: 'braces' | 'indentation' | 'words'
  roles: Readonly<Partial<Record<Role, readonly string[]>>>
  /** The end of a line ends a statement that can end there. */
  newlines?: true
  /** The head of a decision has no parentheses of its own: its body begins with the first brace. */
  bareHeads?: true
  /** `a ? b : c`; `spaced` where a question mark without a space before it is something else. */
  ternary?: true | 'spaced'
  /** Parentheses and then a brace make a function: among members, or outside functions too. */
  methods?: 'members' | 'top'
  /** The arrow that stands before the body of a function or of a value of a choice; another is a way to a member, or stands before a type. */
  arrow?: '=>' | '->'
  /** An arrow makes a function of its own (JavaScript); else what is behind it belongs to the function around it. */
  arrowFunctions?: true
  /** `fun f() = …`, `int F() => …`: the function's body is an expression. */
  expressionBodies?: '=' | '=>'
  /** A brace where an expression may go on is a lambda, which nests. */
  braceLambdas?: true
  /** An arrow in a choice is one of its values: Rust's `match`. */
  arms?: true
  /** Lines that begin with a number sign are for a preprocessor. */
  preprocessor?: true
  /** A word behind which a brace belongs to a type: `interface{}`. */
  braceTypes?: readonly string[]
  /** Words may be called like keywords behind these characters. */
  labels?: string
}
