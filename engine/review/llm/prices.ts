/** What a million tokens cost in US dollars. Prices change: `llm.usd_per_million_input` and `_output` in the configuration take precedence. */
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
  ['gpt-5', { input: 1.25, output: 10 }],
  ['gpt-5-mini', { input: 0.25, output: 2 }],
  ['gpt-5-nano', { input: 0.05, output: 0.4 }],
  ['gpt-4.1', { input: 2, output: 8 }],
  ['gpt-4.1-mini', { input: 0.4, output: 1.6 }],
  ['gpt-4o', { input: 2.5, output: 10 }],
  ['gpt-4o-mini', { input: 0.15, output: 0.6 }],
]

/** The price of a model; undefined where it is not known. */
export function findPrice(model: string): Price | undefined {
  return PRICES.filter(([name]) => model.startsWith(name)).sort(([a], [b]) => b.length - a.length)[0]?.[1]
}

export function computeCost({ input, output }: { input: number; output: number }, price: Price): number {
  return (input * price.input + output * price.output) / 1e6
}
