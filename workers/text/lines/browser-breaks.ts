/**
 * Corrects line break positions beside marks to those of Chromium, whose lines designs are drawn with. Chromium breaks
 * between ASCII characters by a table of pairs of its own, and elsewhere by newer rules than those of `linebreak`.
 */

/** ASCII marks after which a line may end before an opening bracket. */
const beforeBrackets = '!"#%&)*+,.:;=>\\]|}~';
/** ASCII marks that begin no line after a hyphen, and after a question mark. */
const bondsOfHyphen = '!$),./:;?]}';
const bondsOfQuestion = '!"\'),./:;?]}';

const asciiEnd = 0x7f;
const space = 0x20;
const hyphen = 0x2d;

/** Whether a line may end between two visible ASCII characters, by their codes: `before * asciiEnd + after`. */
const asciiBreaks = new Uint8Array(asciiEnd * asciiEnd);
for (let after = space + 1; after < asciiEnd; after += 1) {
  const next = String.fromCodePoint(after);
  const allow = (before: string): void => {
    asciiBreaks[(before.codePointAt(0) ?? 0) * asciiEnd + after] = 1;
  };
  if ('(<[{'.includes(next)) for (const before of beforeBrackets) allow(before);
  if (!bondsOfHyphen.includes(next)) allow('-');
  if (!bondsOfQuestion.includes(next)) allow('?');
}

/** Characters with newer rules than those of `linebreak`. */
const renewed = /[¢-¥°±\u20A0-\u20BF№\u0590-\u05FF¡¿]|(?:^|\s)(?:-(?!\p{ASCII})|[‐–])\p{L}/u;
/**
 * Positions outside ASCII pairs at which newer rules break a line: before an opening bracket after a currency or percent
 * sign (LB25), before such a sign after a closing bracket without a number, and between Hebrew letters (LB21a).
 */
const newerBreaks =
  /(?<=[$%+\\¢-¥°±\u20A0-\u20BF№])(?=[([{¡¿](?!\d))|(?<=[^\d][)\]}])(?=[¢-¥°±\u20A0-\u20BF№])|(?<=\p{Script=Hebrew}[-‐–־])(?=\p{Script=Hebrew})/gu;
/** Letters beside which a line may end anyway. */
const wideLetters = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}`;
/** Positions at which they do not: before a currency sign in a number, and after a hyphen at the start of a word. */
const newerBonds = new RegExp(
  String.raw`(?<=\d[,./:;])(?=[\u20A0-\u20BF№])|(?<=(?:^|\s)[\-‐–])(?=\p{L})(?![${wideLetters}])`,
  'gu',
);

/** The positions of UAX #14, ascending, as browsers have them. Linear time. */
export function asInBrowsers(text: string, positions: readonly number[]): number[] {
  const known = renewed.test(text) ? withNewerRules(text, positions) : positions;
  const found: number[] = [];
  let next = 0;
  let before = text.charCodeAt(0);
  for (let index = 1; index < text.length; index += 1) {
    const after = text.charCodeAt(index);
    let breaks = known[next] === index;
    if (breaks) next += 1;
    if (before === space) breaks ||= !isSpace(after);
    else if (before < asciiEnd && after < asciiEnd && before > space && after > space)
      breaks = breaksAscii(text, index, before, after);
    if (breaks) found.push(index);
    before = after;
  }
  if (text !== '') found.push(text.length);
  return found;
}

function isSpace(code: number): boolean {
  return code <= space || (code > asciiEnd && /\s/.test(String.fromCharCode(code)));
}

/** A hyphen may end a line before a digit only if it is no sign: after a letter or digit. */
function breaksAscii(text: string, index: number, before: number, after: number): boolean {
  if (before === hyphen && after >= 0x30 && after <= 0x39)
    return /[A-Za-z\d]/.test(text.charAt(index - 2));
  return asciiBreaks[before * asciiEnd + after] === 1;
}

function withNewerRules(text: string, positions: readonly number[]): number[] {
  const found = new Set(positions);
  for (const { index } of text.matchAll(newerBreaks)) found.add(index);
  for (const { index } of text.matchAll(newerBonds)) found.delete(index);
  return [...found].toSorted((a, b) => a - b);
}
