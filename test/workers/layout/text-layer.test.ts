import t from 'tap';
import {
  layoutLayer,
  engine,
  shaping,
  paintedText,
  textLayer,
  paintedLines,
} from '../../helpers/text.ts';
import type { TextLayer } from '#language/schema/text.ts';

t.test('an underline lies where the font wants it', async (t) => {
  const underline = (fontFamily: string): number => {
    const { lines, runs } = paintedText(
      layoutLayer(textLayer('gap', { fontFamily, underline: true })),
    );
    return ((lines[0]?.rect.y ?? 0) - (runs[0]?.y ?? 0)) / 20;
  };
  t.ok(Math.abs(underline('Inter') - 0.17) < 0.002, 'as the font says');
  t.ok(Math.abs(underline('Space Mono') - 0.1) < 0.002, 'no nearer than a tenth of the size');
});

t.test('what cannot be drawn is a warning', async (t) => {
  const missing = layoutLayer(textLayer('a\u{13080}b\u{A000}'));
  t.same(
    missing.warnings.map(({ code, detail }) => `${code} ${detail}`),
    ['GLYPH_MISSING no installed font has U+13080, U+A000'],
  );
  t.equal(paintedText(missing).runs[0]?.text, 'a□b□');
  const newer = layoutLayer(textLayer('\u{1F426}\u200D\u{1F525}'));
  t.same(
    newer.warnings.map(({ code, detail }) => `${code} ${detail}`),
    ['GLYPH_MISSING no installed font has U+1F426 U+200D U+1F525'],
    'an emoji sequence that is drawn in parts',
  );
  const family = layoutLayer(textLayer('a', { fontFamily: ['Nope', 'Inter'] }));
  t.match(family.warnings[0], { code: 'FONT_MISSING', detail: /"Nope".*Inter/ });
  const long = layoutLayer(textLayer('word '.repeat(2000), { overflow: 'visible' }));
  t.ok(long.warnings.some(({ code }) => code === 'TEXT_TRUNCATED'));
  t.ok(long.lines <= 200);
});

/** What the layout of a text asks of the engine and of the shaper. */
function costOf(
  text: string,
  rest: Partial<TextLayer>,
): { measurements: number; shapings: number } {
  const [measured, shaped] = [engine.measurementCount(), shaping.shapingCount()];
  layoutLayer(textLayer(text, rest));
  return {
    measurements: engine.measurementCount() - measured,
    shapings: shaping.shapingCount() - shaped,
  };
}

t.test('the longest values cost a bounded number of measurements', async (t) => {
  const at = (start: number, count: number) => (index: number) =>
    String.fromCodePoint(start + ((index * 7) % count));
  const words = (make: (index: number) => string, length: number): string =>
    Array.from({ length: 2000 }, (_, i) => (i % length === length - 1 ? ' ' : make(i))).join('');
  const texts: Record<string, string> = {
    latin: words(at(0x61, 26), 7),
    'latin pairs': words((i) => at(0x41, 480)(i * i), 7),
    cyrillic: words((i) => at(0x430, 32)(i * i + 3 * i), 7),
    greek: words((i) => at(0x3b1, 25)(i * i), 7),
    hebrew: words((i) => at(0x5d0, 27)(i * i), 6),
    arabic: words((i) => at(0x628, 34)(i * i + i), 6),
    'vowelled arabic': words((i) => at(0x628, 34)(i * i) + at(0x64b, 8)(i), 6),
    hangul: words((i) => at(0xac00, 11_000)(i * i), 6),
    kana: words((i) => at(0x3041, 190)(i * i), 3000),
    emoji: words((i) => at(0x1f600, 64)(i * i), 6),
    'rare ideographs': words((i) => at(0x20000, 2000)(i), 3000),
    'many scripts': words((i) => at(0x250, 7000)(i * i), 6),
    devanagari: words(at(0x905, 70), 6),
    thai: words(at(0xe01, 46), 3000),
    han: words(at(0x4e00, 15_000), 3000),
    'one word': 'x'.repeat(2000),
    joiners: '\u200D'.repeat(2000),
    marks: `e${'\u0301'.repeat(1999)}`,
    'private use': words(at(0xe000, 6000), 3000),
    'a level a letter': words((i) => (i % 2 === 0 ? 'a' : 'א'), 3000),
    overrides: words((i) => ['\u202E', 'a', '\u202C'][i % 3] ?? '', 3000),
    'line breaks': `${'word\n'.repeat(100)}word`,
  };
  for (const [name, text] of Object.entries(texts)) {
    for (const rest of [{ minSize: 4 }, { width: 30, overflow: 'visible' }] as const) {
      const { measurements, shapings } = costOf(text, { width: 300, height: 80, ...rest });
      // Twice for each of the 200 lines that a layer has at most; the engine takes 40 µs for a short one.
      t.ok(measurements <= 400, `${name}: measured ${measurements} times`);
      // A word takes 3 to 20 µs.
      t.ok(shapings <= 3000, `${name}: shaped ${shapings} times`);
    }
  }
});

