import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import t from 'tap';
import { inspectFont } from '../../../workers/assets/font-inspection.ts';
import {
  declaredBytes,
  FontProblem,
  isWoff2,
  readTables,
} from '../../../workers/assets/font-tables.ts';
import { contextFont, expandingFont, hostileFonts } from '../../law/hostile-fonts.ts';

const read = (specifier: string): Uint8Array =>
  new Uint8Array(readFileSync(fileURLToPath(import.meta.resolve(specifier))));
const lobster = read('@expo-google-fonts/lobster/400Regular/Lobster_400Regular.ttf');
const woff2 = read('twemoji-colr-font/twemoji.woff2');
const variable = new Uint8Array(
  readFileSync(join(import.meta.dirname, '../../../data/fonts/InterVariable-Italic.ttf')),
);

t.test('a sound font tells its names, its looks, its licence and its scripts', async (t) => {
  const { facts, file } = inspectFont(lobster);
  t.match(facts, { family: 'Lobster', weight: 400, italic: false, embedding: 'installable' });
  t.match(facts.license, /Open Font License/);
  const scripts = facts.scripts.map(({ script }) => script);
  t.same(scripts, ['Latin', 'Latin Extended', 'Vietnamese', 'Cyrillic']);
  t.same(inspectFont(file).file, file, 'what was written is read again as it is');
  const { italic, axes } = inspectFont(variable).facts;
  t.equal(italic, true);
  t.same(axes['wght'], { min: 100, initial: 400, max: 900 });
});

/** The font with another tag for its table "gasp". */
function withTagOfGasp(tag: string): Uint8Array {
  const font = Buffer.from(lobster);
  font.write(tag, font.indexOf('gasp', 12, 'latin1'), 'latin1');
  return font;
}

t.test('only tables that drawing needs are kept', async (t) => {
  const tags = [...readTables(inspectFont(withTagOfGasp('DSIG')).file).keys()];
  t.ok(tags.includes('glyf'));
  t.notOk(tags.includes('DSIG'));
});

t.test('a font whose tables reach out, lie or are missing is refused in words', async (t) => {
  const change = (edit: (view: DataView) => void): Uint8Array => {
    const copy = lobster.slice();
    edit(new DataView(copy.buffer));
    return copy;
  };
  const at = (tag: string): number => readTables(lobster).get(tag)?.byteOffset ?? 0;
  const wrong: [font: Uint8Array, problem: RegExp][] = [
    [new Uint8Array(), /is no TTF/],
    [new Uint8Array(5000), /is no TTF/],
    [lobster.subarray(0, 4000), /is damaged/],
    [change((view) => view.setUint32(0, 0x74746366)), /collection/],
    [change((view) => view.setUint32(0, 0x774f4646)), /WOFF 1/],
    [change((view) => view.setUint16(4, 60_000)), /table directory/],
    [change((view) => view.setUint32(12 + 8, 0xffffff00)), /is damaged/],
    [change((view) => view.setUint32(at('head') + 12, 0)), /"head"/],
    [change((view) => view.setUint16(at('head') + 18, 0)), /"head"/],
    [change((view) => view.setUint16(at('maxp') + 4, 65_535)), /"hmtx"|"loca"|too early/],
    [change((view) => view.setUint16(at('hhea') + 34, 0)), /"hmtx"/],
    [change((view) => view.setUint32(at('loca') + 8, 0xfffffff0)), /"loca"/],
    [change((view) => view.setUint16(at('cmap') + 2, 5000)), /"cmap"/],
    [withTagOfGasp('COLR'), /color glyphs.*"COLR"/],
  ];
  for (const [font, problem] of wrong) t.throws(() => inspectFont(font), problem);
});

t.test('a character map that repeats itself is refused before it is gone through', async (t) => {
  const groups = 200_000;
  const cmap = new DataView(new ArrayBuffer(12 + 16 + groups * 12));
  cmap.setUint16(2, 1);
  cmap.setUint32(8, 12);
  cmap.setUint16(12, 12);
  cmap.setUint32(24, groups);
  for (let index = 0; index < groups; index += 1) cmap.setUint32(28 + index * 12 + 4, 0x10ffff);
  const font = withTable(lobster, 'cmap', new Uint8Array(cmap.buffer));
  // To go through 200,000 times all of Unicode would take longer than the test may.
  t.throws(() => inspectFont(font), /"cmap"/);
});

t.test('a font with any bytes changed is taken or refused, and nothing else', async (t) => {
  const change = fc.tuple(fc.nat(lobster.length - 1), fc.nat(255));
  fc.assert(
    fc.property(fc.array(change, { minLength: 1, maxLength: 30 }), (changes) => {
      const font = lobster.slice();
      for (const [offset, value] of changes)
        font[offset % 2 === 0 ? offset : offset % 1000] = value;
      try {
        return inspectFont(font).file.length > 0;
      } catch (error) {
        return error instanceof FontProblem;
      }
    }),
    { numRuns: 25 },
  );
  t.pass();
});

t.test('the size that a compressed font announces is known before it is unpacked', async (t) => {
  t.ok(isWoff2(woff2));
  t.notOk(isWoff2(lobster));
  t.ok(declaredBytes(woff2) > woff2.length);
  const bomb = woff2.slice();
  new DataView(bomb.buffer).setUint32(16, 0xf0000000);
  t.ok(declaredBytes(bomb) > 2 ** 31);
  t.throws(() => declaredBytes(woff2.subarray(0, 60)), FontProblem);
});

/** A font with another table in place of its own, at the end of the file. */
function withTable(font: Uint8Array, tag: string, table: Uint8Array): Uint8Array {
  const start = Math.ceil(font.length / 4) * 4;
  const file = new Uint8Array(start + table.length);
  file.set(font);
  file.set(table, start);
  const view = new DataView(file.buffer);
  const entry = Buffer.from(file.buffer).indexOf(tag, 12, 'latin1');
  view.setUint32(entry + 8, start);
  view.setUint32(entry + 12, table.length);
  return file;
}

t.test('the fonts that the law draws are accepted', async (t) => {
  for (const [family, file] of hostileFonts) t.equal(inspectFont(file).facts.family, family);
});

t.test('a font with a character that becomes many glyphs is refused', async (t) => {
  t.throws(() => inspectFont(expandingFont(1, 5)), /makes 5 glyphs of the character U\+0061/);
  t.throws(() => inspectFont(expandingFont(60, 60)), /makes 3600 glyphs of the character U\+0061/);
  t.throws(() => inspectFont(expandingFont(60, 60, 'ss01')), /makes 3600 glyphs/, 'if asked for');
  t.equal(inspectFont(expandingFont(2, 2)).facts.family, 'Law Growth');
});

t.test('a font whose rules take long to shape a text with is refused', async (t) => {
  t.throws(() => inspectFont(contextFont(1000)), /62000 comparisons with a character/);
  t.throws(() => inspectFont(contextFont(30_000)), /comparisons with a character/);
  t.throws(() => inspectFont(contextFont('endless')), /endless comparisons/);
});
