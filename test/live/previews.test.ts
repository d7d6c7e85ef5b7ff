/** Previews of documents with a clock: another time, another client, and another first open. */
import t from 'tap';
import { textLayer } from '../e2e/published.ts';
import { demoKey, shareService } from '../e2e/service.ts';

const { base } = await shareService();

async function preview(body: object): Promise<{ status: number; json: unknown }> {
  const answer = await fetch(`${base}/v1/preview`, {
    method: 'POST',
    headers: { 'X-API-Key': demoKey, Accept: 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: answer.status, json: await answer.json() };
}

/** The text of the first layer. */
async function textOf(body: object): Promise<string | undefined> {
  const { json } = await preview(body);
  return (json as { layers: { text?: { text: string } }[] }).layers[0]?.text?.text;
}

t.test('a live document is drawn at another time and for another client', async (t) => {
  const text = '{{countdown.days | plural:one,# day,other,# days}} {{now | time:24}} {{client}}';
  const live = {
    format: 1,
    name: 'Live',
    width: 400,
    height: 50,
    clock: { until: '2026-11-27T18:00', zone: 'Europe/Berlin' },
    variables: [],
    layers: [{ id: 'text', type: 'text', x: 0, y: 0, width: 400, height: 50, text }],
  };
  const now = '2026-11-26T12:30';
  t.equal(await textOf({ template: live, now }), '1 day 12:30 other');
  t.equal(
    await textOf({ template: live, now: '2026-11-25T10:00Z', client: 'gmail-proxy' }),
    '2 days 11:00 gmail-proxy',
  );
  const wrong = await preview({ template: live, now: 'soon' });
  t.equal(wrong.status, 400);
  t.match(wrong.json, { details: [{ path: 'now' }] });
});

t.test('a preview says when an evergreen countdown began, and its frames count on', async (t) => {
  const template = {
    format: 1,
    name: 'Evergreen',
    width: 400,
    height: 50,
    clock: { evergreen: '48h' },
    variables: [],
    layers: [textLayer('{{countdown.totalHours}}:{{countdown.minutes}}:{{countdown.seconds}}')],
  };
  const now = '2026-11-26T12:30';
  t.equal(await textOf({ template, now }), '48:0:0');
  t.equal(await textOf({ template, now, frame: 3 }), '47:59:57');
  const firstOpen = '2026-11-26T10:00';
  t.equal(await textOf({ template, now, firstOpen }), '45:30:0');
  t.equal(await textOf({ template, now, firstOpen, frame: 3 }), '45:29:57');
  const again = { ...template, clock: { until: 'daily 12:30' } };
  t.equal(await textOf({ template: again, now: '2026-11-26T12:29:58', frame: 3 }), '0:0:0');
  const wrong = await preview({ template, now, firstOpen: 'then' });
  t.match(wrong.json, { details: [{ path: 'firstOpen' }] });
});
