import t from 'tap';
import type { RenderOutcome } from '#wire/render-job.ts';
import { previewTemplate } from '../../src/publish/preview.ts';
import { RenderCosts, shareOf } from '../../src/scheduling/costs.ts';
import { candidateTemplate } from '../../src/store/published-cache.ts';
import { sampleDocument } from '../store/store-fixture.ts';

const values: [string, string][] = [['name', 'Alex']];
const hello = { templateKey: 'org_a:hello', format: 'png', scale: 1, values } as const;
const poster = { templateKey: 'org_a:poster', format: 'avif', scale: 1, values } as const;

function learnOften(costs: RenderCosts, kind: typeof hello | typeof poster, ms: number): void {
  for (let count = 0; count < 60; count += 1) costs.learn(kind, ms);
}

t.test('each kind of render has an average of its own', async (t) => {
  const costs = new RenderCosts();
  learnOften(costs, hello, 2);
  learnOften(costs, poster, 900);
  t.equal(costs.estimate(hello).costMs, 2);
  t.equal(costs.estimate(poster).costMs, 900);
  learnOften(costs, hello, 4);
  t.ok(Math.abs(costs.estimate(hello).costMs - 4) < 0.1, 'and follows what it costs now');
});

t.test('the first renders, which are slow, are not taken for the rule', async (t) => {
  const costs = new RenderCosts();
  const before = costs.estimate(hello).costMs;
  for (const ms of [400, 300, 150]) costs.learn(hello, ms);
  t.equal(costs.estimate(hello).costMs, before, 'they are not believed at once');
  for (const ms of [6, 5, 5, 5, 5]) costs.learn(hello, ms);
  t.equal(costs.estimate(hello).costMs, 5, 'nor when there are more');
});

t.test('what was never drawn is distinguished from others of its format, by its pixels', (t) => {
  const costs = new RenderCosts();
  const unknown = { ...hello, templateKey: 'org_a:unknown' };
  t.ok(costs.estimate(unknown).costMs > 0);
  learnOften(costs, hello, 30);
  t.equal(costs.estimate(unknown).costMs, 30);
  t.equal(costs.estimate({ ...unknown, scale: 3 }).costMs, 270);
  const costOf = (format: 'avif' | 'jpeg') => costs.estimate({ ...unknown, format }).costMs;
  t.ok(costOf('avif') > costOf('jpeg'), 'another format is not');
  t.end();
});

t.test('no more kinds are remembered than fit, the latest ones', async (t) => {
  const costs = new RenderCosts();
  for (let count = 0; count < 5000; count += 1) {
    costs.learn({ ...hello, templateKey: `org_a:${count}` }, 2);
  }
  t.equal(costs.estimate({ ...hello, templateKey: 'org_a:4999' }).isCheap, true);
  t.equal(costs.estimate({ ...hello, templateKey: 'org_a:1' }).isCheap, false);
});

t.test('templates that are rendered too seldom to be known tell of one another', async (t) => {
  const costs = new RenderCosts();
  const seldom = (index: number, organization = 'org_a') =>
    ({ ...hello, templateKey: `${organization}:${index}` }) as const;
  for (let index = 0; index < 20; index += 1) costs.learn(seldom(index), 450);
  t.equal(costs.estimate(seldom(20)).costMs, 450);
  t.ok(costs.estimate(seldom(20, 'org_b')).costMs < 20, 'of the same organization alone');
  for (let index = 20; index < 40; index += 1) costs.learn(seldom(index), 5);
  t.equal(costs.estimate(seldom(40)).costMs, 5);
});

t.test('expensive values in less than half of the links of a template change no estimate', (t) => {
  const costs = new RenderCosts();
  learnOften(costs, hello, 4);
  for (let count = 0; count < 100; count += 1) costs.learn(hello, count % 5 < 2 ? 1500 : 4);
  t.equal(costs.estimate(hello).costMs, 4);
  t.end();
});

