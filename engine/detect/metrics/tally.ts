/** What is counted of one function. Lines are numbered from 1. */
export interface FunctionMetrics {
  /** Where its name stands in the text; an empty stretch where it has none. */
  name_start: number
  name_end: number
  line: number
  end_line: number
  parameters: number
  /** Deepest nesting of control structures. */
  nesting: number
  cyclomatic: number
  cognitive: number
  /** What other readings count beside: ESLint's `complexity` what defaults, `?.`, `??` and logical assignments decide. */
  shortcuts: number
  /** How much of `cognitive` sequences of `||` and `??` make, which eslint-plugin-sonarjs leaves out. */
  alternatives: number
}

/** A function that is being read. */
export class OpenFunction {
  nameStart = 0
  nameEnd = 0
  line = 0
  /** -1 until its parameters were seen. */
  parameters = -1
  cyclomatic = 1
  cognitive = 0
  shortcuts = 0
  alternatives = 0
  /** What a decision that begins now costs beside 1. */
  nesting = 0
  depth = 0
  deepest = 0

  begin(line: number): void {
    this.nameStart = this.nameEnd = 0
    this.line = line
    this.parameters = -1
    this.cyclomatic = 1
    this.cognitive = this.shortcuts = this.alternatives = 0
    this.nesting = this.depth = this.deepest = 0
  }
}

/** Adds up the functions of a text. Code outside functions is counted into none, its nesting aside. */
export class Tally {
  functions = 0
  longest = 0
  nesting = 0
  cyclomatic = 0
  highestCyclomatic = 0
  cognitive = 0
  highestCognitive = 0
  parameters = 0
  /** Each function, where they are asked for. */
  readonly listed: FunctionMetrics[] | undefined
  readonly #open: OpenFunction[] = [new OpenFunction()]
  #depth = 0
  /** The function that is being read. */
  current: OpenFunction = this.#open[0]!

  constructor(lists: boolean) {
    this.listed = lists ? [] : undefined
  }

  begin(line: number): OpenFunction {
    this.#depth++
    if (this.#depth === this.#open.length) this.#open.push(new OpenFunction())
    this.current = this.#open[this.#depth]!
    this.current.begin(line)
    return this.current
  }

  /** Gives the function that is being read its name. */
  name(start: number, end: number): void {
    this.current.nameStart = start
    this.current.nameEnd = end
  }

  /** Ends the function; one that is not `counted` was none: a declaration, the body of a class. */
  end(line: number, counted: boolean): void {
    const ended = this.current
    this.#depth--
    this.current = this.#open[this.#depth]!
    if (ended.deepest > this.nesting) this.nesting = ended.deepest
    if (!counted) return
    this.functions++
    const lines = line - ended.line + 1
    if (lines > this.longest) this.longest = lines
    this.cyclomatic += ended.cyclomatic
    if (ended.cyclomatic > this.highestCyclomatic) this.highestCyclomatic = ended.cyclomatic
    this.cognitive += ended.cognitive
    if (ended.cognitive > this.highestCognitive) this.highestCognitive = ended.cognitive
    const parameters = Math.max(0, ended.parameters)
    if (parameters > this.parameters) this.parameters = parameters
    this.listed?.push({
      name_start: ended.nameStart,
      name_end: ended.nameEnd,
      line: ended.line,
      end_line: line,
      parameters,
      nesting: ended.deepest,
      cyclomatic: ended.cyclomatic,
      cognitive: ended.cognitive,
      shortcuts: ended.shortcuts,
      alternatives: ended.alternatives,
    })
  }

  /** What is outside all functions, at the end of the text. */
  conclude(): void {
    if (this.#open[0]!.deepest > this.nesting) this.nesting = this.#open[0]!.deepest
  }

  /** A decision that costs by how deep it is nested. */
  decide(): void {
    this.current.cyclomatic++
    this.current.cognitive += 1 + this.current.nesting
  }

  /** One more control structure deep; `nests` where what is inside costs more. */
  enter(nests: boolean): void {
    const { current } = this
    if (nests) current.nesting++
    if (++current.depth > current.deepest) current.deepest = current.depth
  }

  leave(nests: boolean): void {
    if (nests) this.current.nesting--
    this.current.depth--
  }
}
