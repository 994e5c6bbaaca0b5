/** The forms in which an import graph is written. */
export const GRAPH_FORMATS = ['mermaid', 'dot', 'json', 'html'] as const
export type GraphFormat = (typeof GRAPH_FORMATS)[number]
