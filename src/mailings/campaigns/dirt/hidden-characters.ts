/** Finds invisible and control characters that no writing needs. */

/** A character that may be hidden: the fast path of most texts. */
const maybe =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00a0\u00ad\u061c\u115f\u1160\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e007f}]/u;

/** Characters that show nothing, or turn the direction of what follows, whatever stands around them. */
const always =
  // oxlint-disable-next-line no-control-regex -- they are what is looked for
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u00ad\u115f\u1160\u180e\u200b\u2028\u2029\u202a-\u202e\u2060-\u2065\u206a-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb]/u;

/** Tags that spell the flag of a part of a country, behind a black flag. */
const flagTags = /\u{1f3f4}[\u{e0020}-\u{e007e}]{1,16}\u{e007f}/gu;
const tags = /[\u{e0000}-\u{e007f}]/u;

/** A space that does not break at an end. */
const spaceAtEnd = /^\u00a0|\u00a0$/;

/** Letters between which joiners have no effect. */
const joinedInVain =
  /[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Nd}][\u200c\u200d]|^[\u200c\u200d]/u;

/** Marks of direction in a text without letters from right to left. */
const marks = /[\u200e\u200f\u061c]/;
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/;

/** Whether a text has characters that nobody sees. Joiners of scripts and emoji and whole isolates are none. Linear time. */
export function hasHiddenCharacters(text: string): boolean {
  if (!maybe.test(text)) return false;
  if (always.test(text) || spaceAtEnd.test(text) || joinedInVain.test(text)) return true;
  if (tags.test(text) && tags.test(text.replaceAll(flagTags, ''))) return true;
  return (marks.test(text) && !rightToLeft.test(text)) || !areIsolatesWhole(text);
}

/** Whether each isolate (U+2066 to U+2068) ends, and each end (U+2069) has a beginning. */
function areIsolatesWhole(text: string): boolean {
  let open = 0;
  for (const character of text) {
    if (character >= '\u2066' && character <= '\u2068') open += 1;
    else if (character === '\u2069') open -= 1;
    if (open < 0) return false;
  }
  return open === 0;
}
