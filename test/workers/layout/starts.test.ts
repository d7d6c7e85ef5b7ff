/** The starts that new templates begin with: valid, legible, and made for long values of every script. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { isRightToLeft } from '#language/writing-direction.ts';
import { checkTemplate } from '#language/template.ts';
import { readSample, toJob } from '../../../bench/harness/sample-job.ts';
import type { Sample } from '../../../bench/harness/values.ts';
import { listDirectory } from '../../../src/store/publish.ts';
import { extent } from '../../helpers/extent.ts';
import { repository } from '../../helpers/render.ts';

const { renderJob } = await import('../../../workers/render.ts');

const samples = join(repository, 'data/templates');
const folder = join(samples, 'starts');

/** In place of every text, cut to the length that its variable takes. */
const longTexts = {
  latin: 'Wolfeschlegelsteinhausenbergerdorff',
  arabic: 'عبد الرحمن بن عبد العزيز المنصوري الحسيني',
  japanese: '小鳥遊西園寺勅使河原武者小路綾小路伊集院',
};

/** Of the layout, with contrasts that are too low; `text` stands in all texts. */
async function warningsOf(uid: string, text?: string): Promise<unknown[]> {
  const sample = readSample(uid as Sample);
  const texts = sample.template.variables.flatMap((variable) =>
    variable.type === 'text' && text !== undefined
      ? [[variable.name, Array.from(text).slice(0, variable.maxLength).join('')] as const]
      : [],
  );
  const job = toJob(sample, Object.fromEntries(texts), 'png');
  const proof = { fileBytesMax: Number.MAX_SAFE_INTEGER };
  return (await renderJob({ ...job, proof })).warnings;
}

const starts = readdirSync(folder)
  .toSorted()
  .flatMap((category) =>
    listDirectory(join(folder, category)).map((uid) => ({ uid, path: `${category}/${uid}` })),
  );

function readStart(path: string): unknown {
  return JSON.parse(readFileSync(join(folder, `${path}.json`), 'utf8'));
}

t.test('the labels of the event ticket stand out from its photograph', async (t) => {
  t.same(await warningsOf('event-ticket'), []);
});

t.test('starts have uids of their own', async (t) => {
  const uids = starts.map(({ uid }) => uid);
  const all = [...uids, ...listDirectory(samples)];
  t.equal(new Set(all).size, all.length);
  t.ok(uids.length >= 24, `${uids.length} starts`);
});

/** Common jobs, by the prefix of the uids of their starts. */
const commonJobs = [
  'article',
  'birthday',
  'cart',
  'certificate',
  'countdown',
  'coupon',
  'order-shipped',
  'review',
  'ticket',
  'webinar',
  'welcome',
  'whatsapp',
];

interface Look {
  name: string;
  lang?: string;
  background: string;
}

for (const job of commonJobs) {
  t.test(`${job} has light and dark starts in both directions, named so`, async (t) => {
    const designs = starts.filter(({ uid }) => uid.startsWith(job));
    const kinds = designs.map(({ path }) => {
      const look = readStart(path) as Look;
      const shade = shadeOf(look.background);
      t.ok(look.name.endsWith(`, ${shade}`), `a search for ${shade} finds ${look.name}`);
      return `${shade} ${isRightToLeft(look.lang ?? 'en') ? 'rtl' : 'ltr'}`;
    });
    t.same([...new Set(kinds)].toSorted(), ['dark ltr', 'dark rtl', 'light ltr', 'light rtl']);
  });
}

/** Of a colour in six hexadecimal digits: dark is the lower half of the mean of its channels. */
function shadeOf(background: string): 'light' | 'dark' {
  const [, digits] = /^#([0-9a-f]{6})$/.exec(background) ?? [];
  if (digits === undefined) throw new Error('The background is not an opaque colour.');
  const channels = [...Buffer.from(digits, 'hex')];
  const sum = channels.reduce((total, channel) => total + channel, 0);
  return sum / channels.length < 128 ? 'dark' : 'light';
}

for (const [index, { uid, path }] of starts.entries()) {
  t.test(`${uid} is valid, and long values shrink or wrap and read well`, async (t) => {
    t.match(checkTemplate(readStart(path)), { ok: true });
    t.same(await warningsOf(`starts/${path}`), [], 'defaults');
    // Each script has its turn.
    const scripts = Object.entries(longTexts);
    const turn = index % scripts.length;
    const chosen = [...scripts.slice(turn), ...scripts].slice(0, extent(1, scripts.length));
    for (const [name, text] of chosen) {
      t.same(await warningsOf(`starts/${path}`, text), [], name);
    }
  });
}