t.test('long texts and images from links have estimates of their own', async (t) => {
  const costs = new RenderCosts();
  const long = { ...hello, values: [['name', 'x'.repeat(2000)]] as [string, string][] };
  const image = {
    ...hello,
    values: [['photo', 'https://example.com/a.png']] as [string, string][],
  };
  learnOften(costs, hello, 4);
  for (let count = 0; count < 30; count += 1) {
    costs.learn(long, 900);
    costs.learn(image, 40);
  }
  t.equal(costs.estimate(hello).costMs, 4);
  t.equal(costs.estimate(long).costMs, 900);
  t.equal(costs.estimate(image).costMs, 40);
  const alike = { ...hello, values: [['name', 'Alexandra']] as [string, string][] };
  t.equal(costs.estimate(alike).costMs, 4, 'names of a usual length are one kind');
});

t.test('a kind is cheap once it was rendered, as long as no recent render was expensive', (t) => {
  const costs = new RenderCosts();
  t.equal(costs.estimate(hello).isCheap, false, 'nothing is known');
  costs.learn(hello, 120);
  t.equal(costs.estimate(hello).isCheap, true);
  costs.learn(hello, 800);
  t.equal(costs.estimate(hello).isCheap, false);
  for (let count = 0; count < 7; count += 1) costs.learn(hello, 4);
  t.equal(costs.estimate(hello).isCheap, false, 'one of eight is enough');
  costs.learn(hello, 4);
  t.equal(costs.estimate(hello).isCheap, true);
  t.end();
});

t.test('all previews of an organization are estimated together', async (t) => {
  const costs = new RenderCosts();
  for (let count = 0; count < 8; count += 1) {
    costs.learn({ ...hello, templateKey: `org_a:preview:${count}` }, 70);
  }
  t.equal(costs.estimate({ ...hello, templateKey: 'org_a:preview:new' }).costMs, 70);
});

t.test('a render costs the time of its process, and its CPU time says how expensive it is', (t) => {
  const costs = new RenderCosts();
  const timings = { layoutMs: 10, decodeMs: 0, paintMs: 100, encodeMs: 190 };
  const outcome: RenderOutcome = {
    ok: true,
    bytes: new Uint8Array(),
    widthPx: 1,
    heightPx: 1,
    degraded: false,
    warnings: [],
    drawn: 'whole',
    baseRender: {},
    timings,
    cpuMs: 300,
  };
  // The process had to wait for a core before it read the job and after it had written a part of the image.
  for (let count = 0; count < 8; count += 1) costs.learnOutcome(hello, outcome, 1500);
  t.same(costs.estimate(hello), { costMs: 1500, isCheap: true });
  t.end();
});

t.test('an image that is refused late costs its time, one refused early changes nothing', (t) => {
  const costs = new RenderCosts();
  const refused = (cpuMs: number): RenderOutcome => {
    return { ok: false, code: 'TOO_EXPENSIVE', detail: 'takes too long', cpuMs };
  };
  const first = costs.estimate(hello);
  for (let count = 0; count < 8; count += 1) costs.learnOutcome(hello, refused(5), 5);
  t.same(costs.estimate(hello), first);
  for (let count = 0; count < 8; count += 1) costs.learnOutcome(hello, refused(1600), 1600);
  t.same(costs.estimate(hello), { costMs: 1600, isCheap: false });
  t.end();
});

t.test('all previews of an organization wait in one line, beside those of its templates', (t) => {
  const shareNamed = (templateKey: string) => shareOf({ templateKey });
  const preview = (organizationUid: string, name: string) => {
    const document = sampleDocument({ name });
    return previewTemplate(organizationUid, document, JSON.stringify(document), []).templateKey;
  };
  const document = sampleDocument({ name: 'a' });
  const documentJson = JSON.stringify(document);
  const known = { uid: 'a', organizationUid: 'org_a', document, documentJson, fonts: [] };
  const link = candidateTemplate(known).templateKey;
  t.not(preview('org_a', 'a'), preview('org_a', 'b'), 'each document has a base render of its own');
  t.same(shareNamed(preview('org_a', 'a')), shareNamed(preview('org_a', 'b')));
  t.equal(shareNamed(preview('org_a', 'a')).organization, shareNamed(link).organization);
  t.not(shareNamed(preview('org_a', 'a')).template, shareNamed(link).template);
  t.not(shareNamed(preview('org_a', 'a')).template, shareNamed(preview('org_b', 'a')).template);
  t.end();
});
