import t from 'tap';
import type { Exchange } from '../../src/http/exchange.ts';
import { parseQuery } from '../../src/http/query.ts';
import { emptyReply } from '../../src/http/reply.ts';
import { linkReader } from '../../src/render/link/reading.ts';
import { storeFirstOpens } from '../../src/render/moment.ts';
import type { ValueNotes } from '../../src/render/parse-value.ts';
import { noTables } from '../../src/render/table-values.ts';
import { publishedTemplate, textVariable } from '../fixtures/published.ts';

t.test('the values of a short link are read once for each of its templates', async (t) => {
  const template = publishedTemplate({ variables: [textVariable('name')] });
  const other = { ...publishedTemplate({ variables: [textVariable('offer')] }), templateKey: 'b' };
  const query = parseQuery('name=Amanda&offer=*|OFFER|*');
  const readFor = (
    link: { hops?: number; isShort?: boolean },
    given = template,
    notes: ValueNotes = {},
  ) => linkReader(link).values(given, query, noTables, notes);
  const first = readFor({ isShort: true });
  t.same(first, new Map([['name', 'Amanda']]));
  t.equal(readFor({ isShort: true }), first);
  t.not(readFor({}), first, 'any other link is read each time');
  t.not(readFor({ isShort: true, hops: 1 }), first, 'repaired values are others');
  const notes: ValueNotes[] = [{}, {}];
  const values = notes.map((each) => readFor({ isShort: true }, other, each));
  t.same(values[1], new Map([['offer', 'default offer']]));
  t.same(notes, [{ isUnmerged: true }, { isUnmerged: true }], 'noted each time');
  t.not(readFor({ isShort: true }, { ...template, readsTables: true }), first, 'tables change');
});

t.test('a short link that its template refuses is refused each time', async (t) => {
  const template = publishedTemplate({
    variables: [{ name: 'n', type: 'number', value: '1', min: 0, max: 9 }],
  });
  const query = parseQuery('n=10');
  const { values } = linkReader({ isShort: true });
  for (let reader = 0; reader < 2; reader += 1) {
    t.throws(() => values(template, query, noTables, {}), { code: 'BAD_REQUEST' });
  }
});

t.test('an answer waits until the first opens of its turn are stored', async (t) => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const steps: string[] = [];
  const page = storeFirstOpens(() => emptyReply(204), { stored: () => promise });
  const answer = (async () => {
    const { status } = await page({} as Exchange);
    steps.push(`answer ${status}`);
  })();
  await new Promise(setImmediate);
  steps.push('stored');
  resolve();
  await answer;
  t.same(steps, ['stored', 'answer 204']);
});
