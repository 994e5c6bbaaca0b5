/** How a program depends on a technology: a store, queue or service that it reaches, or a framework that it is built with. */
export type TechnologyKind = ReachedKind | FrameworkKind
export type ReachedKind = 'store' | 'queue' | 'service'
export type FrameworkKind = 'web' | 'frontend' | 'test' | 'data' | 'mobile' | 'build'

/** A technology, by what shows it in code, manifests and infrastructure files. */
export interface Technology {
  id: string
  name: string
  kind: TechnologyKind
  /** Modules as code imports them: the name itself, or what begins with it and a separator. `npm:` before a word that means something else in other languages. */
  modules: readonly string[]
  /** Container images without registry and tag. */
  images?: readonly string[]
  /** Schemes of connection addresses, without `://`; and words that stand for it in settings. */
  schemes?: readonly string[]
  /** A library that reaches one of several databases: it counts only where none of them shows. */
  generic?: true
  /** It lies in the program's own process or on its disk. */
  embedded?: true
  /** A service of the machine itself, such as a device or the daemon of containers. */
  local?: true
  /** Of a framework: the id of what a program that imports it reaches. */
  reaches?: string
}

/** A technology that programs reach. */
export interface Reached extends Technology {
  kind: ReachedKind
}

const listWords = (words: string): string[] => words.split(' ').filter(word => word !== '')

export const store = (id: string, name: string, modules: string, more: Partial<Technology> = {}): Reached => ({
  ...{ id, name, kind: 'store', modules: listWords(modules) },
  ...(more as Partial<Reached>),
})
export const queue = (id: string, name: string, modules: string, more: Partial<Technology> = {}): Reached => ({
  ...store(id, name, modules, more),
  kind: 'queue',
})
export const service = (id: string, name: string, modules: string, more: Partial<Technology> = {}): Reached => ({
  ...store(id, name, modules, more),
  kind: 'service',
})
