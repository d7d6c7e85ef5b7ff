/** Splits a paragraph at its tabs, which become separate stretches, and lines may end before tabs. */
import type { Paragraph, Segment } from './paragraphs.ts';
import { hangingSpace } from './paragraphs.ts';
import type { Stretch } from './stretches.ts';
import { fontFace } from './style.ts';
import type { TabStop } from './tabs.ts';

/**
 * Returns the paragraph with its tabs in separate stretches. Lines may end before tabs but not after them, so that a
 * field that does not fit is at its stop in the next line.
 */
export function withTabs(paragraph: Paragraph, stops: readonly TabStop[]): Paragraph {
  const { text, style, direction, lang } = paragraph;
  if (!text.includes('\t')) return paragraph;
  const stretches = paragraph.stretches.flatMap((stretch) => splitAtTabs(stretch, text, lang));
  const tabs = { stops, em: style.size, isRightToLeft: direction === 'rtl' };
  return { ...paragraph, stretches, segments: tabbedSegments(paragraph), tabs };
}

function splitAtTabs(stretch: Stretch, text: string, lang: string): Stretch[] {
  let { start } = stretch;
  const parts = text.slice(start, stretch.end).split(/(\t+)/);
  return parts.flatMap((part, index) => {
    if (part === '') return [];
    const face = index % 2 === 1 ? fontFace(stretch.style, lang, 'tab') : stretch.face;
    const copy = { ...stretch, start, end: start + part.length, face };
    start = copy.end;
    return copy;
  });
}

function tabbedSegments({ text, segments }: Paragraph): Segment[] {
  const bySegmentEnd = new Map(segments.map((segment) => [segment.end, segment]));
  const ends = new Set(bySegmentEnd.keys());
  for (const { 0: tabs, index } of text.matchAll(/\t[\t ]*/g)) {
    const after = index + tabs.length;
    for (let end = index; end <= after && end < text.length; end += 1) ends.delete(end);
    // White space at the end of a text stays with its last word.
    if (index > 0 && after < text.length) ends.add(index);
  }
  let start = 0;
  return Array.from(ends)
    .toSorted((a, b) => a - b)
    .map((end) => {
      const shown = text.slice(start, end).replace(hangingSpace, '');
      const hyphen = bySegmentEnd.get(end)?.hyphen ?? false;
      const segment = { start, visibleEnd: start + shown.length, end, hyphen };
      start = end;
      return segment;
    });
}
