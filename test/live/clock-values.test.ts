import t from 'tap';
import { parseQuery } from '../../src/http/query.ts';
import { RenderOrder } from '../../src/render/order.ts';
import { resolveOptions } from '../../src/render/request.ts';
import { noTables } from '../../src/render/table-values.ts';
import { checkVariables, repairVariables, resolveVariables } from '../../src/render/values.ts';
import { publishedTemplate, textVariable } from '../fixtures/published.ts';

const frame = { id: 'a', type: 'text', x: 0, y: 0, width: 100, height: 50 } as const;
const template = publishedTemplate({
  clock: { until: '{{deadline}}', zone: 'Europe/Berlin', evergreen: '48h', per: '{{contact}}' },
  variables: [
    textVariable('deadline', { value: '2026-12-24' }),
    textVariable('contact', { value: '' }),
    textVariable('name'),
  ],
  layers: [{ ...frame, text: '{{name}} {{countdown.hours}}' }],
});
const nowMs = Date.parse('2026-11-25T12:00:00Z');

function orderOf(link: string, startedMs?: number): RenderOrder {
  const query = parseQuery(link);
  const options = resolveOptions({ uid: 'test', format: undefined }, query, template, nowMs);
  const values = resolveVariables(template, query, noTables);
  return new RenderOrder(template, { ...options, startedMs }, values);
}

t.test('a deadline that is none is refused, or its default stands in', (t) => {
  const query = parseQuery('deadline=soon&name=Ann');
  t.throws(() => resolveVariables(template, query, noTables), {
    code: 'BAD_REQUEST',
    message: /^Invalid variable value: "deadline" is not a date .*: "soon"\.$/,
  });
  t.equal(repairVariables(template, query, noTables).get('deadline'), '2026-12-24');
  const { values, problems } = checkVariables(template, query, noTables);
  t.match(problems, [{ variable: { name: 'deadline' }, reason: 'date' }]);
  t.equal(values.get('deadline'), '2026-12-24');
  t.equal(values.get('name'), 'Ann');
  t.end();
});

t.test('a contact that is too long is refused, or counts as none', (t) => {
  const query = parseQuery(`contact=${'x'.repeat(501)}`);
  t.throws(() => resolveVariables(template, query, noTables), /more than 500 characters/);
  t.equal(repairVariables(template, query, noTables).get('contact'), '');
  t.end();
});

t.test('the first of deadline and duration ends a countdown', (t) => {
  const hour = 3_600_000;
  t.equal(orderOf('').options.untilMs, nowMs + 48 * hour, 'nobody has begun');
  t.equal(orderOf('', nowMs - 47 * hour).options.untilMs, nowMs + hour);
  t.equal(orderOf('', nowMs + 5 * hour).options.untilMs, nowMs + 48 * hour, 'a clock set back');
  const early = orderOf('deadline=2026-11-25T14:00');
  t.equal(early.options.untilMs, nowMs + hour, 'in Berlin');
  t.end();
});

t.test('what the clock alone reads is no part of the key', (t) => {
  const { key } = orderOf('contact=ann&deadline=2027-01-01');
  t.equal(orderOf('contact=bob&deadline=2028-01-01').key, key, 'as much time left');
  t.not(orderOf('contact=ann&deadline=2026-11-26').key, key);
  t.not(orderOf('contact=ann&deadline=2027-01-01&name=Ann').key, key);
  t.end();
});
