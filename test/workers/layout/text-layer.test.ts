import t, { type Test } from 'tap';
import type { TextLayer } from '#language/schema/text.ts';
import {
  layoutLayer,
  engine,
  shaping,
  paintedLines,
  paintedText,
  textLayer,
} from '../../helpers/text.ts';

/** What a layer is expected to become; what is left out is not looked at. */
interface Expected {
  lines?: string[];
  fontSize?: number;
  warnings?: string[];
  /** Left and right edges of the painted runs, design pixels. */
  left?: number;
  right?: number;
}

/** Pixels by which advances may differ from round numbers. */
const tolerance = 0.05;

function checkLayout(t: Test, layer: TextLayer, expected: Expected, lang?: string): void {
  const layout = layoutLayer(layer, lang);
  const { runs } = paintedText(layout);
  if (expected.lines !== undefined) t.same(paintedLines(layout), expected.lines, 'lines');
  if (expected.fontSize !== undefined) t.equal(layout.fontSize, expected.fontSize, 'font size');
  t.same(
    layout.warnings.map(({ code }) => code),
    expected.warnings ?? [],
    'warnings',
  );
  const left = Math.min(...runs.map(({ x }) => x));
  const right = Math.max(...runs.map(({ x, width }) => x + width));
  if (expected.left !== undefined) t.ok(Math.abs(left - expected.left) < tolerance, `left ${left}`);
  if (expected.right !== undefined) {
    t.ok(Math.abs(right - expected.right) < tolerance, `right ${right}`);
  }
}

t.test('lines are broken between words and aligned in the box', (t) => {
  const text = 'The quick brown fox jumps';
  const lines = ['The quick brown fox', 'jumps'];
  checkLayout(t, textLayer(text), { lines, left: 0 });
  checkLayout(t, textLayer(text, { align: 'right' }), { lines, right: 200 });
  checkLayout(t, textLayer(text, { align: 'end' }), { lines, right: 200 });
  checkLayout(t, textLayer('a   ', { align: 'right' }), { lines: ['a'], right: 200 });
  t.end();
});

t.test('right-to-left text starts at the right and is painted in visual order', (t) => {
  checkLayout(t, textLayer('שלום עולם'), { lines: ['שלום עולם'], right: 200 });
  checkLayout(t, textLayer('שלום abc!'), { lines: ['!|abc|שלום'], right: 200 });
  checkLayout(t, textLayer('Hi שלום.'), { lines: ['Hi|שלום|.'], left: 0 });
  checkLayout(t, textLayer('שלום', { align: 'end' }), { left: 0 });
  checkLayout(t, textLayer('abc!', { direction: 'rtl' }), { lines: ['!|abc'], right: 200 });
  t.end();
});

t.test('a justified line ends at both edges, the last one does not', (t) => {
  const text = 'one two three four five six seven';
  const layout = layoutLayer(textLayer(text, { align: 'justify' }));
  const { runs } = paintedText(layout);
  const first = runs.filter(({ y }) => y === runs[0]?.y);
  const last = runs.filter(({ y }) => y === runs.at(-1)?.y);
  t.equal(first[0]?.x, 0);
  const end = first.at(-1);
  t.ok(Math.abs((end?.x ?? 0) + (end?.width ?? 0) - 200) < tolerance);
  t.ok((last[0]?.width ?? 200) < 200 - tolerance, 'the last line has its own width');
  t.end();
});

t.test('letter spacing takes no space after the last letter', (t) => {
  const spaced = { letterSpacing: 10, fontSize: 20 } as const;
  const plain = paintedText(layoutLayer(textLayer('ABC')));
  const width = plain.runs[0]?.width ?? 0;
  const { runs } = paintedText(layoutLayer(textLayer('ABC', { ...spaced, align: 'right' })));
  const [run] = runs;
  // Kerning between capitals of different distance stays; only two gaps are added.
  t.ok(Math.abs(200 - (run?.x ?? 0) - (width + 20)) < 0.5, `${run?.x}`);
  checkLayout(t, textLayer('ABC', { ...spaced, width: width + 20.5, overflow: 'visible' }), {
    lines: ['ABC'],
  });
  t.end();
});

