/**
 * Which values of a language cannot hold a quote, a separator or a tag, however they were made: numbers, truth values, UUIDs, dates,
 * members of enumerations. Plain data; the taint analysis and the rules of syntax read the same.
 */
export interface SimpleTypes {
  /** Names of the types, without their package or module. */
  types: readonly string[]
  /** Types that hold nothing but what their type arguments say: lists, sets, optional values. */
  containers: readonly string[]
  /** Types that hold text. */
  texts: readonly string[]
  /** An expression over a call's full name: its result is simple, whatever it is given. */
  results: string
  /** The same: its result says no more than what it is given, in another form. */
  conversions?: string
  /** The same: it puts its arguments into the format that it is given first, or that it is called on. */
  formats?: string
  /** Members of any object that are simple, properties and methods without arguments. */
  members: readonly string[]
  /** An expression over what a type's declaration begins with, where it is an enumeration that no kind of node shows. */
  enumeration?: string
  /** A cast only states a type to the compiler, and the value stays what it is. */
  castsAreErased?: true
  /** Operators other than `+` make numbers: no type can give them another meaning. */
  calculates?: true
}
