/** Changes the case of text by the rules of its language (CSS Text 3, 2.1). */

/** Letters that are two letters, which have a form of their own at a word's start (Unicode, Lt). */
const titleForms: Readonly<Record<string, string>> = {
  '\u01C4': '\u01C5',
  '\u01C7': '\u01C8',
  '\u01CA': '\u01CB',
  '\u01F1': '\u01F2',
};
const wordStart = /(?<![\p{L}\p{M}\p{N}'’])\p{L}/gu;
/** In Dutch, i and j are one letter at a word's start. */
const dutchWordStart = /(?<![\p{L}\p{M}\p{N}'’])(?:ij|\p{L})/gu;
/** Its capitals write whole words, and never begin one. */
const georgian = /\p{Script=Georgian}/u;

/** Text in the case that `transform` names; `lang` is a BCP 47 tag. */
export function changeCase(
  text: string,
  transform: 'none' | 'uppercase' | 'lowercase' | 'capitalize' | undefined,
  lang: string,
): string {
  switch (transform) {
    case 'uppercase':
      return text.toLocaleUpperCase(lang);
    case 'lowercase':
      return text.toLocaleLowerCase(lang);
    case 'capitalize': {
      const start = /^nl\b/i.test(lang) ? dutchWordStart : wordStart;
      return text.replace(start, (letter) => toTitleCase(letter, lang));
    }
    default:
      return text;
  }
}

/** The form of a letter at the start of a word: a capital, but for letters that are several. */
function toTitleCase(letter: string, lang: string): string {
  if (georgian.test(letter)) return letter;
  if (letter === 'ij') return 'IJ';
  // Marks stay: a language may drop those of capitals, but not of the first one.
  const [first = '', ...marks] = letter.normalize('NFD');
  const [capital = '', ...others] = first.toLocaleUpperCase(lang);
  // Ligatures become a capital and small letters; what is no letter (ʼ before N) has no case to lose.
  const isLetter = capital.toLowerCase() !== capital;
  const rest = isLetter ? others.join('').toLocaleLowerCase(lang) : others.join('');
  return ((titleForms[capital] ?? capital) + rest + marks.join('')).normalize('NFC');
}
