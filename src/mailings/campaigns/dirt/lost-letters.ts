/** Finds letters that were lost before the list came: `?ukasz`, `Dvo?ák`. */

/** Signs of addresses, in which `?` begins a query. */
const address = /:\/\/|www\.|[=&]/i;
/** Nothing but question marks, in place of all letters of a name. */
const onlyMarks = /^\?{2,}(?:[ '’-]\?+)*$/;
/** Inside a word, and before a small letter at its beginning. In a text `Really?Yes` is two words. */
const inText = /\p{L}\?+\p{Ll}|(?<![\p{L}\p{N}?!.,;:)\]"”’»%])\?+\p{Ll}/u;
const inName = /\p{L}\?+\p{L}|(?<![\p{L}\p{N}?!])\?+\p{L}/u;
const atEnd = /\p{L}\?+(?=$|[\s,-])/u;

/** The sign of a lost letter, U+FFFD, as programs read it again in Windows-1252, twice, or in GBK. */
const lostSign = /ï¿½|Ã¯Â¿Â½|锟斤拷|\uFFFD/;

/** Whether `?` or another sign stands in place of letters. A name has no other question mark inside. Linear time. */
export function hasLostLetters(text: string, isName: boolean): boolean {
  if (lostSign.test(text)) return true;
  if (!text.includes('?') || address.test(text)) return false;
  return onlyMarks.test(text) || (isName ? inName : inText).test(text);
}

/** Whether a word ends in `?`: a lost letter in a column that has others, and else a question. */
export function mayHaveLostLetters(text: string): boolean {
  return text.includes('?') && !address.test(text) && atEnd.test(text);
}
