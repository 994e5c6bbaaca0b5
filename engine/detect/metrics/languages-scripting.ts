import { JAVA } from './languages-typed.ts'
import type { Syntax } from './syntax.ts'

export const PHP: Syntax = {
  blocks: 'braces',
  arrow: '=>',
  ternary: true,
  expressionBodies: '=>',
  arms: true,
  roles: {
    if: ['if'],
    elseif: ['elseif'],
    else: ['else'],
    loop: ['for', 'foreach'],
    while: ['while'],
    do: ['do'],
    switch: ['switch', 'match'],
    case: ['case'],
    default: ['default'],
    catch: ['catch'],
    try: ['try', 'finally'],
    function: ['function', 'fn'],
    class: ['class', 'interface', 'trait', 'enum', 'namespace'],
    new: ['new'],
    jump: ['goto'],
    and: ['and'],
    or: ['or'],
    binary: ['instanceof', 'as', 'extends', 'implements', 'insteadof'],
    operator: ['return', 'throw', 'echo', 'print', 'yield', 'include', 'require', 'use'],
  },
}

export const PERL: Syntax = {
  blocks: 'braces',
  ternary: true,
  roles: {
    if: ['if', 'unless'],
    elseif: ['elsif'],
    else: ['else'],
    loop: ['for', 'foreach'],
    while: ['while', 'until'],
    do: ['do'],
    function: ['sub'],
    class: ['package', 'class'],
    and: ['and'],
    or: ['or'],
    jump: ['next', 'last', 'redo', 'goto'],
    operator: ['return', 'not', 'eval'],
  },
}

export const DART: Syntax = {
  ...JAVA,
  ternary: 'spaced',
  arrow: '=>',
  methods: 'top',
  expressionBodies: '=>',
  roles: {
    ...JAVA.roles,
    try: ['try', 'finally'],
    class: ['class', 'enum', 'mixin', 'extension'],
    binary: ['is', 'as', 'in', 'extends', 'implements', 'with', 'on'],
    operator: ['return', 'throw', 'assert', 'yield', 'await', 'rethrow'],
  },
}

export const GROOVY: Syntax = { ...JAVA, newlines: true, methods: 'top', braceLambdas: true, ternary: true }

export const R: Syntax = {
  blocks: 'braces',
  newlines: true,
  roles: {
    if: ['if'],
    else: ['else'],
    loop: ['for', 'repeat'],
    while: ['while'],
    function: ['function'],
    binary: ['in'],
  },
}

export const ZIG: Syntax = {
  blocks: 'braces',
  arrow: '=>',
  roles: {
    if: ['if'],
    else: ['else'],
    loop: ['for'],
    while: ['while'],
    switch: ['switch'],
    function: ['fn'],
    class: ['struct', 'enum', 'union'],
    and: ['and'],
    or: ['or'],
    jump: ['break', 'continue'],
    operator: ['return', 'try'],
  },
  arms: true,
}

export const POWERSHELL: Syntax = {
  blocks: 'braces',
  newlines: true,
  roles: {
    if: ['if'],
    elseif: ['elseif'],
    else: ['else'],
    loop: ['for', 'foreach'],
    while: ['while'],
    do: ['do'],
    switch: ['switch'],
    catch: ['catch'],
    try: ['try', 'finally'],
    function: ['function', 'filter'],
    class: ['class'],
  },
}

export const SOLIDITY: Syntax = {
  ...JAVA,
  roles: {
    ...JAVA.roles,
    function: ['function', 'constructor', 'modifier', 'fallback', 'receive'],
    class: ['contract', 'library', 'interface', 'struct', 'enum'],
  },
}

export const PYTHON: Syntax = {
  blocks: 'indentation',
  roles: {
    if: ['if'],
    elseif: ['elif'],
    else: ['else'],
    loop: ['for'],
    while: ['while'],
    switch: ['match'],
    case: ['case'],
    catch: ['except'],
    try: ['try', 'finally', 'with'],
    function: ['def'],
    class: ['class'],
    and: ['and'],
    or: ['or'],
    operator: ['async', 'not', 'return', 'yield', 'await'],
  },
}

export const RUBY: Syntax = {
  blocks: 'words',
  newlines: true,
  ternary: 'spaced',
  roles: {
    if: ['if', 'unless'],
    elseif: ['elsif'],
    else: ['else'],
    loop: ['for'],
    while: ['while', 'until'],
    switch: ['case'],
    case: ['when', 'in'],
    catch: ['rescue'],
    function: ['def'],
    class: ['class', 'module'],
    begin: ['begin', 'do'],
    end: ['end'],
    and: ['and'],
    or: ['or'],
  },
}

export const LUA: Syntax = {
  blocks: 'words',
  roles: {
    if: ['if'],
    elseif: ['elseif'],
    else: ['else'],
    loop: ['for'],
    while: ['while'],
    do: ['repeat'],
    function: ['function'],
    begin: ['do'],
    end: ['end', 'until'],
    and: ['and'],
    or: ['or'],
    jump: ['goto'],
  },
}

export const SHELL: Syntax = {
  blocks: 'words',
  methods: 'top',
  roles: {
    if: ['if'],
    elseif: ['elif'],
    else: ['else'],
    loop: ['for', 'select'],
    while: ['while', 'until'],
    switch: ['case'],
    function: ['function'],
    end: ['fi', 'done', 'esac'],
  },
}

export const JULIA: Syntax = {
  blocks: 'words',
  ternary: 'spaced',
  roles: {
    if: ['if'],
    elseif: ['elseif'],
    else: ['else'],
    loop: ['for'],
    while: ['while'],
    catch: ['catch'],
    function: ['function', 'macro'],
    class: ['struct', 'module', 'baremodule'],
    begin: ['begin', 'let', 'quote', 'do', 'try'],
    end: ['end'],
  },
}
