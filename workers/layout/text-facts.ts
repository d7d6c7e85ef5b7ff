/** What a report says of a text beside what is painted. It is kept with the content, so that no text is laid out twice. */
import type { DisplayContent } from '../display-list.ts';
import type { TextLayout } from './text-layer.ts';

type TextFacts = Pick<TextLayout, 'fontSize' | 'lineTexts' | 'text'>;

const known = new WeakMap<DisplayContent, TextFacts>();

/** The layout, whose facts are kept as long as its content. */
export function withTextFacts(layout: TextLayout): TextLayout {
  const { content, fontSize, lineTexts, text } = layout;
  known.set(content, { fontSize, lineTexts, text });
  return layout;
}

/** What is known of a content; undefined for a copy of one. */
export function textFactsOf(content: DisplayContent): TextFacts | undefined {
  return known.get(content);
}
