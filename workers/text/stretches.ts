/** Splits a paragraph into stretches of one style, one kind of glyph and one direction. */
import { splitEmoji } from './emoji.ts';
import { hasJoinedScript } from './joining.ts';
import type { FontFace, StyledText, TextStyle } from './style.ts';
import { fontFace } from './style.ts';

/** A part of a paragraph with one style, one face and one bidi level, by UTF-16 offsets. */
export interface Stretch {
  start: number;
  end: number;
  style: TextStyle;
  face: FontFace;
  /** Unicode bidi embedding level; odd reads right to left. */
  level: number;
}

/** Splits where the style, the bidi level or the kind of glyph changes. */
export function splitStretches(
  parts: readonly StyledText[],
  levels: Uint8Array | undefined,
  lang: string,
): Stretch[] {
  const stretches: Stretch[] = [];
  let offset = 0;
  for (const { text, style } of parts) {
    for (const [start, end] of levelRanges(offset, offset + text.length, levels)) {
      const level = levels?.[start] ?? 0;
      let from = start;
      const pieces = splitEmoji(text.slice(start - offset, end - offset));
      for (const { text: piece, kind: pieceKind } of pieces) {
        const spaced = style.letterSpacing !== 0 && pieceKind === 'letters';
        for (const { text: same, joined } of spaced
          ? splitJoined(piece)
          : [{ text: piece, joined: false }]) {
          const kind = joined ? 'joined' : pieceKind;
          const face = fontFace(style, lang, kind);
          stretches.push({ start: from, end: from + same.length, style, face, level });
          from += same.length;
        }
      }
    }
    offset += text.length;
  }
  return stretches;
}

/** Separates letters that may have letter spacing from joined letters, which may not. */
function splitJoined(text: string): { text: string; joined: boolean }[] {
  if (!hasJoinedScript(text)) return [{ text, joined: false }];
  return text
    .split(/([\p{Script=Arabic}\p{Script=Syriac}\p{Script=Nko}\p{M}]+)/u)
    .map((part, index) => ({ text: part, joined: index % 2 === 1 && hasJoinedScript(part) }))
    .filter((part) => part.text !== '');
}

function levelRanges(
  from: number,
  to: number,
  levels: Uint8Array | undefined,
): [from: number, to: number][] {
  if (from >= to) return [];
  if (levels === undefined) return [[from, to]];
  const ranges: [number, number][] = [];
  let start = from;
  for (let index = from + 1; index <= to; index += 1) {
    if (index < to && levels[index] === levels[start]) continue;
    ranges.push([start, index]);
    start = index;
  }
  return ranges;
}

/** Returns the index of the stretch at an offset, by bisection: each character may be a stretch. */
export function stretchAt(stretches: readonly Stretch[], offset: number): number {
  let low = 0;
  let high = stretches.length - 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((stretches[middle]?.end ?? 0) <= offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
