/** SVG made to be slow: the request that draws it gets an error, and no other request waits for it. */
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import t from 'tap';
import { extent } from '../helpers/extent.ts';
import type { Test } from 'tap';
import { fillDataDirectory, testOrganization, textLayer, textVariable } from '../e2e/published.ts';
import { askPatiently } from '../e2e/ask-patiently.ts';
import type { Answer } from '../e2e/request.ts';
import { startService } from '../e2e/service.ts';
import { boundSvg, hostileSvgs } from '../fixtures/hostile-svg.ts';

const side = 1800;
const svgLayer = (svg: string): object => ({
  id: 'art',
  type: 'svg',
  x: 0,
  y: 0,
  width: side,
  height: side,
  svg,
});
const documentOf = (svg: string, variables: object[] = []): Record<string, unknown> => ({
  format: 1,
  name: 'Hostile',
  width: side,
  height: side,
  variables,
  layers: [svgLayer(svg)],
});
const uidOf = (name: string): string => name.replaceAll(' ', '-');

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish, organizations }) => {
  organizations.createOrganization('Quiet', 'org_quiet');
  // Published as by a release that did not yet draw them.
  for (const [name, svg] of Object.entries(hostileSvgs)) publish(uidOf(name), documentOf(svg));
  const radius = { name: 'r', type: 'number', value: '0' };
  publish('bound', documentOf(boundSvg, [radius]));
  const card = { variables: [textVariable('name', 'x')], layers: [textLayer('{{name}}')] };
  publish('quiet', card, 'org_quiet');
});
const service = await startService(t, { dataDirectory, processCount: 2 });

function post(path: string, body?: unknown): Promise<Answer> {
  const headers = { 'X-API-Key': testOrganization.key };
  const text = body === undefined ? undefined : JSON.stringify(body);
  return service.get(path, {
    method: 'POST',
    headers,
    ...(text === undefined ? {} : { body: text }),
  });
}

/** Links of another organization, each an image of its own, one after the other while `work` is done. */
async function besideQuiet(t: Test, work: () => Promise<void>): Promise<void> {
  const over = new AbortController();
  const statuses: number[] = [];
  const asking = (async () => {
    while (!over.signal.aborted) {
      statuses.push((await service.render(`quiet?name=${Math.random()}`)).status);
      await sleep(20);
    }
  })();
  await work().finally(() => over.abort());
  await asking;
  t.ok(statuses.length > 3, `${statuses.length} links of another organization`);
  t.same(new Set(statuses), new Set([200]), 'all are answered');
}

for (const [name, svg] of Object.entries(hostileSvgs).slice(0, extent(3, Infinity))) {
  t.test(`an SVG layer with ${name} is refused by publishing and left out of links`, (t) =>
    besideQuiet(t, async () => {
      const template = documentOf(svg);
      const preview = await askPatiently(() => post('/v1/preview', { template }));
      t.equal(preview.status, 200, preview.text.slice(0, 200));
      t.match(preview.headers['x-render-warnings'], 'SVG_FAILED;layer="art"');
      const uid = `saved-${uidOf(name)}`;
      t.equal((await post(`/v1/templates?uid=${uid}`, template)).status, 201);
      const published = await askPatiently(() => post(`/v1/templates/${uid}/publish`));
      t.equal(published.status, 400);
      t.match(published.text, /layer \\"art\\" cannot be drawn: its SVG /);
      const link = await askPatiently(() => service.render(`${uidOf(name)}.webp`));
      t.equal(link.status, 200);
      t.match(link.headers['x-render-warnings'], 'SVG_FAILED;layer="art"');
    }),
  );
}

t.test('a radius from a link is bounded by what its drawing takes', (t) =>
  besideQuiet(t, async () => {
    const large = await askPatiently(() => service.render('bound.webp?r=1000'));
    t.equal(large.headers['x-render-warnings'], 'SVG_FAILED;layer="art"');
    const small = await askPatiently(() => service.render('bound.webp?r=1'));
    t.equal(small.status, 200);
    t.equal(small.headers['x-render-warnings'], undefined);
  }),
);
