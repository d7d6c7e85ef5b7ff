/** Previews of documents and templates: images, reports, other times and clients, and what is refused. */
import { join } from 'node:path';
import t from 'tap';
import type { PreviewReport } from '../../src/client/platen-client.ts';
import { decodePixels } from '../helpers/render.ts';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from './published.ts';
import type { Answer } from './request.ts';
import { demoKey, startService } from './service.ts';

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish, saveDraft }) => {
  publish('card', { layers: [textLayer('one')] });
  publish('card', { layers: [textLayer('two')] });
  saveDraft('card', { layers: [textLayer('three')] });
});
const service = await startService(t, { dataDirectory });

const document = {
  format: 1,
  name: 'Preview',
  width: 200,
  height: 100,
  background: '#ffffff',
  variables: [
    textVariable('name', 'Amanda'),
    { name: 'price', type: 'number', value: '12' },
    { name: 'isNew', type: 'boolean', value: 'false' },
    { name: 'items', type: 'list', fields: [textVariable('title', '')], value: [] },
  ],
  layers: [
    { id: 'ground', type: 'rect', x: 0, y: 0, width: 200, height: 50, fill: '#202020' },
    textLayer('Hello {{name}}, this is far too long for its box', {
      id: 'title',
      width: 200,
      height: 24,
      fill: '#303030',
      overflow: 'ellipsis',
    }),
    textLayer('{{price}} {{isNew}}', { id: 'facts', y: 60, width: 200, height: 30 }),
  ],
};