t.test('overflow shrinks, cuts, clips, grows or lets stand over, and says so', (t) => {
  const text = 'This text is far too long for a box of such a small size';
  const small = { width: 120, height: 40 } as const;
  checkLayout(t, textLayer(text, { ...small, minSize: 6 }), {
    fontSize: 11.5,
    lines: ['This text is far too', 'long for a box of such', 'a small size'],
  });
  checkLayout(t, textLayer(`${text} ${text}`, { ...small }), {
    fontSize: 10,
    warnings: ['TEXT_TRUNCATED'],
  });
  checkLayout(t, textLayer(text, { ...small, minSize: 16 }), {
    fontSize: 16,
    lines: ['This text is far', 'too long for a…'],
    warnings: ['TEXT_TRUNCATED'],
  });
  checkLayout(t, textLayer(text, { ...small, overflow: 'ellipsis' }), {
    fontSize: 20,
    lines: ['This text is…'],
    warnings: ['TEXT_TRUNCATED'],
  });
  const clipped = layoutLayer(textLayer(text, { ...small, overflow: 'clip' }));
  t.ok(paintedText(clipped).clips);
  t.same(
    clipped.warnings.map(({ code }) => code),
    ['TEXT_OVERFLOWS'],
  );
  const grown = layoutLayer(textLayer(text, { ...small, overflow: 'grow' }));
  t.equal(paintedText(grown).box.height, grown.lines * 24);
  const short = layoutLayer(textLayer('short', { ...small, overflow: 'grow' }));
  t.equal(paintedText(short).box.height, 40, 'a short text does not make its box smaller');
  checkLayout(t, textLayer(text, { ...small, overflow: 'visible' }), { fontSize: 20 });
  t.end();
});

t.test('letters of tight boxes lie inside', (t) => {
  const { runs } = paintedText(layoutLayer(textLayer('dp', { height: 20 })));
  const [run] = runs;
  t.equal(run?.font.size, 20, 'a box as high as its font holds a line');
  // Inter: d is 0.76 of the size high, p goes 0.21 below the baseline.
  t.ok((run?.y ?? 0) >= 0.75 * 20 && (run?.y ?? 0) <= 20 - 0.2 * 20, `baseline ${run?.y}`);
  t.end();
});

t.test('a box lower than one line holds that line', (t) => {
  const low = { width: 200, height: 12, fontSize: 40, minSize: 30 } as const;
  for (const overflow of ['shrink', 'ellipsis', 'clip'] as const) {
    checkLayout(t, textLayer('Tall', { ...low, overflow }), {
      lines: ['Tall'],
      warnings: ['TEXT_OVERFLOWS'],
    });
  }
  checkLayout(t, textLayer('Tall Two', { ...low, height: 0, width: 110 }), {
    lines: ['Tall T…'],
    fontSize: 30,
    warnings: ['TEXT_TRUNCATED'],
  });
  const [run] = paintedText(layoutLayer(textLayer('dp', low))).runs;
  t.ok((run?.y ?? 0) < 0.78 * 30, `the letters begin at the top of the box: ${run?.y}`);
  t.end();
});

t.test('pills end at the edges of the box', (t) => {
  const linePill = { fill: '#ffff00', paddingX: 15 };
  for (const align of ['left', 'right', 'justify'] as const) {
    const layer = textLayer('The quick brown fox jumps over it', { align, linePill });
    const { backgrounds } = paintedText(layoutLayer(layer));
    for (const { rect } of backgrounds) {
      t.ok(rect.x >= -tolerance && rect.x + rect.width <= 200 + tolerance, `${align} ${rect.x}`);
    }
  }
  const wide = textLayer('ab', { width: 20, linePill: { fill: '#ffff00', paddingX: 15 } });
  t.equal(paintedText(layoutLayer({ ...wide, overflow: 'visible' })).runs.length, 2);
  t.end();
});

t.test('an underline lies where the font wants it', (t) => {
  const underline = (fontFamily: string): number => {
    const { lines, runs } = paintedText(
      layoutLayer(textLayer('gap', { fontFamily, underline: true })),
    );
    return ((lines[0]?.rect.y ?? 0) - (runs[0]?.y ?? 0)) / 20;
  };
  t.ok(Math.abs(underline('Inter') - 0.17) < 0.002, 'as the font says');
  t.ok(Math.abs(underline('Space Mono') - 0.1) < 0.002, 'no nearer than a tenth of the size');
  t.end();
});

