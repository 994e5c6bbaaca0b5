/** What a function asks whose name says that it lets through what is as it should be. */
const GOOD =
  /^(?:is|has|check|validate|verify|ensure)?_?\w*(?:[vV]alid|[sS]afe|[aA]llowed|[wW]hitelist|[tT]rusted|[pP]ermitted)\w*$/

/** What a function asks whose name says that it holds for what must be kept out. */
const BAD =
  /^(?:is|has|contains|includes)_?(?:\w*_)?\w*?(?:[uU]nsafe|[iI]nvalid|[uU]ntrusted|[dD]isallowed|(?:[nN]ot|[uU]n|[iI]n|[dD]is)_?(?:[vV]alid|[sS]afe|[aA]llowed|[tT]rusted|[pP]ermitted)|[fF]orbidden|[bB]locked|[bB]lacklisted|[dD]enied|[mM]alicious|[dD]angerous)\w*$/

/** What a function asks whose name says that it holds for an address of the own network. Of what else stands in the text it says nothing. */
const INTERNAL =
  /^(?:is|has|contains|includes)_?(?:\w*_)?\w*?(?:[pP]rivate(?:_?[iI][pP]|_?[aA]ddress|_?[hH]ost|_?[nN]etwork|_?[oO]r_?[lL])|[iI]nternal_?(?:[iI][pP]|[aA]ddress|[hH]ost|[uU][rR][lL])|[lL]oopback)\w*$/

/** Classes of sink for which an address is clean whose host was compared. */
export const ADDRESS: readonly string[] = ['url', 'redirect']

/** Functions that a name says to be a check of a path's place. */
const OF_PLACE =
  /(?:is|check|ensure|assert|validate|verify|path|contains).*(?:child|inside|within|outside|sub_?(?:path|dir|folder)|descendant|contain(?!er)|travers)/i

/** The classes of sink for which a function's name says that what it was asked about is harmless where it answered yes (`held`) or no; `*` is all. */
export function listPassedClasses(name: string, held: boolean): readonly string[] {
  if (held) return GOOD.test(name) && !BAD.test(name) ? ['*'] : []
  if (BAD.test(name)) return ['*']
  return INTERNAL.test(name) ? ADDRESS : []
}

/** Whether a function's name says that it asks for the place of a path: whichever way it is asked, what goes on is what was found to be in its place. */
export function asksPlace(name: string): boolean {
  return OF_PLACE.test(name)
}
