/** Keeps graphemes whole and of bounded height where styled text becomes a paragraph. */
import { graphemeBorder } from './emoji.ts';
import type { StyledText } from './style.ts';

/**
 * Marks that follow one letter: what is more is left out, because each stacks on the last and would leave the box.
 * Hebrew with points and cantillation has up to 5, Vietnamese and phonetic letters 2 to 3, Indic conjuncts of four
 * consonants 6; only the monograms of Tibetan have more.
 */
const marksMax = 6;
const manyMarks = /\p{M}[\p{M}\p{Default_Ignorable_Code_Point}]{6}/u;
const markPattern = /\p{M}/u;
/** Joiners between marks begin no new letter. */
const ignorablePattern = /\p{Default_Ignorable_Code_Point}/u;

/**
 * The parts of one paragraph, whose borders stand between graphemes: a grapheme that reaches over a border has the
 * look of its first code point. Marks beyond the most that a letter may carry are gone.
 */
export function wholeGraphemes(parts: readonly StyledText[]): StyledText[] {
  const kept = limitMarks(parts);
  if (kept.length === 1) return kept;
  const text = kept.map((part) => part.text).join('');
  let offset = 0;
  let start = 0;
  return kept.map((part) => {
    offset += part.text.length;
    const end = graphemeBorder(text, offset);
    const whole = { text: text.slice(start, end), style: part.style };
    start = Math.max(start, end);
    return whole;
  });
}

function limitMarks(parts: readonly StyledText[]): StyledText[] {
  if (!manyMarks.test(parts.map(({ text }) => text).join(''))) return [...parts];
  let marks = 0;
  return parts.map(({ text, style }) => {
    let kept = '';
    for (const character of text) {
      if (markPattern.test(character)) marks += 1;
      else if (!ignorablePattern.test(character)) marks = 0;
      if (marks <= marksMax || !markPattern.test(character)) kept += character;
    }
    return { text: kept, style };
  });
}
