/** Lays out text inside the test process with the bundled fonts: the text modules, and layers made in one line. */
import { join } from 'node:path';
import type { TextLayer } from '#language/schema/text.ts';
import { prepareFontEnvironment } from '../../src/scheduling/font-environment.ts';
import type { TextLayout } from '../../workers/layout/text-layer.ts';
import type { Scene } from '../../workers/bind-scene.ts';
import type { TextStyle } from '../../workers/text/style.ts';

// Must run before the text modules load the paint engine, hence the late imports below.
await prepareFontEnvironment(join(import.meta.dirname, '../../node_modules/.cache/platen-test'));
export const { layoutText } = await import('../../workers/layout/text-layer.ts');
export const breaking = await import('../../workers/text/lines/break-lines.ts');
export const measured = await import('../../workers/text/measured-paragraph.ts');
export const paragraphs = await import('../../workers/text/paragraphs.ts');
export const engine = await import('../../workers/text/engine.ts');
export const measuring = await import('../../workers/text/measure.ts');
export const outlines = await import('../../workers/text/outlines.ts');
export const shaping = await import('../../workers/text/shaping.ts');
export const styles = await import('../../workers/text/style.ts');
export const widths = await import('../../workers/text/text-width.ts');
export const fontRuns = await import('../../workers/text/font-runs.ts');
export const drawing = await import('../../workers/text/missing.ts');

/** A scene of 1000 × 1000 without layers. */
export function textScene(lang = 'en'): Scene {
  return {
    width: 1000,
    height: 1000,
    lang,
    fonts: [],
    missingGlyph: 'box',
    organizationFamilies: new Map(),
    background: undefined,
    layers: [],
    warnings: [],
  };
}

/** A text layer at 0, 0 in Inter at 20 px, 200 × 100 unless said otherwise. */
export function textLayer(text: string, rest: Partial<TextLayer> = {}): TextLayer {
  const box = { id: 'text', type: 'text', x: 0, y: 0, width: 200, height: 100 } as const;
  return { ...box, text, fontFamily: 'Inter', fontSize: 20, ...rest };
}

/** Lays out one layer in its own box. */
export function layoutLayer(layer: TextLayer, lang = 'en'): TextLayout {
  const { x = 0, y = 0, width, height } = layer;
  if (typeof width !== 'number' || typeof height !== 'number') {
    throw new TypeError('expected a layer of a fixed size');
  }
  return layoutText(layer, { x, y, width, height }, textScene(lang));
}

/** The painted content of a laid out text that follows no path. */
export function paintedText(layout: TextLayout): TextLayout['content'] & { kind: 'text' } {
  if (layout.content.kind !== 'text') throw new TypeError('expected text on lines');
  return layout.content;
}

/** The text of each painted line, its runs from left to right. */
export function paintedLines(layout: TextLayout): string[] {
  const lines = new Map<number, { x: number; text: string }[]>();
  for (const { x, y, text } of paintedText(layout).runs) {
    const key = Math.round(y * 100);
    lines.set(key, [...(lines.get(key) ?? []), { x, text }]);
  }
  return [...lines.values()].map((runs) =>
    runs
      .toSorted((a, b) => a.x - b.x)
      .map(({ text }) => text)
      .join('|'),
  );
}

/** A style of Inter at 20 px. */
export function textStyle(rest: Partial<TextStyle> = {}): TextStyle {
  return {
    families: ['Inter'],
    size: 20,
    weight: 400,
    italic: false,
    lineHeight: 1.2,
    letterSpacing: 0,
    wordSpacing: 0,
    features: '',
    variations: '',
    fill: '#000000',
    underline: false,
    strike: false,
    background: undefined,
    ...rest,
  };
}
