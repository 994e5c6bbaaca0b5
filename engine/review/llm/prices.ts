/** What a million tokens cost in US dollars. Prices change: a higher `llm.usd_per_million_input` or `_output` in the configuration counts instead. */
export interface Price {
  input: number
  output: number
}

/** List prices by the beginning of the model's name, the longest that fits; an estimate for the budget, not a bill. */
export const PRICES: readonly (readonly [model: string, price: Price])[] = [
  ['claude-opus-4', { input: 15, output: 75 }],
  ['claude-sonnet-4', { input: 3, output: 15 }],
  ['claude-haiku-4', { input: 1, output: 5 }],
  ['claude-3-5-haiku', { input: 0.8, output: 4 }],
  ['claude-3-opus', { input: 15, output: 75 }],
  ['gpt-5', { input: 1.25, output: 10 }],
  ['gpt-5-pro', { input: 15, output: 120 }],
  ['gpt-5-mini', { input: 0.25, output: 2 }],
  ['gpt-5-nano', { input: 0.05, output: 0.4 }],
  ['gpt-4.1', { input: 2, output: 8 }],
  ['gpt-4.1-mini', { input: 0.4, output: 1.6 }],
  ['gpt-4o', { input: 2.5, output: 10 }],
  ['gpt-4o-mini', { input: 0.15, output: 0.6 }],
  ['gpt-4.5', { input: 75, output: 150 }],
  ['o1', { input: 15, output: 60 }],
  ['o1-pro', { input: 150, output: 600 }],
]

/** The least that a model of a provider counts with if the list lacks it. */
export const UNLISTED_PRICE: Price = { input: 15, output: 75 }

/** The price of a model, also one with the name of its maker before it; undefined where it is not known. */
export function findPrice(model: string): Price | undefined {
  const own = model.slice(model.lastIndexOf('/') + 1)
  return PRICES.filter(([name]) => own.startsWith(name)).sort(([a], [b]) => b.length - a.length)[0]?.[1]
}

export function computeCost({ input, output }: { input: number; output: number }, price: Price): number {
  return (input * price.input + output * price.output) / 1e6
}
