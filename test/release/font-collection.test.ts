/** Fonts of a release have the tables of the fonts that they are made of, byte for byte. */
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import t from 'tap';
import { withoutGlyphNames, writeCollection } from '../../src/cli/build/font-collection.ts';
import { collectedPackages } from '../../src/cli/build/packages.ts';
import { createFontInspector } from '../../src/scheduling/font-inspector.ts';
import { readCoverage } from '../../workers/assets/font-coverage.ts';
import { readShapingFile } from '../../workers/assets/font-files.ts';
import { readTables } from '../../workers/assets/font-tables.ts';

/** Chinese, Japanese and Korean in regular. */
const sources = collectedPackages.map((name) => {
  const path = `${name}/400Regular/NotoSans${name.slice(-2).toUpperCase()}_400Regular.ttf`;
  return fileURLToPath(import.meta.resolve(path));
});
const collection = writeCollection(sources.map((source) => readFileSync(source)));

t.test('a collection has every table of its fonts, and is a quarter smaller', async (t) => {
  const path = join(t.testdir(), 'all.ttc');
  writeFileSync(path, collection);
  const sourceBytes = sources.reduce((sum, source) => sum + statSync(source).size, 0);
  t.ok(collection.length < 0.75 * sourceBytes, `${collection.length} of ${sourceBytes} bytes`);

  const inspector = createFontInspector();
  t.teardown(() => inspector.close());
  for (const [face, source] of sources.entries()) {
    const style = { weight: 400, italic: false };
    const file = { path, face, ...style };
    const original = { path: source, ...style };
    const tables = readTables(await inspector.readFile(file));
    const expected = readTables(await inspector.readFile(original));
    t.same([...tables.keys()], [...expected.keys()].toSorted());
    for (const [tag, table] of expected) {
      const found = tables.get(tag);
      t.ok(found !== undefined && bytesOf(found).equals(bytesOf(table)), `${tag} of ${source}`);
    }
    t.ok(
      Buffer.from(readShapingFile(file)).equals(readShapingFile(original)),
      'the tables for shaping',
    );
    t.same(readCoverage(file), readCoverage(original), 'the characters');
  }
});

t.test('fonts that are taken out of a collection leave the slots of uploads free', async (t) => {
  const path = join(t.testdir(), 'all.ttc');
  writeFileSync(path, collection);
  const inspector = createFontInspector();
  t.teardown(() => inspector.close());
  const file = { path, face: 0, weight: 400, italic: false };
  const taken = Array.from({ length: 40 }, () => inspector.readFile(file));
  const verdict = await inspector.inspect('org_a', Buffer.from('no font'));
  t.match(verdict, { ok: false });
  const [first, ...others] = await Promise.all(taken);
  t.ok(
    others.every((bytes) => bytes === first),
    'requests at the same time share one',
  );
});

t.test('no glyph of a collection ends before it starts', async (t) => {
  for (const face of sources.keys()) {
    const start = collection.readUInt32BE(12 + face * 4);
    const entry = collection.indexOf('loca', start);
    const [offset, length] = [
      collection.readUInt32BE(entry + 8),
      collection.readUInt32BE(entry + 12),
    ];
    const locations = Array.from({ length: length / 4 }, (_, at) =>
      collection.readUInt32BE(offset + at * 4),
    );
    t.ok(
      locations.every((each, at) => at === 0 || each >= (locations[at - 1] ?? 0)),
      'in order',
    );
  }
});

t.test('a font without names of glyphs has all else', async (t) => {
  const source = readFileSync(
    fileURLToPath(import.meta.resolve('@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf')),
  );
  const [tables, expected] = [readTables(withoutGlyphNames(source)), readTables(source)];
  t.same([...tables.keys()], [...expected.keys()]);
  for (const [tag, table] of expected) {
    const found = tables.get(tag);
    if (found === undefined) throw new Error(`${tag} is missing`);
    if (tag === 'post') {
      t.equal(found.getUint32(0), 0x00030000, 'no names');
      t.ok(
        bytesOf(found).subarray(4).equals(bytesOf(table).subarray(4, 32)),
        'underline and slant',
      );
    } else t.ok(bytesOf(found).equals(bytesOf(table)), tag);
  }
});

function bytesOf(view: DataView): Buffer {
  return Buffer.from(view.buffer, view.byteOffset, view.byteLength);
}
