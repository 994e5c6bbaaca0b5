/** What a function asks whose name says that it lets through what is as it should be. */
const GOOD =
  /^(?:is|has|check|validate|verify|ensure)?_?\w*(?:[vV]alid|[sS]afe|[aA]llowed|[wW]hitelist|[tT]rusted|[pP]ermitted)\w*$/

/** What a function asks whose name says that it holds for what must be kept out. */
const BAD =
  /^(?:is|has|contains|includes)_?(?:\w*_)?\w*?(?:[uU]nsafe|[iI]nvalid|[uU]ntrusted|[dD]isallowed|(?:[nN]ot|[uU]n|[iI]n|[dD]is)_?(?:[vV]alid|[sS]afe|[aA]llowed|[tT]rusted|[pP]ermitted)|[fF]orbidden|[bB]locked|[bB]lacklisted|[dD]enied|[mM]alicious|[dD]angerous|[pP]rivate(?:_?[iI][pP]|_?[aA]ddress|_?[hH]ost|_?[nN]etwork|_?[oO]r_?[lL])|[iI]nternal_?(?:[iI][pP]|[aA]ddress|[hH]ost|[uU][rR][lL])|[lL]oopback)\w*$/

/** Functions that a name says to be a check of a path's place. */
const OF_PLACE =
  /(?:is|check|ensure|assert|validate|verify|path|contains).*(?:child|inside|within|outside|sub_?(?:path|dir|folder)|descendant|contain(?!er)|travers)/i

/** Whether the name of a function says that what it was asked about is harmless where it answered yes (`held`) or no. */
export function isPassed(name: string, held: boolean): boolean {
  return held ? GOOD.test(name) && !BAD.test(name) : BAD.test(name)
}

/** Whether a function's name says that it asks for the place of a path: whichever way it is asked, what goes on is what was found to be in its place. */
export function asksPlace(name: string): boolean {
  return OF_PLACE.test(name)
}