t.test('spaced and balanced text of mixed scripts costs few measurements', async (t) => {
  const starts = [0x61, 0x430, 0x5d0, 0x628, 0x905, 0xe01, 0x4e00, 0xac00, 0x1f600, 0x3b1, 0x3041];
  const look = { letterSpacing: 3, balance: true, align: 'justify', minSize: 1 } as const;
  for (const length of [1, 7]) {
    const word = (index: number): string => {
      const start = starts[index % 11] ?? 0;
      const codes = Array.from({ length }, (_, at) => index * index * 7 + at * (index % 23));
      return String.fromCodePoint(...codes.map((code) => start + (code % 26)));
    };
    const words = Array.from({ length: 2500 }, (_, index) => word(index));
    const text = Array.from(words.join(length > 1 ? ' ' : '')).slice(0, 2500);
    const { measurements, shapings } = costOf(text.join(''), { width: 600, height: 200, ...look });
    // 50 µs each: one for 40 characters or more, all of which are drawn.
    t.ok(measurements <= 2500 / 40, `${length}: measured ${measurements} times`);
    t.ok(shapings <= 800, `${length}: shaped ${shapings} times`);
  }
});

t.test('nothing of a visible text is cut, whatever maxLines says', async (t) => {
  const layer = textLayer('One two three', { width: 80, overflow: 'visible', maxLines: 1 });
  t.same(paintedLines(layoutLayer(layer)), ['One two', 'three']);
});

t.test('the first baseline and the size are those of any other value', async (t) => {
  const first = (text: string, rest: Partial<TextLayer>): { y: number; size: number } => {
    const [run] = paintedText(layoutLayer(textLayer(text, { fontSize: 40, ...rest }))).runs;
    return { y: run?.y ?? 0, size: run?.font.size ?? 0 };
  };
  const boxes = [
    { y: 20, height: 60 },
    { y: 20, height: 48 },
    { y: 20, height: 40, verticalAlign: 'middle' as const },
  ];
  for (const box of boxes) {
    for (const text of ['Ếlise', 'Øyvind', 'A\u0303\u0301', 'Ėglė']) {
      t.same(first(text, box), first('Amanda', box), `${text} in ${box.height}`);
    }
  }
  const plain = first('Amanda', { y: 20, height: 60 });
  t.equal(first('ปี๊', { y: 20, height: 60 }).y, plain.y, 'another script beside it');
  for (const rest of [
    { y: 0, height: 48 },
    { y: 20, height: 48, overflow: 'clip' as const },
    { y: 20, height: 48, clip: { shape: 'rect' as const } },
  ]) {
    const [high, low] = [first('Ếlise', rest), first('Amanda', rest)];
    t.ok(high.y - rest.y >= 0.93 * high.size, 'what would be cut stands lower');
    t.equal(low.size, 40);
  }
});

t.test('high letters stand in a clipping box that they just fill', async (t) => {
  for (const height of [26, 27]) {
    const layer = textLayer('Ếlise', { height, overflow: 'clip', fontSize: 20 });
    const y = paintedText(layoutLayer(layer)).runs[0]?.y ?? 0;
    t.ok(Math.abs(y - 21.775) <= 0.01, `${height} px: ${y}`);
  }
});

t.test('letters that go low move the baseline only where their ink would be cut', async (t) => {
  const baseline = (text: string, rest: Partial<TextLayer>): number => {
    const [run] = paintedText(layoutLayer(textLayer(text, { fontSize: 40, y: 100, ...rest }))).runs;
    t.equal(run?.font.size, 40);
    return run?.y ?? 0;
  };
  const sizes = [
    { height: 70, verticalAlign: 'bottom' },
    { height: 48, verticalAlign: 'bottom' },
    { height: 45, verticalAlign: 'top' },
    { height: 45, verticalAlign: 'middle' },
  ] as const;
  const flat = ['山田', 'مريم', 'ไทย', 'नेहा'];
  const deep = ['ญู', 'कृ'];
  for (const overflow of ['visible', 'ellipsis', 'shrink', 'grow', 'clip'] as const) {
    for (const size of sizes) {
      const position = { ...size, overflow };
      const plain = baseline('Amanda', position);
      const texts = overflow === 'visible' ? [...flat, ...deep] : flat;
      for (const text of texts) t.equal(baseline(text, position), plain, `${text} ${overflow}`);
      if (overflow === 'visible') continue;
      for (const text of deep) t.ok(baseline(text, position) < plain, `${text} ${overflow}`);
    }
  }
  // What cuts a visible text is the layer's clip and the end of the canvas, at 1000.
  for (const cut of [{ clip: { shape: 'rect' } }, { y: 930 }] as const) {
    const position = { height: 70, verticalAlign: 'bottom', overflow: 'visible', ...cut } as const;
    const plain = baseline('Amanda', position);
    for (const text of flat) t.equal(baseline(text, position), plain, text);
    for (const text of deep) t.ok(baseline(text, position) < plain, text);
  }
});