/** Asks for a preview of a body, which is sent as JSON unless it is a text. */
function preview(body: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return service.get('/v1/preview', {
    method: 'POST',
    headers: { 'X-API-Key': testOrganization.key, ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
  });
}

async function report(body: unknown): Promise<PreviewReport> {
  const answer = await preview(body, { Accept: 'application/json' });
  t.equal(answer.status, 200, answer.text.slice(0, 300));
  return answer.json() as PreviewReport;
}

t.test('a document is drawn as its link would be, and nothing of it is kept', async (t) => {
  const small = await report({ template: document, scale: 0.25, contrast: false });
  t.match(small, { width: 50, height: 25 }, 'smaller for what is shown small');
  t.notOk(
    small.layers.some(({ text }) => text?.contrast !== undefined),
    'as it was asked',
  );
  const answer = await preview({ template: document, scale: 2 });
  t.equal(answer.status, 200);
  t.equal(answer.headers['content-type'], 'image/png');
  t.equal(answer.headers['cache-control'], 'no-store');
  t.match(answer.headers['x-render-warnings'], /TEXT_TRUNCATED;layer="title"/);
  const { width, height } = await decodePixels(answer.body);
  t.same([width, height], [400, 200]);
});

t.test('a name in another normal form is the same name', async (t) => {
  const [composed, decomposed] = ['prénom', 'prénom'.normalize('NFD')];
  for (const [declared, used] of [
    [composed, decomposed],
    [decomposed, composed],
  ] as const) {
    const template = {
      ...document,
      variables: [textVariable(declared, 'Ana')],
      layers: [textLayer(`{{${used}}}`)],
    };
    for (const values of [{ [declared]: 'Zoe' }, { [used]: 'Zoe' }])
      t.equal(await textOf({ template, values }), 'Zoe');
  }
});

t.test('a template of the organization is drawn by its draft or by a version', async (t) => {
  t.equal(await textOf({ uid: 'card' }), 'three');
  t.equal(await textOf({ uid: 'card', version: 1 }), 'one');
  const link = await service.render('card.png');
  const same = await preview({ uid: 'card', version: 2 });
  const [a, b] = [await decodePixels(link.body), await decodePixels(same.body)];
  t.ok(a.data.equals(b.data), 'the same pixels as the link');
  t.equal((await preview({ uid: 'card', version: 9 })).status, 404);
  t.equal(
    (await preview({ uid: 'card' }, { 'X-API-Key': demoKey })).status,
    404,
    'another organization',
  );
});

t.test('a report tells of every layer where it lies and what is wrong with it', async (t) => {
  const found = await report({ template: document, values: { price: 5, isNew: true, nmae: 'x' } });
  t.match(found, { format: 'png', width: 200, height: 100, degraded: false });
  t.same(found.ignoredValues, ['nmae']);
  t.same(
    found.layers.map(({ id }) => id),
    ['ground', 'title', 'facts'],
  );
  const [, title, facts] = found.layers;
  t.match(title, {
    box: { x: 0, y: 0, width: 200, height: 24, rotation: 0 },
    text: { overflow: 'truncated' },
  });
  const codes = title?.warnings.map(({ code }) => code);
  t.same(codes, ['TEXT_TRUNCATED', 'LOW_CONTRAST']);
  t.equal(title?.text?.lines.length, 1);
  const { text = '', cut = '?', lines = [], contrast = 21 } = title?.text ?? {};
  t.ok(text.startsWith(lines[0]?.text.replace('…', '').trim() ?? '?'));
  t.ok(text.endsWith(cut), 'the rest is what was cut');
  t.ok(contrast < 1.5, 'dark grey on black');
  t.equal(facts?.text?.text, '5 true');
  t.equal(facts?.text?.overflow, 'none');
  t.ok((facts?.text?.contrast ?? 0) > 20, 'black on white');
  t.same(facts?.warnings, []);
  t.ok((found.timings['paint'] ?? -1) >= 0);
});

t.test('a report tells how an image was placed, and on demand has the whole preview', async (t) => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20"/>';
  const src = `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
  const png = await preview({ template: { ...document, layers: [] } });
  const small = `data:image/png;base64,${png.body.toString('base64')}`;
  const layer = { type: 'image', x: 0, y: 0, width: 400, height: 200, fit: 'fill' };
  const layers = [
    { ...layer, id: 'vector', src },
    { ...layer, id: 'pixels', src: small },
  ];
  const found = await report({ template: { ...document, layers }, inline: true });
  t.match(found.layers[0]?.image, { naturalWidth: 40, naturalHeight: 20 });
  t.match(found.layers[1]?.image, { naturalWidth: 200, naturalHeight: 100, upscaled: true });
  t.match(found.layers[1]?.image?.placed, { x: 0, y: 0, width: 400, height: 200 });
  t.match(found.image, /^data:image\/png;base64,iVBOR/);
});

t.test('a layer is drawn alone, without the ground and what its group adds', async (t) => {
  const box = { x: 0, y: 0, width: 20, height: 20 };
  const group = {
    id: 'group',
    type: 'group',
    ...box,
    width: 100,
    border: { color: '#ff0000', width: 4 },
    shadow: { x: 0, y: 40, blur: 0, color: '#000000' },
    layers: [{ id: 'one', type: 'rect', ...box, fill: '#00ff00' }],
  };
  const template = { ...document, layers: [group] };
  const one = await decodePixels((await preview({ template, layers: ['one'] })).body);
  const alphaAt = (x: number, y: number): number | undefined =>
    one.data[(y * one.width + x) * 4 + 3];
  t.same([...one.data.subarray(0, 4)], [0, 255, 0, 255], 'the layer covers the corner');
  t.same([alphaAt(98, 10), alphaAt(10, 50)], [0, 0], 'no border and no shadow');
  const whole = await decodePixels((await preview({ template, layers: ['group'] })).body);
  t.same([...whole.data.subarray(0, 4)], [255, 0, 0, 255], 'the group itself has them');
});

t.test('a repeated document with other values is drawn over its base render', async (t) => {
  const template = { ...document, width: 600, height: 600 };
  for (const name of ['a', 'b', 'c']) await report({ template, values: { name } });
  t.equal((await report({ template, values: { name: 'd' } })).drawn, 'plan');
});

t.test('a problem of a body is reported by its position', async (t) => {
  const frames = ['A', 'B', 'C'].map((name) => ({ values: { name }, seconds: 1 }));
  const animation = { type: 'values', frames };
  const wrong: [body: unknown, path: string][] = [
    ['{"template": ', 'line 1, column 14'],
    [{}, '(document)'],
    [{ template: document, uid: 'card' }, '(document)'],
    [{ template: document, version: 1 }, 'version'],
    [{ template: document, values: { name: {} } }, 'values.name'],
    [{ template: document, values: { items: 'shoes' } }, 'values.items'],
    [{ template: document, values: { items: 7 } }, 'values.items'],
    [{ template: document, now: 'soon' }, 'now'],
    [{ template: document, firstOpen: 'then' }, 'firstOpen'],
    [{ template: document, format: 'avif', quality: 100 }, 'quality'],
    [{ template: { ...document, width: 2500, height: 2000 }, format: 'avif' }, 'format'],
    [{ template: document, scale: 4 }, 'scale'],
    [{ template: { ...document, width: 4096, height: 4096 }, scale: 2 }, 'scale'],
    [{ template: document, layers: ['nobody'] }, 'layers[0]'],
    [{ template: document, layers: ['title'], format: 'jpg' }, 'format'],
    [{ template: { ...document, width: 0 } }, 'template.width'],
    [{ template: document, frame: 0 }, 'frame'],
    [{ template: { ...document, animation }, frame: 3 }, 'frame'],
    [{ template: document, formt: 'png' }, 'formt'],
  ];
  for (const [body, path] of wrong) {
    const answer = await preview(body);
    t.equal(answer.status, 400, path);
    const { details } = answer.json() as { details: { path: string }[] };
    t.equal(details[0]?.path, path);
  }
  t.equal((await preview({ template: { ...document, animation }, frame: 2 })).status, 200);
  const noNumber = 'is not a number in digits, with an optional sign and decimal point';
  const broken = await preview({ template: document, values: { price: 'many', isNew: 'maybe' } });
  t.equal(broken.status, 400);
  t.strictSame(broken.json(), {
    error: `Invalid variable value: "price" ${noNumber}.`,
    details: [
      { path: 'values.price', message: noNumber },
      { path: 'values.isNew', message: 'is neither true nor false' },
    ],
  });
  t.equal((await preview({ template: document }, { 'X-API-Key': 'wrong' })).status, 401);
});

t.test('an image that fails can be seen around, with what the link would answer', async (t) => {
  const broken = {
    ...document,
    variables: [{ name: 'photo', type: 'image', value: '' }],
    layers: [
      { id: 'ground', type: 'rect', x: 0, y: 0, width: 200, height: 50, fill: '#202020' },
      { id: 'hero', type: 'image', x: 0, y: 0, width: 50, height: 50, src: '{{photo}}' },
    ],
  };
  for (const photo of ['data:image/png;base64,AAAA', `asset:${'0'.repeat(64)}`]) {
    const body = { template: broken, values: { photo } };
    const strict = await preview(body);
    t.equal(strict.status, 400);
    const { error } = strict.json() as { error: string };
    t.match(error, /"photo"/);
    for (const [onError, failure] of [
      [undefined, 'the link would answer 400 to programs, and this image to readers'],
      ['json', 'the link would answer 400'],
    ] as const) {
      const template = { ...broken, onError };
      const { warnings, degraded } = await report({ ...body, template, onImageError: 'default' });
      const detail = `${failure}: ${error}`;
      t.same(warnings, [{ code: 'IMAGE_FAILED', layer: 'hero', detail, linkStatus: 400 }]);
      t.ok(degraded);
    }
    const tolerant = { ...broken, onImageError: 'default' };
    const unsaved = await report({ template: tolerant, values: { photo } });
    t.notMatch(
      JSON.stringify(unsaved),
      /would answer|linkStatus/,
      'a link that tolerates it breaks at nothing',
    );
  }
});

/** The text of the first layer. */
async function textOf(body: object): Promise<string | undefined> {
  return (await report(body)).layers[0]?.text?.text;
}

t.test('a live document is drawn at another time, for another client and language', async (t) => {
  const text = '{{countdown.days | plural:one,# day,other,# days}} {{now | time:24}} {{client}}';
  const live = {
    ...document,
    clock: { until: '2026-11-27T18:00', zone: 'Europe/Berlin' },
    layers: [textLayer(text)],
  };
  t.equal(await textOf({ template: live, now: '2026-11-26T12:30' }), '1 day 12:30 other');
  t.equal(
    await textOf({ template: live, now: '2026-11-25T10:00Z', client: 'gmail-proxy' }),
    '2 days 11:00 gmail-proxy',
  );
  const priced = { ...document, layers: [textLayer('{{price | currency:EUR}}')] };
  t.equal((await textOf({ template: priced, lang: 'de' }))?.replace('\u00A0', ' '), '12,00 €');
});

t.test('a preview says when an evergreen countdown began, and its frames count on', async (t) => {
  const template = {
    ...document,
    clock: { evergreen: '48h' },
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
});
