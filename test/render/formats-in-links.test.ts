import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { parseQuery } from '../../src/http/query.ts';
import { RenderOrder } from '../../src/render/order.ts';
import { resolveOptions } from '../../src/render/request.ts';
import { noTables } from '../../src/render/table-values.ts';
import { resolveVariables } from '../../src/render/values.ts';
import { publishedTemplate } from '../fixtures/published.ts';
import { startPool } from '../fixtures/render-pool.ts';
import { startService } from '../fixtures/render-service.ts';

const pool = await startPool(t);

const frame = { id: 'text', type: 'text', x: 0, y: 0, width: 100, height: 50 } as const;
const end = { name: 'end', type: 'date', value: '2030-11-27' } as const;

function withText(text: string): Partial<Template> {
  return { lang: 'en', variables: [end], layers: [{ ...frame, text }] };
}

t.test('a link chooses the language of formats', async (t) => {
  const { get, publish } = await startService(t, { pool });
  publish('event', withText('{{end | date:long}}'));
  const plain = await get('event');
  t.equal(((await plain.json()) as { lang?: string }).lang, undefined);
  const german = await get('event?_lang=DE');
  t.match(await german.json(), { lang: 'de' });
  t.not(german.headers.get('etag'), plain.headers.get('etag'));
  const same = await get('event?_lang=en');
  t.equal(same.headers.get('etag'), plain.headers.get('etag'), 'the language of the document');
  for (const wrong of ['d', 'de_', 'x'.repeat(40), 'english language']) {
    const answer = await get(`event?_lang=${wrong}`);
    t.equal(answer.status, 400, wrong);
    t.match(await answer.json(), {
      error: { message: 'The option _lang must be a language tag (BCP 47) such as de or pt-BR.' },
    });
  }
});

t.test('a template may forbid another language', async (t) => {
  const { get, publish } = await startService(t, { pool });
  publish('event', { ...withText('{{end | date:long}}'), linkOptions: ['scale'] });
  t.equal((await get('event?_lang=en')).status, 200);
  const answer = await get('event?_lang=de');
  t.equal(answer.status, 400);
  t.match(await answer.json(), { error: { message: /The option _lang is not allowed/ } });
});

t.test('a date that is none answers 400 and names the variable', async (t) => {
  const { get, publish } = await startService(t, { pool });
  publish('event', withText('{{end | date:long}}'));
  const answer = await get('event?end=tomorrow');
  t.equal(answer.status, 400);
  t.match(await answer.json(), {
    error: { message: /^Invalid variable value: "end" is not a date such as 2026-11-27, / },
  });
  const american = await get('event?end=11/27/2026');
  t.match(await american.json(), { values: [['end', '11/27/2026']] }, 'as the link writes it');
});

t.test('an image that depends on the time is cached until it says something else', async (t) => {
  const { get, publish } = await startService(t, { pool });
  publish('soon', withText('{{end | relative}}'));
  publish('later', withText('{{end | date:long}}'));
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
  for (const path of [`soon?end=${tomorrow}`, `soon?_version=1&end=${tomorrow}`]) {
    for (const state of ['miss or hit', 'hit']) {
      const answer = await get(path);
      const { timeMs } = (await answer.json()) as { timeMs: number };
      t.equal(timeMs % 86_400_000, 0, 'the beginning of a day');
      const caching = answer.headers.get('cache-control') ?? '';
      t.match(caching, /^public, max-age=\d+$/, `${path}, ${state}`);
      t.ok(Number(/\d+/.exec(caching)?.[0]) <= 86_400);
    }
  }
  const timeless = await get('later');
  t.match(timeless.headers.get('cache-control'), /stale-while-revalidate/);
  t.equal(((await timeless.json()) as { timeMs?: number }).timeMs, undefined);
});

t.test('the key has what the time says, and its language', (t) => {
  const keyAt = (text: string, link: string, changes: { timeMs?: number } = {}): string => {
    const template = publishedTemplate(withText(text));
    const query = parseQuery(link);
    const options = resolveOptions({ uid: 'test', format: undefined }, query, template);
    return new RenderOrder(
      template,
      { ...options, ...changes },
      resolveVariables(template, query, noTables),
    ).key;
  };
  const text = '{{end | relative}}';
  const [today, tomorrow] = [Date.UTC(2026, 10, 23), Date.UTC(2026, 10, 24)];
  const [soon, late] = ['end=2026-11-27', 'end=2030-06-01'];
  t.equal(keyAt(text, soon, { timeMs: today }), keyAt(text, soon, { timeMs: today }));
  t.not(keyAt(text, soon, { timeMs: today }), keyAt(text, soon, { timeMs: tomorrow }), '3 days');
  t.equal(keyAt(text, late, { timeMs: today }), keyAt(text, late, { timeMs: tomorrow }), '4 years');
  t.not(keyAt('{{end}}', '_lang=de'), keyAt('{{end}}', ''));
  t.equal(keyAt('{{end}}', '_lang=de'), keyAt('{{end}}', '_lang=de'));
  t.end();
});