t.test('with firstBaseline font no letter moves a line or makes it smaller', async (t) => {
  const texts = ['Ếlise', 'A\u0303\u0301', 'مُحَمَّد', 'ปี๊ญู', 'कृ', '山田', '🎉 Åse', ''];
  const heights = [20, 33, 40, 48, 70, 100];
  for (const verticalAlign of ['top', 'middle', 'bottom'] as const) {
    for (const overflow of ['shrink', 'grow', 'ellipsis', 'clip', 'visible'] as const) {
      for (const height of heights) {
        for (const y of [0, 100, 1000 - height]) {
          const position = { y, height, verticalAlign, overflow, firstBaseline: 'font' } as const;
          const first = (text: string): { y: number | undefined; size: number } => {
            const layout = layoutLayer(textLayer(text, { fontSize: 40, ...position }));
            return { y: paintedText(layout).runs[0]?.y, size: layout.fontSize };
          };
          const plain = first('Amanda');
          for (const text of texts) {
            const other = first(text);
            t.equal(other.size, plain.size, `size of ${text}`);
            if (text !== '') t.equal(other.y, plain.y, `${text} ${JSON.stringify(position)}`);
          }
        }
      }
    }
  }
});

t.test('the ink of a text is measured only where its box is tight', async (t) => {
  const measured = (text: string, height: number): number =>
    costOf(text, { height, verticalAlign: 'middle' }).measurements;
  // The heights of the script, which are measured once.
  measured('Йод', 20);
  measured('Юрий', 200);
  t.equal(measured('Йорик', 200), 0, 'the highest letters of the script are in the box');
  t.equal(measured('Йолка', 20), 1, 'they would leave it');
});

t.test('a text grows past its path, and an ellipsis of Hebrew stands at its left', async (t) => {
  const path = 'M 0 50 L 100 50';
  const [visible, grown] = (['visible', 'grow'] as const).map((overflow) =>
    layoutLayer(textLayer('Along a short path', { path, overflow })),
  );
  t.same(grown?.content, visible?.content);
  const { content } = layoutLayer(textLayer('שלום לכולם שלום', { path, overflow: 'ellipsis' }));
  if (content.kind !== 'path-text') throw new TypeError('expected text on a path');
  t.equal(content.glyphs.toSorted((a, b) => a.offset - b.offset)[0]?.text, '\u2026');
});

t.test('an ellipsis follows the last grapheme that fits, and no dangling mark', async (t) => {
  const cut = (text: string, width: number, maxLines: number): string[] =>
    layoutLayer(textLayer(text, { width, maxLines, height: 400, overflow: 'ellipsis' })).lineTexts;
  t.same(cut('Hello there, you', 70, 1), ['Hello…']);
  t.same(cut('Hello, there', 72, 1), ['Hello…']);
  t.same(cut('One\nTwo\nThree', 100, 2), ['One', 'Two…']);
  t.same(cut('One', 2, 1), ['…'], 'a box too narrow for it gets it all the same');
  t.same(cut('\nTwo', 100, 1), ['…'], 'an empty line, too');
  t.same(cut('Hello Maximilian Alexander', 140, 1), ['Hello Maximi…'], 'it fills a single line');
  t.same(cut('One two three four five', 80, 2), ['One two', 'three…'], 'and ends others at a word');
  t.same(cut('x\u0301x\u0301x\u0301x\u0301', 40, 1), ['x\u0301x\u0301…']);
});

t.test('decomposed text is laid out and reported as the composed text', async (t) => {
  for (const text of ['김민준님 반갑습니다', 'Zoë Nguyễn', 'Čeština à la carte', 'が「パ」']) {
    const rest = { width: 600, overflow: 'shrink', underline: true } as const;
    const layouts = (['NFC', 'NFD'] as const).map((form) =>
      layoutLayer(textLayer(text.normalize(form), rest)),
    );
    t.same(layouts[1], layouts[0], text);
    const spans = [{ text: text.normalize('NFD') }, { text: '!' }];
    t.equal(layoutLayer(textLayer('', { spans, ...rest })).text, `${text}!`);
  }
});
