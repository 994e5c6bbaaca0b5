import { toSet } from './word-set.ts'

/**
 * Words that people choose for passwords again and again, or that programs come with: the heads of the lists that are published after
 * leaks, from memory. Words that programs say as often (`key`, `value`) are not among them.
 */
const COMMON = toSet(
  'abcdef access admin adminadmin administrator amanda andrea andrew angel anthony apple arsenal ashley asdf asdfgh asdfghjkl asdasd babygirl bailey banana barcelona baseball ' +
    'basketball batman biteme blahblah blink buster butterfly camaro changeit charlie cheese chelsea chocolate computer cookie corvette daniel default diamond dragon eagle elephant ' +
    'estrella falcon family fish flower football forever freedom friends fuckyou gandalf george ginger google guest guitar hannah harley hello helloworld hockey hunter iloveyou ' +
    'jasmine jennifer jessica jesus jordan joshua justin killer lakers letmein liverpool login london love lovely loveme maggie manager marina martin master matrix matthew mercedes merlin ' +
    'michael michelle minecraft monkey monster mustang mysql naruto nicole ninja nothing opensesame oracle orange pass passpass password passwd pepper phoenix pokemon postgres postgresql ' +
    'princess purple qazwsx qwer qwert qwerty qwertyuiop rabbit raider rainbow ranger richard robert root rootroot samantha samsung scooter scott secret secure shadow silver slipknot snoopy soccer ' +
    'sophie spiderman starwars summer sunshine superman superstar swordfish sysadmin taylor temp tennis test tester testing thomas thunder tigger tiger tinkerbell toor trustno trustnoone ' +
    'vagrant victoria welcome whatever william winter wizard yankees yellow zaq zxcvbn zxcvbnm',
)
/** Those that stand for any other password where they are unchanged. */
const STAND_INS = toSet('pass password passwd secret secure temp test tester testing default hello')
/** Rows of digits, and one digit again and again, as they lead those lists. */
const DIGITS =
  /^(?:1234(?:5(?:6(?:7(?:8(?:9(?:0)?)?)?)?)?)?|(\d)\1{3,7}|(\d\d)\2{2}|(\d{3})\3|0?987654321|7?654321|54321|4321|112233|159753|147258369?)$/
/** What stands for which letter where people write a word with digits and signs. */
const LETTER_OF: Record<string, string> = {
  '0': 'o',
  '1': 'i',
  '3': 'e',
  '4': 'a',
  '5': 's',
  '7': 't',
  '@': 'a',
  $: 's',
  '!': 'i',
}

/** How a value is one of the passwords that people choose most: as the word, or with digits and signs put in or behind it. */
export function detectCommonPassword(value: string): 'word' | 'changed' | undefined {
  if (value.length < 3 || value.length > 24) return undefined
  if (DIGITS.test(value)) return 'word'
  const folded = value.toLowerCase()
  if (COMMON.has(folded)) return STAND_INS.has(folded) ? undefined : 'word'
  const stem = folded.replace(/[\d!@#$%^&*._?+-]{1,6}$/, '')
  if (stem !== folded && COMMON.has(stem)) return 'changed'
  return COMMON.has(spelt(folded)) || COMMON.has(spelt(stem)) ? 'changed' : undefined
}

const spelt = (text: string): string => text.replace(/[013457@$!]/g, char => LETTER_OF[char] ?? char)
