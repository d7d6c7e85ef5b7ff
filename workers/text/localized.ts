/** Tells which letters look different in one language: their fonts have forms of it (OpenType feature `locl`). */

/** By language: what of its text the bundled fonts draw in its own way. */
const localized: ReadonlyMap<string, RegExp> = new Map([
  // Italic б г д п т.
  ['sr', /\p{Script=Cyrillic}/u],
  ['mk', /\p{Script=Cyrillic}/u],
  // ल and श; digits and झ; conjuncts.
  ['mr', /\p{Script=Devanagari}/u],
  ['ne', /\p{Script=Devanagari}/u],
  ['sa', /\p{Script=Devanagari}/u],
  // Cedillas that ought to be commas.
  ['ro', /[ŞşŢţ]/],
  // The dot between two l.
  ['ca', /l·l/i],
  // Accents that stand steeper.
  ['pl', /[ćńóśź]/i],
  // The dot of i is a letter of its own, which no ligature may swallow.
  ['tr', /f[fij]/],
  ['az', /f[fij]/],
]);

/** Whether a text of a language (BCP 47) has such letters: the paint engine, which knows no language, draws others. */
export function isLocalized(lang: string, text: string): boolean {
  return localized.get(lang.split('-', 1)[0]?.toLowerCase() ?? '')?.test(text) === true;
}
