/** Isolates of the Unicode bidirectional algorithm (UAX #9): puts them around values, and takes them out of texts. */

/** Characters that order text from right to left: letters, marks, embeddings and overrides. */
export const rightToLeftPattern =
  /[\u0590-\u08FF\u200F\u202B\u202E\u2067\uFB1D-\uFDFF\uFE70-\uFEFF\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u;

/** Initiators of isolates (LRI, RLI, FSI) and their end (PDI). */
export const isolates = /[\u2066-\u2069]/g;
/** Takes its direction from its first strong character. */
const firstStrongIsolate = '\u2068';
export const isolateEnd = '\u2069';

const lineBreaks = /([\n\v\f\r\u0085\u2028\u2029]+)/;
/** Maximum isolates within one another in a value. Deeper ones are dropped: each costs another pass over its content. */
const depthMax = 8;

/**
 * A value between U+2068 and U+2069, line by line, because an isolate ends with its paragraph. Unmatched isolates of
 * the value are dropped. Open embeddings and overrides end with the isolate. Blank lines stay as they are. Linear time.
 */
export function isolate(value: string): string {
  const parts = value.split(lineBreaks);
  return parts.map((part, index) => (index % 2 === 0 ? isolateLine(part) : part)).join('');
}

function isolateLine(line: string): string {
  return line.trim() === '' ? line : firstStrongIsolate + balance(line) + isolateEnd;
}

/** Drops initiators without an end, ends without an initiator, and isolates nested too deep. */
function balance(line: string): string {
  const kept = new Set<number>();
  const open: number[] = [];
  for (const { 0: character, index } of line.matchAll(isolates)) {
    if (character !== isolateEnd) {
      open.push(index);
      continue;
    }
    const start = open.pop();
    if (start !== undefined && open.length < depthMax) kept.add(start).add(index);
  }
  return line.replaceAll(isolates, (character, index: number) =>
    kept.has(index) ? character : '',
  );
}

// Numbers of several values.

/** Signs that belong to a number beside them (European terminators of UAX #9), such as `%`, `€` and `#`. */
const signs = String.raw`[%‰٪#°\p{Sc}]{0,2}`;
const digits = String.raw`\p{Nd}(?:[\p{Nd}.,:/٫٬'’+−\u00A0\u202F-]*\p{Nd})?`;
const number = `(?:\u2068${signs}${digits}${signs}\u2069|${digits})`;
/** Numbers that touch, or that one separator joins; the repetitions of signs are bounded, so that it takes linear time. */
const joinedNumbers = new RegExp(
  String.raw`${signs}${number}(?:${signs}[-+−.,:/]?${signs}${number})*${signs}`,
  'gu',
);

/**
 * Takes the isolates off numbers that form one number with what touches them: `{{hours}}:{{minutes}}`, `{{share}}%`.
 * The algorithm then orders them as it orders these characters in any text. Isolates would stand in the order of the
 * paragraph, from right to left. `parts` are the texts of a paragraph in their order.
 */
export function joinNumbers(parts: readonly string[]): string[] {
  const dropped = new Set<number>();
  for (const { 0: found, index } of parts.join('').matchAll(joinedNumbers)) {
    const isAlone =
      found.startsWith(firstStrongIsolate) && found.indexOf(isolateEnd) === found.length - 1;
    if (isAlone) continue;
    for (const { index: at } of found.matchAll(isolates)) dropped.add(index + at);
  }
  let start = 0;
  return parts.map((part) => {
    const offset = start;
    start += part.length;
    return part.replaceAll(isolates, (character, at: number) =>
      dropped.has(offset + at) ? '' : character,
    );
  });
}

/** The text without isolates, which draw nothing. */
export function withoutIsolates(text: string): string {
  return text.replaceAll(isolates, '');
}

/** How many isolates of a text do not end. */
export function openIsolates(text: string): number {
  let depth = 0;
  for (const [character] of text.matchAll(isolates))
    depth = character === isolateEnd ? Math.max(0, depth - 1) : depth + 1;
  return depth;
}

/** The characters of a text outside isolates, up to an isolate that does not end. Linear time. */
export function outsideIsolates(text: string): string {
  let outside = '';
  let depth = 0;
  let start = 0;
  for (const { 0: character, index } of text.matchAll(isolates)) {
    if (depth === 0) outside += text.slice(start, index);
    depth = character === isolateEnd ? Math.max(0, depth - 1) : depth + 1;
    start = index + 1;
  }
  return depth === 0 ? outside + text.slice(start) : outside;
}
