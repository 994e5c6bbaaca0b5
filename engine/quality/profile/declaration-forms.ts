/** How a language declares functions and types, line by line, and how it documents them. A line is cut at 500 characters before it is matched. */
export interface DeclarationForm {
  languages: readonly string[]
  /** Each captures the name. The first that matches a line counts. */
  functions: readonly RegExp[]
  types: readonly RegExp[]
  /** Whether a declaration can be used from outside: by its line, or by its name. */
  isPublic: RegExp
  /** Where documentation stands: a comment that ends above the declaration, or a string below it. */
  documented: 'above' | 'below'
  /** The last line of a documentation comment above, without blanks at its end. */
  comment?: RegExp
  /** Lines between the comment and the declaration: decorators, attributes. */
  between?: RegExp
  /** Types of parameters or of the result, in the head from its first parenthesis on; absent where the language always has them. */
  typed?: RegExp
  /** Styles of names that the language's own convention accepts. */
  names: { functions: readonly NameStyle[]; types: readonly NameStyle[]; source: string }
  /** Lines, and what is declared in them: `name` or `name documented`. A test holds them. */
  examples: readonly [text: string, declared: string][]
}

export type NameStyle = 'snake_case' | 'camelCase' | 'PascalCase' | 'UPPER_CASE'

const BLOCK_END = /\*\/$/
const ANNOTATION = /^\s*(?:@|\[[A-Z#]|#\[)/

export const DECLARATION_FORMS: readonly DeclarationForm[] = [
  {
    languages: ['python'],
    functions: [/^\s*(?:async\s+)?def\s+(\w+)/],
    types: [/^\s*class\s+(\w+)/],
    isPublic: /^\s*(?:async\s+def|def|class)\s+(?!_)/,
    documented: 'below',
    typed: /->|\w ?: ?\w/,
    names: { functions: ['snake_case'], types: ['PascalCase'], source: 'PEP 8' },
    examples: [
      ['def load(path: str) -> str:\n    """Read a file."""\n', 'load documented'],
      ['class Store:\n    pass\n', 'Store'],
    ],
  },
  {
    languages: ['javascript', 'typescript', 'tsx', 'jsx', 'vue', 'svelte'],
    functions: [
      /^\s*(?:export\s+)?(?:default\s+)?(?:async\s+)?function\s*\*?\s*([\w$]+)/,
      /^\s*(?:export\s+)?const\s+([\w$]+)\s*(?::[^=]{1,200})?=\s*(?:async\s*)?(?:\(|[\w$]+\s*=>|function\b)/,
    ],
    types: [/^\s*(?:export\s+)?(?:default\s+)?(?:abstract\s+)?(?:class|interface|enum)\s+([\w$]+)/],
    isPublic: /^\s*export\b/,
    documented: 'above',
    comment: BLOCK_END,
    between: /^\s*@/,
    names: {
      functions: ['camelCase', 'PascalCase', 'UPPER_CASE'],
      types: ['PascalCase'],
      source: 'MDN, Google JavaScript Style Guide',
    },
    examples: [
      ['/** Adds. */\nexport function add(a, b) {\n', 'add documented'],
      ['export const readAll = async (path) => {\n', 'readAll'],
    ],
  },
  {
    languages: ['java', 'csharp'],
    functions: [
      /^\s*(?:(?:public|protected|private|static|final|abstract|synchronized|override|virtual|async|internal|sealed)\s+)+[\w<>[\],.?]+(?:\s+[\w<>[\],.?]+)?\s+(\w+)\s*\(/,
    ],
    types: [
      /^\s*(?:(?:public|protected|private|static|final|abstract|sealed|internal|partial)\s+)*(?:class|interface|enum|record|struct)\s+(\w+)/,
    ],
    isPublic: /^\s*(?:\w+\s+)*?public\b/,
    documented: 'above',
    comment: /\*\/$|^\s*\/\/\//,
    between: ANNOTATION,
    names: {
      functions: ['camelCase', 'PascalCase'],
      types: ['PascalCase'],
      source: 'Java Language Specification 6.1; .NET design guidelines',
    },
    examples: [
      ['    /** Adds. */\n    public int add(int a, int b) {\n', 'add documented'],
      ['public class Store {\n', 'Store'],
    ],
  },
  {
    languages: ['go'],
    functions: [/^func\s+(?:\([^)]{1,100}\)\s*)?(\w+)/],
    types: [/^type\s+(\w+)\s+(?:struct|interface)/],
    isPublic: /^(?:func\s+(?:\([^)]{1,100}\)\s*)?|type\s+)[A-Z]/,
    documented: 'above',
    comment: /^\/\/|\*\/$/,
    names: { functions: ['camelCase', 'PascalCase'], types: ['PascalCase', 'camelCase'], source: 'Effective Go' },
    examples: [
      ['// Add adds.\nfunc Add(a, b int) int {\n', 'Add documented'],
      ['func (s *Store) get() {\n', 'get'],
    ],
  },
  {
    languages: ['rust'],
    functions: [/^\s*(?:pub(?:\([^)]{1,60}\))?\s+)?(?:const\s+|async\s+|unsafe\s+)*fn\s+(\w+)/],
    types: [/^\s*(?:pub(?:\([^)]{1,60}\))?\s+)?(?:struct|enum|trait)\s+(\w+)/],
    isPublic: /^\s*pub\s/,
    documented: 'above',
    comment: /^\s*\/\/\/|\*\/$/,
    between: ANNOTATION,
    names: { functions: ['snake_case'], types: ['PascalCase'], source: 'Rust RFC 430' },
    examples: [
      ['/// Adds.\n#[inline]\npub fn add(a: u8) -> u8 {\n', 'add documented'],
      ['struct Store;\n', 'Store'],
    ],
  },
  {
    languages: ['ruby'],
    functions: [/^\s*def\s+(?:self\.)?(\w+)/],
    types: [/^\s*(?:class|module)\s+(?:\w+::)*(\w+)/],
    isPublic: /^/,
    documented: 'above',
    comment: /^\s*#/,
    names: { functions: ['snake_case'], types: ['PascalCase'], source: 'Ruby Style Guide' },
    examples: [
      ['# Adds.\ndef add(a)\n', 'add documented'],
      ['class Store\n', 'Store'],
    ],
  },
  {
    languages: ['php'],
    functions: [/^\s*(?:(?:public|protected|private|static|final|abstract)\s+)*function\s+&?(\w+)/],
    types: [/^\s*(?:abstract\s+|final\s+|readonly\s+)*(?:class|interface|trait|enum)\s+(\w+)/],
    isPublic: /^\s*(?!(?:\w+\s+)*?(?:private|protected)\b)/,
    documented: 'above',
    comment: BLOCK_END,
    between: ANNOTATION,
    typed: /\) ?:|[A-Za-z] &?(?:\.\.\.)?\$/,
    names: { functions: ['camelCase', 'snake_case'], types: ['PascalCase'], source: 'PSR-1' },
    examples: [
      ['/** Adds. */\npublic function add(int $a): int\n', 'add documented'],
      ['final class Store\n', 'Store'],
    ],
  },
  {
    languages: ['kotlin', 'swift', 'scala'],
    functions: [/^\s*(?:[\w@]+\s+)*?(?:fun|func|def)\s+(?:<[^>]{1,60}>\s*)?(?:\w+\.)?(\w+)/],
    types: [/^\s*(?:[\w@]+\s+)*?(?:class|interface|struct|protocol|trait|enum)\s+(\w+)/],
    isPublic: /^\s*(?!(?:\w+\s+)*?(?:private|internal|fileprivate|protected)\b)/,
    documented: 'above',
    comment: /\*\/$|^\s*\/\/\//,
    between: ANNOTATION,
    names: { functions: ['camelCase'], types: ['PascalCase'], source: 'Kotlin, Swift and Scala style guides' },
    examples: [
      ['/** Adds. */\nfun add(a: Int): Int {\n', 'add documented'],
      ['class Store {\n', 'Store'],
    ],
  },
]
