/** A list may come as a text that holds JSON: it has the limit of values that other lists have, by each way in. */
import { join } from 'node:path';
import t from 'tap';
import type { ListVariable } from '#language/schema/template.ts';
import { checkCells, mappedColumns } from '../../src/mailings/campaigns/list/row-values.ts';
import { parameter } from '../../src/render/json-values.ts';
import { noTables } from '../../src/render/table-values.ts';
import { resolveVariables } from '../../src/render/values.ts';
import { publishedTemplate } from '../fixtures/published.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from './published.ts';
import { startService } from './service.ts';

const items: ListVariable = {
  name: 'items',
  type: 'list',
  fields: [textVariable('title', '')],
  value: [],
};
const layers = [textLayer('Hello')];
const tooMany = /has more than 10000 values, those of lists included: leave out those/;

/** Texts of lists with 10,001 and 10,000 values, which a comma and a bracket in a string do not change. */
const texts = {
  objects: `[${Array(10_001).fill('{}').join(', ')}]`,
  numbers: `[{"other":[${Array(10_000).fill('1').join()}]}]`,
  properties: `[${Array(5001)
    .fill(String.raw`{"title":"a,[\"\\"}`)
    .join()}]`,
};
const most = `[${Array(4999).fill('{"other":"a,["}').join()}]`;

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish }) =>
  publish('basket', { variables: [items], layers }),
);
const service = await startService(t, { dataDirectory });

async function message(path: string, body: object, more: object = {}): Promise<string> {
  const { body: answer } = await service.get(path, {
    method: 'POST',
    headers: {
      'X-API-Key': testOrganization.key,
      authorization: `Bearer ${testOrganization.key}`,
      'content-type': 'application/json',
      ...more,
    },
    body: JSON.stringify(body),
  });
  return answer.toString();
}

const document = { format: 1, name: 'n', width: 9, height: 9, variables: [items], layers: [] };
const accept = 'application/json, text/event-stream';
const ways: Record<string, (text: string) => Promise<string>> = {
  json: (text) => message('/v1/render/basket', { values: { items: text } }),
  'short link': (text) =>
    message('/v1/render/basket', { values: { items: text }, response: 'url', short: true }),
  preview: (text) => message('/v1/preview', { uid: 'basket', values: { items: text } }),
  report: (text) =>
    message('/v1/preview', { template: document, values: { items: text } }, { accept }),
  bannerbear: (text) =>
    message('/v2/images', { template: 'basket', modifications: [{ name: 'items', text }] }),
  placid: (text) =>
    message('/api/rest/images', { template_uuid: 'basket', layers: { items: { text } } }),
  agent: (text) => {
    const input = { document, values: { items: text } };
    const params = { name: 'preview_template', arguments: input };
    return message('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params }, { accept });
  },
};

t.test('a list that is a text has at most 10,000 values', async (t) => {
  for (const [way, send] of Object.entries(ways)) {
    for (const [what, text] of Object.entries(texts))
      t.match(await send(text), tooMany, `${what}, ${way}`);
    t.notMatch(await send(most), tooMany, `10,000 by ${way}`);
  }
});

t.test('and so it has in a query and in a cell of a campaign', async (t) => {
  const template = publishedTemplate({ variables: [items] });
  for (const text of Object.values(texts)) {
    const query = { parameters: [parameter('items', text)], isTruncated: false };
    t.throws(() => resolveVariables(template, query, noTables), { message: tooMany });
  }
  const columns = mappedColumns({ columns: ['items'] }, { items: 'items' }, template);
  const problemsOf = (text: string): string =>
    checkCells(template, columns, [text], noTables)
      .problems.map(({ message: each }) => each)
      .join();
  for (const text of Object.values(texts)) t.match(problemsOf(text), tooMany);
  t.notMatch(problemsOf(most), tooMany);
});

t.test('lists share the limit with each other and with arrays', async (t) => {
  const half = `[${Array(6000).fill('1').join()}]`;
  const other = { ...items, name: 'others' };
  const template = { ...document, variables: [items, other] };
  for (const others of [half, JSON.parse(half) as unknown]) {
    t.match(await message('/v1/preview', { template, values: { items: half, others } }), tooMany);
  }
});
