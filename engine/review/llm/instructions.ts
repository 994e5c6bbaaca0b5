import { showInvisible } from './fence.ts'

/** A line that speaks to a language model. */
export interface Instruction {
  line: number
  text: string
}

/** How texts give instructions to models. Linear: every part is bounded. */
const SIGNS: readonly RegExp[] = [
  /\b(?:ignore|disregard|forget|override|bypass)\s{1,3}(?:(?:all|any|every|the|your|these|previous|prior|above|earlier|preceding|following)\s{1,3}){1,4}(?:instructions?|prompts?|rules?|directions?|context|messages?|guidelines?)/i,
  /\b(?:you\s{1,3}are|act\s{1,3}as|pretend\s{1,3}to\s{1,3}be|behave\s{1,3}as)\s{1,3}(?:now\s{1,3})?(?:an?\s{1,3}|the\s{1,3})?(?:\w{1,20}\s{1,3})?(?:ai|assistant|language\s{1,3}model|llm|chatbot|jailbroken|dan|reviewer|auditor)\b/i,
  /\b(?:do\s{1,3}not|don['’]t|never)\s{1,3}(?:report|mention|flag|list|reveal|raise|output)\b.{0,60}\b(?:issue|finding|problem|vulnerabilit|weakness|threat|decision|bug|this)/i,
  /\b(?:report|answer|respond|reply|output|return|say|print)\s{1,3}(?:only|with|that)\b.{0,60}\b(?:no\s{1,3}(?:issues?|findings?|problems?|threats?|decisions?)|empty|safe|secure|approved?|nothing|lgtm)\b/i,
  /\b(?:system|developer)\s{1,3}(?:prompt|message|instruction)s?\b.{0,40}(?::|\bis\b|\bsays\b|\breveal|\bprint)|\b(?:reveal|print|show|repeat)\b.{0,30}\b(?:system|hidden|initial)\s{1,3}(?:prompt|instructions?)/i,
  /<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[\/?INST\]|<<\/?SYS>>|^\s{0,8}#{2,4}\s{0,3}(?:system|instruction)s?\s{0,3}:?\s{0,3}$/i,
  /\b(?:attention|note|message|hint|instructions?|important)\s{1,3}(?:to|for)\s{1,3}(?:the\s{1,3}|all\s{1,3}|any\s{1,3})?(?:ai|llm|language\s{1,3}models?|assistants?|reviewing\s{1,3}model|automated\s{1,3}reviewers?|bots?)\b/i,
  /\b(?:mark|set|treat|classify|rate|downgrade|lower)\b.{0,40}\b(?:severity|risk|likelihood|as\s{1,3}(?:safe|low|info|resolved|acknowledged|mitigated|false\s{1,3}positive))\b/i,
  /<<<\s{0,3}DATA|DATA\s{0,3}>>>/,
]

/** Lines of one file at most. */
const MOST = 20

/** The lines of a text that give instructions to a model. They are reported, and never followed. */
export function findInstructions(text: string): Instruction[] {
  const found: Instruction[] = []
  for (const [index, raw] of text.split('\n').entries()) {
    const line = raw.slice(0, 2000).replace(/[\u00AD\u200B-\u200F\u2060-\u2064\uFEFF\u{E0000}-\u{E0FFF}]/gu, '')
    const isHidden = /[\u{E0000}-\u{E007F}]/u.test(raw)
    if (!isHidden && !SIGNS.some(sign => sign.test(line))) continue
    found.push({ line: index + 1, text: showInvisible(raw.trim()).slice(0, 200) })
    if (found.length >= MOST) break
  }
  return found
}
