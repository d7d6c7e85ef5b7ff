/** Builds small TrueType fonts that are expensive to shape or to draw, as an organization may upload them (OpenType 1.9). */

type Point = readonly [x: number, y: number];
type Glyph =
  | { contours: readonly (readonly Point[])[] }
  | { part: number; times: number; step: number };

/** What a font does with its glyphs; lookups are tables as the specification lays them out. */
interface FontParts {
  /** From glyph 1 on; the first ones are the letters from `a` on. */
  glyphs: readonly Glyph[];
  gsub?: number[];
}

const u16 = (value: number): number[] => [(value >> 8) & 0xff, value & 0xff];
const u32 = (value: number): number[] => [...u16(value >>> 16), ...u16(value)];
const u16s = (...values: number[]): number[] => values.flatMap(u16);
const tagOf = (tag: string): number[] => Array.from(tag, (letter) => letter.charCodeAt(0));

const emUnits = 1000;

/** The file of a font. */
function fontFile(family: string, { glyphs, gsub }: FontParts): Uint8Array {
  const outlines = [[], ...glyphs.map(glyphData)];
  let end = 0;
  const ends = outlines.map((data) => (end += data.length));
  const count = outlines.length;
  const tables: Record<string, number[]> = {
    'OS/2': [...u16s(4, 500, 400, 5), ...Array<number>(88).fill(0)],
    cmap: cmapTable(glyphs.length),
    glyf: outlines.flat(),
    head: headTable(),
    hhea: [
      ...u32(0x10000),
      ...u16s(800, -200, 0, 600),
      ...Array<number>(22).fill(0),
      ...u16(count),
    ],
    hmtx: outlines.flatMap(() => u16s(600, 0)),
    loca: [0, ...ends].flatMap(u32),
    maxp: [
      ...u32(0x10000),
      ...u16s(count, 20_000, 5000, 20_000, 5000, 2),
      ...Array<number>(12).fill(0),
      ...u16s(100, 2),
    ],
    name: nameTable(family),
    post: [...u32(0x30000), ...Array<number>(28).fill(0)],
  };
  if (gsub !== undefined) tables['GSUB'] = gsub;
  return joinTables(tables);
}

function joinTables(tables: Record<string, number[]>): Uint8Array {
  const entries = Object.entries(tables).toSorted(([a], [b]) => (a < b ? -1 : 1));
  const directory = [...u32(0x10000), ...u16s(entries.length, 0, 0, 0)];
  const body: number[][] = [];
  let offset = 12 + 16 * entries.length;
  for (const [tag, data] of entries) {
    directory.push(...tagOf(tag), ...u32(0), ...u32(offset), ...u32(data.length));
    const padding = (4 - (data.length % 4)) % 4;
    body.push(data, Array<number>(padding).fill(0));
    offset += data.length + padding;
  }
  return Uint8Array.from([directory, ...body].flat());
}

function headTable(): number[] {
  return [
    ...u32(0x10000),
    ...u32(0x10000),
    ...u32(0),
    ...u32(0x5f0f3cf5),
    ...u16s(0, emUnits),
    ...Array<number>(16).fill(0),
    ...u16s(0, 0, emUnits, emUnits, 0, 8, 2, 1, 0),
  ];
}

/** Format 4: the letters from `a` on are the glyphs from 1 on. */
function cmapTable(letters: number): number[] {
  const first = 'a'.charCodeAt(0);
  const segments = [
    ...u16s(4, 4, 0, 0),
    ...u16s(first + letters - 1, 0xffff),
    ...u16(0),
    ...u16s(first, 0xffff),
    ...u16s(1 - first, 1),
    ...u16s(0, 0),
  ];
  return [...u16s(0, 1, 3, 1), ...u32(12), ...u16s(4, segments.length + 6, 0), ...segments];
}

function nameTable(family: string): number[] {
  const text = Array.from(family).flatMap((letter) => u16(letter.charCodeAt(0)));
  const records = [1, 4].flatMap((id) => u16s(3, 1, 0x409, id, text.length, 0));
  return [...u16s(0, 2, 6 + records.length), ...records, ...text];
}

function glyphData(glyph: Glyph): number[] {
  const box = u16s(0, 0, emUnits, emUnits);
  if ('part' in glyph) {
    const { part, times, step } = glyph;
    // Words as offsets (1, 2); 0x20 says that another component follows.
    const components = Array.from({ length: times }, (_, index) =>
      u16s(index === times - 1 ? 3 : 0x23, part, (index * step) % emUnits, (index * 7) % emUnits),
    );
    return padded([...u16(-1), ...box, ...components.flat()]);
  }
  const points = glyph.contours.flat();
  let last = -1;
  const ends = glyph.contours.map((contour) => (last += contour.length));
  const deltas = (axis: 0 | 1): number[] =>
    points.flatMap((point, index) => u16(point[axis] - (points[index - 1]?.[axis] ?? 0)));
  const flags = Array<number>(points.length).fill(1);
  return padded([
    ...u16(glyph.contours.length),
    ...box,
    ...u16s(...ends),
    ...u16(0),
    ...flags,
    ...deltas(0),
    ...deltas(1),
  ]);
}

