/** Links whose deadline cannot be read: readers see no countdown, and never that of the sample. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { alternativeText } from '#language/bind/alternative-text.ts';
import { resolveLayers } from '#language/bind/layers.ts';
import { walkLayers } from '#language/layer-tree.ts';
import type { ScalarVariable, Template } from '#language/schema/template.ts';
import { parseQuery } from '../../src/http/query.ts';
import { changesAt } from '../../src/render/moment.ts';
import { defaultOrderForReader, RenderOrder } from '../../src/render/order.ts';
import { resolveOptions } from '../../src/render/request.ts';
import { noTables } from '../../src/render/table-values.ts';
import type { TableLookup } from '../../src/render/table-values.ts';
import { checkVariables, repairVariables, resolveVariables } from '../../src/render/values.ts';
import type { PublishedTemplate } from '../../src/store/published-cache.ts';
import { publishedTemplate, textVariable } from '../fixtures/published.ts';

const nowMs = Date.parse('2026-11-25T12:00:00Z');
const box = { type: 'text', x: 0, y: 0, width: 100, height: 50 } as const;
const deadline = { name: 'deadline', type: 'date', value: '2026-12-24T18:00' } as const;

function clockOf(variable: ScalarVariable, changes: Partial<Template> = {}): PublishedTemplate {
  const { clock, layers = [], ...rest } = changes;
  return publishedTemplate({
    clock: { until: '{{deadline}}', zone: 'Europe/Berlin', ...clock },
    variables: [variable],
    layers: [
      { ...box, id: 'title', text: 'Sale' },
      { ...box, id: 'days', text: 'Ends {{deadline}} in {{countdown.days}} days' },
      ...layers,
    ],
    ...rest,
  });
}

function readerOrder(template: PublishedTemplate, link: string, tables = noTables): RenderOrder {
  const query = parseQuery(link);
  const options = resolveOptions({ uid: 'test', format: undefined }, query, template, nowMs);
  return new RenderOrder(template, options, repairVariables(template, query, tables));
}

/** Ids of the layers that a reader sees. */
function seen({ template, values, options }: RenderOrder): string[] {
  const { layers } = resolveLayers(template.document, values, options);
  return Array.from(walkLayers(layers), ([, { id }]) => id);
}

t.test('a reader sees no countdown to a deadline that cannot be read', async (t) => {
  const evergreen = { evergreen: '48h', per: '{{contact}}' };
  for (const type of ['date', 'text'] as const) {
    for (const whenEmpty of ['default', 'empty'] as const) {
      for (const clock of [{}, { until: '{{deadline | default:friday 18:00}}' }, evergreen]) {
        const template = clockOf({ ...deadline, type, whenEmpty }, { clock });
        const name = JSON.stringify({ type, whenEmpty, clock });
        t.same(seen(readerOrder(template, '')), ['title', 'days'], `absent: ${name}`);
        const unread = readerOrder(template, 'deadline=garbage');
        t.same(seen(unread), ['title'], name);
        t.equal(unread.options.untilMs, undefined);
        t.equal(changesAt(unread), Infinity, 'the image does not change');
        t.not(unread.key, readerOrder(template, '').key);
        t.equal(unread.key, readerOrder(template, 'deadline=2026-02-31').key);
        const query = parseQuery('deadline=garbage');
        t.throws(() => resolveVariables(template, query, noTables), { code: 'BAD_REQUEST' });
        const { problems } = checkVariables(template, query, noTables);
        t.match(problems, [{ variable: { name: 'deadline' }, reason: 'date' }]);
        t.equal(problems.length, 1, 'a proof names it once');
      }
    }
  }
});

t.test('the sample has neither digits nor a date for a deadline that cannot be read', async (t) => {
  const file = readFileSync('data/templates/countdown-banner.json', 'utf8');
  const template = publishedTemplate(JSON.parse(file) as Template);
  const unread = readerOrder(template, 'deadline=garbage');
  t.same(seen(unread), ['fabric', 'shade', 'headline', 'note']);
  const { values, options } = unread;
  t.equal(
    alternativeText(template.document, values, options),
    'The autumn sale ends soon, Up to 40 % off everything warm',
  );
  const inPlace = defaultOrderForReader(template, options, () => values, {});
  t.same(seen(inPlace), seen(unread), 'nor where the default image stands in');
});

t.test('an empty deadline that is meant is no deadline, without an error', async (t) => {
  const query = parseQuery('deadline=');
  const empty = clockOf({ ...deadline, whenEmpty: 'empty' });
  t.same(checkVariables(empty, query, noTables).problems, []);
  t.same(seen(readerOrder(empty, 'deadline=')), ['title']);
  t.same(seen(readerOrder(clockOf(deadline), 'deadline=')), ['title', 'days']);
});

t.test('a cell that is no deadline gives no countdown', async (t) => {
  const template = clockOf({ ...deadline, from: 'sales.{{id}}.end' });
  const withKey = publishedTemplate(
    {
      ...template.document,
      variables: [textVariable('id'), ...template.document.variables],
    },
    { readsTables: true },
  );
  const tables = (cell: string): TableLookup => ({ findRow: () => () => cell });
  t.same(seen(readerOrder(withKey, 'id=1', tables('soon'))), ['title']);
  t.same(seen(readerOrder(withKey, 'id=1', tables('2026-12-01'))), ['title', 'days']);
});

t.test('without a deadline conditions and formats decide what else is drawn', async (t) => {
  const hasEnd = { variable: 'countdown.until', set: true };
  const template = clockOf(deadline, {
    layers: [
      { ...box, id: 'default', text: '{{countdown.days | default:soon}}' },
      {
        ...box,
        id: 'over',
        text: 'Over',
        visibleWhen: { variable: 'countdown.isOver', equals: 'true' },
      },
      {
        ...box,
        id: 'runs',
        text: 'Now',
        visibleWhen: { variable: 'countdown.isOver', equals: 'false' },
      },
      { ...box, id: 'none', text: 'Soon', visibleWhen: { ...hasEnd, set: false } },
      {
        ...box,
        id: 'spans',
        spans: [{ text: 'Sale' }, { text: ' {{countdown.days}}', visibleWhen: hasEnd }],
      },
      { ...box, id: 'drawn', spans: [{ text: 'Sale' }, { text: ' {{countdown.days}}' }] },
    ],
  });
  t.same(seen(readerOrder(template, 'deadline=x')), ['title', 'default', 'none', 'spans']);
  const animated = readerOrder(template, 'deadline=x&_format=gif&_frames=5');
  t.equal(animated.options.frames, undefined, 'nothing counts');
});

t.test('each item of a list leaves the countdown out', async (t) => {
  const items = {
    name: 'items',
    type: 'list',
    fields: [textVariable('title')],
    value: [],
  } as const;
  const { document } = clockOf(deadline);
  const stack = {
    id: 'stack',
    type: 'stack',
    x: 0,
    y: 0,
    width: 100,
    height: 100,
    repeat: { list: 'items' },
    layers: [{ ...box, id: 'item', text: '{{item.title}}: {{countdown.days}}' }],
  };
  const template = publishedTemplate({
    ...document,
    variables: [...document.variables, items] as never,
    layers: [stack] as never,
  });
  const list = 'items.0.title=A&items.1.title=B';
  t.equal(seen(readerOrder(template, list)).length, 3);
  t.same(seen(readerOrder(template, `${list}&deadline=x`)), ['stack']);
});
