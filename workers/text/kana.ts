/** Tells where kana may be kerned: pan-CJK fonts kern pairs of them, and no other squares. */

const hiragana = '\\u3041-\\u3096\\u309D-\\u309F';
const katakana = '\\u30A1-\\u30FA\\u30FD-\\u30FF';
/** Belongs to both scripts (Script Common), and is kerned before a comma and a full stop, whatever stands before it. */
const prolongedSound = '\\u30FC';
const kanaPattern = new RegExp(`[${hiragana}${katakana}${prolongedSound}]`, 'u');
/** Characters between two kana that the look back passes: the pairs further apart are none. */
const betweenMax = 8;
const between = `[^${hiragana}${katakana}]{0,${betweenMax}}`;
const scriptChange = new RegExp(
  `(?=[${katakana}])(?<=[${hiragana}]${between})|(?=[${hiragana}])(?<=[${katakana}]${between})`,
  'u',
);

/** Whether a text has kana or their prolonged sound mark, which its font may kern. */
export function hasKana(text: string): boolean {
  return kanaPattern.test(text);
}

/** A text cut between hiragana and katakana: the paint engine shapes each script by itself, without kerning between them. */
export function splitKana(text: string): string[] {
  return text.split(scriptChange);
}