t.test('a value is bold inside a sentence, and a word of two looks is one word', (t) => {
  const bold = layoutLayer(
    textLayer('', {
      text: undefined as never,
      spans: [{ text: 'Hello ' }, { text: 'Amanda', fontWeight: 800 }, { text: '!' }],
    }),
  );
  t.same(paintedLines(bold), ['Hello|Amanda|!']);
  const parted = (spans: NonNullable<TextLayer['spans']>): number => {
    const { runs } = paintedText(layoutLayer({ ...textLayer(''), spans }));
    const last = runs.at(-1);
    return (last?.x ?? 0) + (last?.width ?? 0);
  };
  const whole = parted([{ text: 'AVATo' }]);
  const coloured = parted([{ text: 'AV' }, { text: 'AT', fill: '#ff0000' }, { text: 'o' }]);
  t.ok(Math.abs(whole - coloured) < tolerance, 'kerning does not stop at a change of colour');
  t.end();
});

t.test('decorations end with their letters', (t) => {
  const layer = textLayer('AB CD', { underline: true, letterSpacing: 12, background: '#ffff00' });
  const { lines, backgrounds, runs } = paintedText(layoutLayer(layer));
  const [run] = runs;
  t.equal(lines.length, 1);
  t.ok(Math.abs((lines[0]?.rect.width ?? 0) - ((run?.width ?? 0) - 12)) < tolerance);
  t.equal(backgrounds[0]?.rect.width, lines[0]?.rect.width);
  const blank = textLayer(' \u00A0\n', { underline: true, linePill: { fill: '#ffff00' } });
  const nothing = paintedText(layoutLayer(blank));
  t.same([nothing.runs, nothing.lines, nothing.backgrounds], [[], [], []]);
  t.end();
});

t.test('what cannot be drawn is a warning', (t) => {
  const missing = layoutLayer(textLayer('a\u{13080}b\u{A000}'));
  t.same(
    missing.warnings.map(({ code, detail }) => `${code} ${detail}`),
    ['GLYPH_MISSING no installed font has U+13080, U+A000'],
  );
  t.equal(paintedText(missing).runs[0]?.text, 'a□b□');
  const family = layoutLayer(textLayer('a', { fontFamily: ['Nope', 'Inter'] }));
  t.match(family.warnings[0], { code: 'FONT_MISSING', detail: /"Nope".*Inter/ });
  const long = layoutLayer(textLayer('word '.repeat(2000), { overflow: 'visible' }));
  t.ok(long.warnings.some(({ code }) => code === 'TEXT_TRUNCATED'));
  t.ok(long.lines <= 200);
  t.end();
});

t.test('the longest values cost a bounded number of measurements', (t) => {
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
      const before = engine.measurementCount();
      const shapedBefore = shaping.shapingCount();
      layoutLayer(textLayer(text, { width: 300, height: 80, ...rest }));
      const count = engine.measurementCount() - before;
      const shapings = shaping.shapingCount() - shapedBefore;
      // Twice for each of the 200 lines that a layer has at most; the engine takes 40 µs for a short one.
      t.ok(count <= 400, `${name}: measured ${count} times`);
      // A word takes 3 to 20 µs.
      t.ok(shapings <= 3000, `${name}: shaped ${shapings} times`);
    }
  }
  t.end();
});

t.test('spaced and balanced text of mixed scripts costs few measurements', (t) => {
  const starts = [0x61, 0x430, 0x5d0, 0x628, 0x905, 0xe01, 0x4e00, 0xac00, 0x1f600, 0x3b1, 0x3041];
  const look = { letterSpacing: 3, balance: true, align: 'justify', minSize: 1 } as const;
  for (const length of [1, 7]) {
    const word = (index: number): string =>
      Array.from({ length }, (_, at) =>
        String.fromCodePoint(
          (starts[index % 11] ?? 0) + ((index * index * 7 + at * (index % 23)) % 26),
        ),
      ).join('');
    const words = Array.from({ length: 2500 }, (_, index) => word(index)).join(
      length > 1 ? ' ' : '',
    );
    const text = Array.from(words).slice(0, 2500).join('');
    const before = engine.measurementCount();
    const shapedBefore = shaping.shapingCount();
    layoutLayer(textLayer(text, { width: 600, height: 200, ...look }));
    // 50 µs each: one for 40 characters or more, all of which are drawn.
    const count = engine.measurementCount() - before;
    t.ok(count <= 2500 / 40, `${length}: measured ${count} times`);
    const shapings = shaping.shapingCount() - shapedBefore;
    t.ok(shapings <= 800, `${length}: shaped ${shapings} times`);
  }
  t.end();
});
