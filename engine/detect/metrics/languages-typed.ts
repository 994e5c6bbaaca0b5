import type { Syntax } from './syntax.ts'

export const JAVASCRIPT: Syntax = {
  blocks: 'braces',
  newlines: true,
  ternary: true,
  methods: 'members',
  arrow: '=>',
  arrowFunctions: true,
  roles: {
    if: ['if'],
    else: ['else'],
    loop: ['for'],
    while: ['while'],
    do: ['do'],
    switch: ['switch'],
    case: ['case'],
    catch: ['catch'],
    try: ['try', 'finally'],
    function: ['function'],
    class: ['class'],
    new: ['new'],
    jump: ['break', 'continue'],
    binary: ['in', 'of', 'instanceof', 'extends'],
    operator: [
      'return',
      'throw',
      'typeof',
      'await',
      'yield',
      'delete',
      'void',
      'default',
      'export',
      'const',
      'let',
      'var',
    ],
  },
}

export const TYPESCRIPT: Syntax = {
  ...JAVASCRIPT,
  roles: {
    ...JAVASCRIPT.roles,
    class: ['class', 'enum', 'namespace', 'module'],
    interface: ['interface'],
    type: ['type'],
    binary: ['in', 'of', 'instanceof', 'extends', 'as', 'satisfies', 'implements', 'is', 'keyof'],
    // Without `void`, which more often ends a declaration.
    operator: JAVASCRIPT.roles.operator!.filter(word => word !== 'void'),
  },
}

export const C: Syntax = {
  blocks: 'braces',
  ternary: true,
  methods: 'top',
  preprocessor: true,
  roles: {
    if: ['if'],
    else: ['else'],
    loop: ['for'],
    while: ['while'],
    do: ['do'],
    switch: ['switch'],
    case: ['case'],
    class: ['struct', 'union', 'enum'],
    jump: ['goto'],
    operator: ['return', 'sizeof', 'extern'],
  },
}

export const CPP: Syntax = {
  ...C,
  roles: {
    ...C.roles,
    catch: ['catch'],
    try: ['try'],
    class: ['struct', 'union', 'enum', 'class', 'namespace'],
    and: ['and'],
    or: ['or'],
    operator: ['return', 'sizeof', 'extern', 'throw', 'new', 'delete', 'co_return', 'co_await', 'co_yield'],
  },
}

export const OBJECTIVE_C: Syntax = { ...C, roles: { ...C.roles, class: [...C.roles.class!, 'interface', 'protocol'] } }

export const JAVA: Syntax = {
  blocks: 'braces',
  arrow: '->',
  ternary: true,
  methods: 'members',
  roles: {
    if: ['if'],
    else: ['else'],
    loop: ['for'],
    while: ['while'],
    do: ['do'],
    switch: ['switch'],
    case: ['case'],
    catch: ['catch'],
    try: ['try', 'finally', 'synchronized'],
    class: ['class', 'interface', 'enum', 'record'],
    new: ['new'],
    jump: ['break', 'continue'],
    binary: ['instanceof', 'extends', 'implements'],
    operator: ['return', 'throw', 'assert', 'yield', 'default'],
  },
}

export const CSHARP: Syntax = {
  ...JAVA,
  ternary: 'spaced',
  arrow: '=>',
  methods: 'members',
  expressionBodies: '=>',
  preprocessor: true,
  roles: {
    ...JAVA.roles,
    loop: ['for', 'foreach'],
    try: ['try', 'finally', 'using', 'lock', 'fixed', 'checked', 'unchecked', 'unsafe'],
    class: ['class', 'interface', 'enum', 'record', 'struct', 'namespace'],
    accessor: ['get', 'set', 'init', 'add', 'remove'],
    jump: ['goto'],
    and: ['and'],
    or: ['or'],
    binary: ['is', 'as', 'in', 'where'],
    operator: ['return', 'throw', 'await', 'yield'],
  },
}

export const KOTLIN: Syntax = {
  blocks: 'braces',
  arrow: '->',
  newlines: true,
  methods: 'members',
  expressionBodies: '=',
  braceLambdas: true,
  arms: true,
  roles: {
    if: ['if'],
    else: ['else'],
    loop: ['for'],
    while: ['while'],
    do: ['do'],
    switch: ['when'],
    catch: ['catch'],
    try: ['try', 'finally'],
    function: ['fun'],
    class: ['class', 'interface', 'object'],
    accessor: ['init'],
    binary: ['in', 'is', 'as', 'by', 'where'],
    operator: ['return', 'throw'],
  },
}

export const SWIFT: Syntax = {
  blocks: 'braces',
  newlines: true,
  bareHeads: true,
  ternary: 'spaced',
  braceLambdas: true,
  roles: {
    if: ['if'],
    else: ['else'],
    guard: ['guard'],
    loop: ['for'],
    while: ['while'],
    do: ['repeat'],
    switch: ['switch'],
    case: ['case'],
    catch: ['catch'],
    try: ['do', 'defer'],
    function: ['func', 'init', 'deinit', 'subscript'],
    class: ['class', 'struct', 'enum', 'protocol', 'extension', 'actor'],
    accessor: ['get', 'set', 'willSet', 'didSet'],
    jump: ['break', 'continue'],
    binary: ['in', 'is', 'as', 'where'],
    operator: ['return', 'throw', 'try', 'await', 'let', 'var'],
  },
}

export const GO: Syntax = {
  blocks: 'braces',
  newlines: true,
  bareHeads: true,
  braceTypes: ['interface', 'struct'],
  roles: {
    if: ['if'],
    else: ['else'],
    loop: ['for'],
    switch: ['switch', 'select'],
    case: ['case'],
    function: ['func'],
    jump: ['break', 'continue', 'goto'],
    operator: ['return', 'range', 'defer', 'go', 'default', 'map', 'chan'],
  },
}

export const RUST: Syntax = {
  blocks: 'braces',
  arrow: '=>',
  bareHeads: true,
  arms: true,
  labels: "'",
  roles: {
    if: ['if'],
    else: ['else'],
    loop: ['for', 'loop'],
    while: ['while'],
    switch: ['match'],
    function: ['fn'],
    class: ['struct', 'enum', 'union', 'trait', 'impl', 'mod', 'extern'],
    jump: ['break', 'continue'],
    binary: ['in', 'as', 'where'],
    operator: ['return', 'await', 'let', 'move', 'unsafe'],
  },
}

export const SCALA: Syntax = {
  blocks: 'braces',
  arrow: '=>',
  newlines: true,
  expressionBodies: '=',
  braceLambdas: true,
  roles: {
    if: ['if'],
    else: ['else'],
    loop: ['for'],
    while: ['while'],
    do: ['do'],
    switch: ['match'],
    case: ['case'],
    catch: ['catch'],
    try: ['try', 'finally'],
    function: ['def'],
    class: ['class', 'object', 'trait', 'enum', 'given', 'extension'],
    new: ['new'],
    binary: ['extends', 'with'],
    operator: ['return', 'throw', 'yield'],
  },
}
