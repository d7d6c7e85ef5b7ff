import { readFileSync } from 'node:fs';
import t from 'tap';
import { detectEncoding } from '../../../../src/mailings/lists/text/detect-encoding.ts';
import { decodeWhole } from '../../../../src/mailings/lists/text/text-encodings.ts';
import { listFile } from '../list-files.ts';
import { languages, makeLists } from './corpus.ts';
import type { MadeList } from './corpus.ts';

interface Count {
  lists: number;
  wrong: number;
  silent: number;
  asked: number;
}

const isFull = process.env['TEST_FULL'] === '1';
const seed = Number(process.env['TEST_SEED'] ?? 1);

/** Detects the encodings of lists, and counts by the number of rows and by language. */
async function detectAll(made: Iterable<MadeList>): Promise<Count> {
  const sum = emptyCount();
  const parts = new Map<string, Count>();
  for (const { language, encoding, rows, text, bytes } of made) {
    const path = listFile(bytes);
    const found = await detectEncoding(path, readFileSync(path).subarray(0, 4096));
    const isRight = decodeWhole(bytes, found.encoding) === text;
    const isAsked = found.doubt !== undefined;
    for (const part of [`${rows} rows`, language]) {
      const count = parts.get(part) ?? emptyCount();
      parts.set(part, count);
      for (const each of part === language ? [count, sum] : [count]) {
        each.lists += 1;
        each.wrong += Number(!isRight);
        each.asked += Number(isAsked);
        each.silent += Number(!isRight && !isAsked);
      }
    }
    if (isRight || isAsked) continue;
    t.comment(`${language} ${encoding} ${rows}: read as ${found.encoding}`);
    t.comment(decodeWhole(bytes, found.encoding).split('\r\n').slice(1, 3).join(' | '));
  }
  for (const [part, { lists, wrong, asked }] of parts)
    t.comment(`${part}: ${lists} lists, ${wrong} wrong, ${asked} asked`);
  return sum;
}

function emptyCount(): Count {
  return { lists: 0, wrong: 0, silent: 0, asked: 0 };
}

t.setTimeout(0);

t.test('no short list is misread without a question', async (t) => {
  t.equal(languages.length, 40);
  const rowCounts = isFull ? [1, 2, 3, 5, 10, 19] : [1, 3, 19];
  const sum = await detectAll(makeLists(rowCounts, isFull ? 2 : 1, seed));
  t.equal(sum.silent, 0);
  t.ok(sum.asked <= 0.15 * sum.lists, `${sum.asked} of ${sum.lists} ask`);
});

t.test('of lists with 20 names and more, 99.5 of 100 are read right', async (t) => {
  const rowCounts = isFull ? [20, 50, 300] : [20, 100];
  const sum = await detectAll(makeLists(rowCounts, isFull ? 2 : 1, seed));
  t.ok(sum.wrong <= 0.005 * sum.lists, `${sum.wrong} of ${sum.lists} are wrong`);
  t.ok(sum.silent <= 0.005 * sum.lists, `${sum.silent} of ${sum.lists} are silent`);
});
