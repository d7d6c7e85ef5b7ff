/** Finds the direction and the embedding levels of a paragraph (Unicode UAX #9), and takes its isolates out. */
// The ES module: Node searches the exports of a CommonJS module first, with code that it compiles five times.
import createBidi from 'bidi-js/dist/bidi.mjs';
import {
  isolateEnd,
  isolates,
  outsideIsolates,
  rightToLeftPattern,
} from '#language/bind/isolation.ts';
import type { StyledText } from '../style.ts';

const bidi = createBidi();

/** Strong characters (classes L, R and AL), and those that read right to left. */
const strongPattern = /[\p{L}\u061C\u200E\u200F]/u;
const strongRightToLeft =
  /[\u061C\u200F\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}\p{Script=Hanifi_Rohingya}\p{Script=Mandaic}\p{Script=Samaritan}]/u;

/** UTF-16 offsets of a part of a text. */
export interface TextRange {
  start: number;
  end: number;
}

/** The text of a paragraph without isolates, and what they said of it. */
export interface OrderedText {
  parts: StyledText[];
  isRightToLeft: boolean;
  /** Embedding level of each UTF-16 unit; undefined for a text that reads left to right throughout. */
  levels: Uint8Array | undefined;
  /** The outermost isolates, in order. */
  isolated: TextRange[];
}

/**
 * Orders the parts of one paragraph. `direction` is forced, or `auto`: the first strong character outside isolates
 * decides, else the first one inside.
 */
export function orderText(
  parts: readonly StyledText[],
  direction: 'ltr' | 'rtl' | 'auto' = 'auto',
): OrderedText {
  const text = parts.map((part) => part.text).join('');
  const isMixed = direction === 'rtl' || rightToLeftPattern.test(text);
  const isRightToLeft =
    direction === 'auto' ? isMixed && readsRightToLeft(text) : direction === 'rtl';
  const levels = isMixed
    ? bidi.getEmbeddingLevels(text, isRightToLeft ? 'rtl' : 'ltr').levels
    : undefined;
  if (text.search(isolates) < 0) return { parts: [...parts], isRightToLeft, levels, isolated: [] };
  return {
    parts: parts.map((part) => ({ ...part, text: part.text.replaceAll(isolates, '') })),
    isRightToLeft,
    levels: levels?.filter((_, index) => !isIsolate(text, index)),
    isolated: isolatedRanges(text),
  };
}

function readsRightToLeft(text: string): boolean {
  const first = strongPattern.exec(outsideIsolates(text)) ?? strongPattern.exec(text);
  return first !== null && strongRightToLeft.test(first[0]);
}

function isIsolate(text: string, index: number): boolean {
  const unit = text.charCodeAt(index);
  return unit >= 0x20_66 && unit <= 0x20_69;
}

/** The outermost isolates by offsets of the text without isolates. An isolate without an end ends with the text. */
function isolatedRanges(text: string): TextRange[] {
  const ranges: TextRange[] = [];
  let depth = 0;
  let dropped = 0;
  let start = 0;
  for (const { 0: character, index } of text.matchAll(isolates)) {
    const offset = index - dropped;
    if (character !== isolateEnd && depth++ === 0) start = offset;
    else if (character === isolateEnd && depth > 0 && --depth === 0)
      ranges.push({ start, end: offset });
    dropped += 1;
  }
  if (depth > 0) ranges.push({ start, end: text.length - dropped });
  return ranges;
}
