import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import t from 'tap';
import { AppError } from '../../../src/foundation/errors.ts';
import { CsvParser } from '../../../src/mailings/lists/csv/csv-parser.ts';
import {
  csvStart,
  formatCsvRow,
  neutralizeFormula,
} from '../../../src/mailings/lists/csv/write-csv.ts';
import type { CsvDialect } from '../../../src/mailings/lists/list.ts';
import { extent } from '../../helpers/extent.ts';
import { encodeText } from './encoded-text.ts';
import { readList } from './list-files.ts';
import { anyCodePoint } from '../../helpers/code-points.ts';

const numRuns = extent(300, 1500);
const cell = fc.oneof(
  fc.string({
    unit: fc.constantFrom(
      'a',
      'ß',
      '東',
      ' ',
      '"',
      "'",
      ',',
      ';',
      '\t',
      '\n',
      '\r',
      '=',
      '+',
      '@',
      '1',
    ),
  }),
  fc.string({ unit: 'grapheme' }),
);
const someDialect: fc.Arbitrary<CsvDialect> = fc.record({
  separator: fc.constantFrom(',', ';', '\t', '|'),
  quote: fc.constantFrom('"', "'"),
  newline: fc.constantFrom('\r\n', '\n', '\r'),
});
/** Rows of equal length. */
const someRows = fc
  .integer({ min: 1, max: 6 })
  .chain((length) => fc.array(fc.array(cell, { minLength: length, maxLength: length })));

/** All records of a text that arrives in pieces of these lengths, repeated. */
function parsePieces(
  text: string,
  { separator, quote }: Pick<CsvDialect, 'separator' | 'quote'>,
  lengths: readonly number[],
): { cells: string[]; line: number }[] | string {
  const records: { cells: string[]; line: number }[] = [];
  const parser = new CsvParser({ separator, quote }, { encoding: 'utf-8' }, (cells, line) => {
    records.push({ cells, line });
  });
  try {
    let at = 0;
    for (let index = 0; at < text.length; index += 1) {
      const length = lengths[index % lengths.length] ?? 1;
      parser.push(text.slice(at, at + length));
      at += length;
    }
    parser.end();
  } catch (error) {
    if (error instanceof AppError) return error.message;
    throw error;
  }
  return records;
}

/** The cells of all records, or the message with which the text is refused. */
function cellsOf(
  text: string,
  dialect: Pick<CsvDialect, 'separator' | 'quote'>,
): string[][] | string {
  const records = parsePieces(text, dialect, [text.length + 1]);
  return typeof records === 'string' ? records : records.map(({ cells }) => cells);
}

t.test('rows that are written are read back', async (t) => {
  fc.assert(
    fc.property(someRows, someDialect, (values, dialect) => {
      const text = values.map((row) => formatCsvRow(row, dialect)).join('');
      t.same(
        cellsOf(text, dialect),
        values.map((row) => row.map(neutralizeFormula)),
      );
    }),
    { numRuns },
  );
});

t.test('a list is read back from its file with its dialect and encoding', async (t) => {
  const encodings = ['utf-8', 'utf-16le', 'utf-16be'];
  await fc.assert(
    fc.asyncProperty(
      someRows,
      someDialect,
      fc.constantFrom(...encodings),
      async (values, dialect, encoding) => {
        const header = ['id', ...(values[0] ?? []).map((_, index) => `name ${index}`)];
        // Without U+0000, and without U+FFFD, which lists refuse as a sign of lost characters.
        const filled = values.map((row, index) => [
          String(index),
          ...row.map((value) => value.toWellFormed().replaceAll(/[\0\uFFFD]/g, '')),
        ]);
        const text = [header, ...filled].map((row) => formatCsvRow(row, dialect)).join('');
        const start = csvStart({ encoding, hasBom: encoding !== 'utf-8' });
        const list = await readList(encodeText(start + text, encoding), {
          separator: dialect.separator,
        });
        const format = { kind: 'csv', encoding, ...dialect };
        t.match(list.format, format);
        t.same(list.columns, header);
        t.same(
          list.rows.map((row) => row.values),
          filled.map((row) => row.map(neutralizeFormula)),
        );
      },
    ),
    { numRuns: extent(40, 500) },
  );
});

const markup = fc.string({
  unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', '"\n', '","', 'ü'),
});
const pieces = fc.array(fc.integer({ min: 1, max: 5 }), { minLength: 1 });

t.test('the pieces in which a text arrives make no difference', async (t) => {
  const comma = { separator: ',', quote: '"' } as const;
  fc.assert(
    fc.property(markup, pieces, (text, lengths) => {
      t.same(parsePieces(text, comma, lengths), parsePieces(text, comma, [text.length + 1]));
    }),
    { numRuns },
  );
});

t.test('what csv-parse accepts is read alike', async (t) => {
  let compared = 0;
  fc.assert(
    fc.property(markup, (text) => {
      let expected: string[][];
      try {
        expected = parse(text, { relaxColumnCount: true, recordDelimiter: ['\r\n', '\n', '\r'] });
      } catch {
        return;
      }
      compared += 1;
      t.same(cellsOf(text, { separator: ',', quote: '"' }), expected, text);
    }),
    { numRuns },
  );
  t.ok(compared > numRuns / 10, 'many texts are compared');
});

t.test('no file crashes or hangs the reader', async (t) => {
  const workbook = readFileSync(join(import.meta.dirname, 'fixtures', 'members.xlsx'));
  const changes = fc.array(fc.tuple(fc.nat(workbook.length - 1), fc.nat(255)), { maxLength: 20 });
  const bytes = fc.oneof(
    fc.uint8Array({ maxLength: 3000 }).map((each) => Buffer.from(each)),
    fc.string({ unit: anyCodePoint, maxLength: 2000 }).map((each) => Buffer.from(each)),
    fc
      .string({ unit: fc.constantFrom('{', '}', '"', ':', '\n', '[', '1', 'a', ',') })
      .map((each) => Buffer.from(`{"${each}`)),
    changes.map((each) => {
      const changed = Buffer.from(workbook);
      for (const [at, byte] of each) changed[at] = byte;
      return changed;
    }),
  );
  await fc.assert(
    fc.asyncProperty(bytes, async (content) => {
      try {
        const { rows, problems, columns } = await readList(content);
        t.ok(rows.every(({ values }) => values.length === columns.length));
        t.ok(problems.every(({ row, line }) => row > 0 && line > 0));
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
      }
    }),
    { numRuns: extent(300, 1500) },
  );
});
