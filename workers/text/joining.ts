/** Scripts whose letters join, also where a word is split by a change of style or at the end of a line. */

/** Letters whose shapes depend on their neighbours. */
const joinedScripts =
  /[\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{Script=Mandaic}\p{Script=Mongolian}]/u;
/** Arabic letters that join only the letter before them, and the hamza, which joins no letter (ArabicShaping). */
const joinsOnlyBefore =
  /[\u0621-\u0625\u0627\u0629\u062F-\u0632\u0648\u0671-\u0677\u0688-\u0699\u06C0\u06C3-\u06CB\u06CD\u06CF\u06D2-\u06D5\u06EE\u06EF]/;
const letterPattern = /\p{L}/u;
const markPattern = /\p{M}/u;

/** Zero width joiner (U+200D): gives the letter next to it the joined shape, and is invisible. */
export const joiner = '\u200D';

/** Whether text has letters of a script that joins them. */
export function hasJoinedScript(text: string): boolean {
  return joinedScripts.test(text);
}

/** Whether the letters on both sides of a position in the text join each other, even with vowel marks between. */
export function joinsAt(text: string, index: number): boolean {
  let before = index - 1;
  while (before >= 0 && markPattern.test(text.charAt(before))) before -= 1;
  let after = index;
  while (after < text.length && markPattern.test(text.charAt(after))) after += 1;
  const left = text.charAt(before);
  const right = text.charAt(after);
  const areLetters = letterPattern.test(left) && letterPattern.test(right);
  return (
    areLetters &&
    joinedScripts.test(left) &&
    joinedScripts.test(right) &&
    !joinsOnlyBefore.test(left) &&
    right !== '\u0621'
  );
}
