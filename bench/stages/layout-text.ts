/** Measures the layout of one text layer: a paragraph in a shrink box, new and known, and the longest values. */
import { join } from 'node:path';
import type { TextLayer } from '#language/schema/text.ts';
import { prepareFontEnvironment } from '../../src/scheduling/font-environment.ts';
import { measureStage } from './measure-stage.ts';
import { createRandom, randomText } from './random-text.ts';

await prepareFontEnvironment(join(import.meta.dirname, '../../node_modules/.cache/platen-bench'));
const { layoutText } = await import('../../workers/layout/text-layer.ts');
const { measurementCount } = await import('../../workers/text/engine.ts');

const random = createRandom(1);
const scene = {
  width: 1200,
  height: 630,
  lang: 'en',
  fonts: [],
  missingGlyph: 'box' as const,
  organizationFamilies: new Map(),
  background: undefined,
  layers: [],
  warnings: [],
};

function layout(text: string, box: { width: number; height: number }): void {
  const position = { x: 0, y: 0, ...box };
  const layer = { id: 'text', type: 'text', ...position, text, fontFamily: 'Inter', fontSize: 32 };
  layoutText({ ...layer, minSize: 6 } as TextLayer, position, scene);
}

const paragraphBox = { width: 360, height: 120 };
const known = randomText(random, 200);
measureStage(
  'new paragraph of 200 characters, shrink',
  () => randomText(random, 200),
  (text) => layout(text, paragraphBox),
);
measureStage(
  'known paragraph of 200 characters, shrink',
  () => known,
  (text) => layout(text, paragraphBox),
);
measureStage(
  'new name of 12 characters, one line',
  () => randomText(random, 12),
  (text) => layout(text, { width: 400, height: 60 }),
);

/** Longest values: 2,000 code points of a script, and 100 line breaks. */
const letters = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, index) => String.fromCodePoint(from + index)).join('');
const longest: Record<string, () => string> = {
  Latin: () => randomText(random, 2000),
  Cyrillic: () => randomText(random, 2000, letters(0x430, 0x450)),
  Arabic: () => randomText(random, 2000, letters(0x628, 0x64a)),
  Hebrew: () => randomText(random, 2000, letters(0x5d0, 0x5eb)),
  Devanagari: () => randomText(random, 2000, letters(0x905, 0x940)),
  Thai: () => randomText(random, 2000, letters(0xe01, 0xe3a)),
  Han: () => randomText(random, 2000, letters(0x4e00, 0x9f00)).replaceAll(' ', '，'),
  Hangul: () => randomText(random, 2000, letters(0xac00, 0xd700)),
  emoji: () =>
    Array.from(randomText(random, 4000, letters(0x1f600, 0x1f640)))
      .slice(0, 2000)
      .join(''),
  'private use': () => randomText(random, 2000, letters(0xe000, 0xf800)),
  joiners: () => '\u200D'.repeat(2000),
  'combining marks': () => `e${'\u0301'.repeat(1999)}`,
  'a bidi level a letter': () => 'aא'.repeat(1000),
  '100 line breaks': () => `${randomText(random, 19)}\n`.repeat(100),
};
for (const [name, make] of Object.entries(longest)) {
  const before = measurementCount();
  const runs = 15;
  measureStage(`longest value: ${name}`, make, (text) => layout(text, paragraphBox), {
    warmUps: 1,
    runs,
  });
  const calls = (measurementCount() - before) / (runs + 1);
  console.log(`${''.padEnd(44)} ${calls.toFixed(0)} native measurements a layout`);
}
