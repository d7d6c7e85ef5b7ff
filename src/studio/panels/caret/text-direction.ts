/** Direction of the paragraphs of a text field. */

/** Letters of scripts from right to left, and the marks of that direction. */
const rightToLeft =
  /[\u0590-\u08FF\u200F\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** Letters, and the marks of both directions. */
const strong = /[\p{L}\u200E\u200F\u061C]/u;

/** Returns whether the paragraph at an index is from right to left, by its first letter; undefined without letters. */
export function isRightToLeft(text: string, at: number): boolean | undefined {
  const start = text.lastIndexOf('\n', at - 1) + 1;
  const end = text.indexOf('\n', at);
  const letter = strong.exec(text.slice(start, end === -1 ? undefined : end))?.[0];
  return letter === undefined ? undefined : rightToLeft.test(letter);
}