function padded(data: number[]): number[] {
  return [...data, ...Array<number>((4 - (data.length % 4)) % 4).fill(0)];
}

/** Thin squares in rows: as many contours as a row of a raster crosses. */
function squares(count: number): Glyph {
  const contours = Array.from({ length: count }, (_, index): Point[] => {
    const [x, y] = [(index * 37) % 900, (index * 91) % 900];
    return [
      [x, y],
      [x + 60, y + 9],
      [x + 80, y + 90],
      [x + 3, y + 70],
    ];
  });
  return { contours };
}

/** Teeth as high as the letter. */
function comb(teeth: number): Glyph {
  const points = Array.from({ length: 2 * teeth }, (_, index): Point => [
    Math.floor((index * emUnits) / (2 * teeth)),
    index % 2 === 0 ? 0 : emUnits,
  ]);
  return { contours: [points] };
}

/** Substitutions in this order, as the feature `ccmp` of any script. */
function gsubTable(lookups: readonly number[][], feature = 'ccmp'): number[] {
  const indices = lookups.map((_, index) => index);
  const scripts = [...u16(1), ...tagOf('DFLT'), ...u16(8), ...u16s(4, 0, 0, 0xffff, 1, 0)];
  const features = [
    ...u16(1),
    ...tagOf(feature),
    ...u16(8),
    ...u16s(0, lookups.length, ...indices),
  ];
  let offset = 2 + 2 * lookups.length;
  const offsets = lookups.map((lookup) => (offset += lookup.length) - lookup.length);
  const list = [...u16(lookups.length), ...u16s(...offsets), ...lookups.flat()];
  const at = 10 + scripts.length;
  return [...u32(0x10000), ...u16s(10, at, at + features.length), ...scripts, ...features, ...list];
}

/** One glyph becomes many. */
function multiple(from: number, to: readonly number[]): number[] {
  const sequence = u16s(to.length, ...to);
  const subtable = [...u16s(1, 8 + sequence.length, 1, 8), ...sequence, ...u16s(1, 1, from)];
  return [...u16s(2, 0, 1, 8), ...subtable];
}

/** Two glyphs become one. */
function ligature(first: number, second: number, to: number): number[] {
  const subtable = [
    ...u16s(1, 18, 1, 8),
    ...u16s(1, 4),
    ...u16s(to, 2, second),
    ...u16s(1, 1, first),
  ];
  return [...u16s(4, 0, 1, 8), ...subtable];
}

/** As many rules look for 60 letters `a` before a `c`, which a text of `a` alone denies late. */
function contexts(rules: number): number[] {
  const coverage = 6 + 2 * 61;
  const letters = Array.from({ length: 60 }, () => coverage);
  const rule = [...u16s(3, 61, 0, ...letters, coverage + 6), ...u16s(1, 1, 1), ...u16s(1, 1, 3)];
  const offsets = Array<number>(rules).fill(6 + 2 * rules);
  return [...u16s(5, 0, rules), ...u16s(...offsets), ...rule];
}

/** Rules that apply the lookup that they stand in. */
function endlessContext(): number[] {
  return [...u16s(5, 0, 1, 8), ...u16s(3, 1, 1, 12, 0, 0), ...u16s(1, 1, 1)];
}

const many = (glyph: number, times: number): number[] => Array<number>(times).fill(glyph);

/** The letter `a` becomes `first` × `second` glyphs, and `b` as many as `second`. */
function expansion(first: number, second: number, feature?: string): FontParts {
  return {
    glyphs: [squares(1), squares(2), comb(50)],
    gsub: gsubTable([multiple(1, many(2, first)), multiple(2, many(3, second))], feature),
  };
}

function contextual(lookup: number[]): FontParts {
  // A shaper reads 64 things a byte of the table, and then ignores it.
  const gsub = [...gsubTable([lookup]), ...Array<number>(20_000).fill(0)];
  return { glyphs: [squares(1), squares(2), squares(3)], gsub };
}

/** Files by family, which an upload accepts. Each has the letters `a`, `b` and `c`. */
export const hostileFonts: ReadonlyMap<string, Uint8Array> = new Map(
  Object.entries({
    'Law Contours': { glyphs: [squares(300), comb(400), { part: 1, times: 4, step: 3 }] },
    'Law Ligature': {
      glyphs: [squares(1), squares(50), squares(3), { part: 2, times: 25, step: 5 }],
      gsub: gsubTable([ligature(1, 2, 4)]),
    },
    'Law Expansion': expansion(2, 2),
    'Law Contexts': contextual(contexts(320)),
  }).map(([family, parts]) => [family, fontFile(family, parts)]),
);

/** A font that makes `first` × `second` glyphs of a letter, by a feature. */
export function expandingFont(first: number, second: number, feature?: string): Uint8Array {
  return fontFile('Law Growth', expansion(first, second, feature));
}

/** A font that compares a text at each letter with 61 letters of each rule, or without an end. */
export function contextFont(rules: number | 'endless'): Uint8Array {
  const lookup = rules === 'endless' ? endlessContext() : contexts(rules);
  return fontFile('Law Contexts', contextual(lookup));
}
