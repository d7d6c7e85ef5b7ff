/** The starts that new templates begin with: valid, legible, and made for long values of every script. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import t from 'tap';
import { imageSources, resolveLayers } from '#language/bind/layers.ts';
import type { RenderJob } from '#wire/render-job.ts';
import { isRightToLeft } from '#language/writing-direction.ts';
import { checkTemplate } from '#language/template.ts';
import type { Template } from '#language/schema/template.ts';
import { defaultText } from '#language/values/list-value.ts';
import { listDirectory } from '../../../src/store/publish.ts';
import { extent } from '../../helpers/extent.ts';
import { readImage, repository } from '../../helpers/render.ts';

const { renderJob } = await import('../../../workers/render.ts');

const samples = 'data/templates';
const folder = join(repository, samples, 'starts');

/** In place of every text, cut to the length that its variable takes. */
const longTexts = {
  latin: 'Wolfeschlegelsteinhausenbergerdorff',
  arabic: 'عبد الرحمن بن عبد العزيز المنصوري الحسيني',
  japanese: '小鳥遊西園寺勅使河原武者小路綾小路伊集院',
};

function valuesOf(template: Template, text: string | undefined): Map<string, string> {
  return new Map(
    template.variables.map((variable) => {
      const isText = text !== undefined && variable.type === 'text';
      const long = isText ? Array.from(text).slice(0, variable.maxLength).join('') : undefined;
      return [variable.name, long ?? defaultText(variable)];
    }),
  );
}

/** Of the layout, with contrasts that are too low. */
async function warningsOf(template: Template, text: string | undefined): Promise<unknown[]> {
  const values = valuesOf(template, text);
  const images: RenderJob['images'] = [];
  for (const source of imageSources(resolveLayers(template, values).layers)) {
    images.push([source, await readImage(join(samples, source))]);
  }
  const { warnings } = await renderJob({
    templateKey: template.name,
    templateJson: JSON.stringify(template),
    values,
    images,
    format: 'png',
    quality: 85,
    scale: 1,
    proof: { fileBytesMax: Number.MAX_SAFE_INTEGER },
  });
  return warnings;
}

const starts = readdirSync(folder)
  .toSorted()
  .flatMap((category) =>
    listDirectory(join(folder, category)).map((uid) => ({
      uid,
      path: join(category, `${uid}.json`),
    })),
  );

t.test(
  'starts have uids of their own, in light and dark, and in scripts of both directions',
  (t) => {
    const uids = starts.map(({ uid }) => uid);
    const all = [...uids, ...listDirectory(join(repository, samples))];
    t.equal(new Set(all).size, all.length);
    t.ok(uids.length >= 24, `${uids.length} starts`);
    for (const kind of ['light', 'dark', 'arabic', 'hebrew']) {
      t.ok(
        uids.some((uid) => uid.endsWith(`-${kind}`)),
        kind,
      );
    }
    t.end();
  },
);

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
  t.test(`${job} has light and dark starts in both directions, named so`, (t) => {
    const designs = starts.filter(({ uid }) => uid.startsWith(job));
    const kinds = designs.map(({ path }) => {
      const look = JSON.parse(readFileSync(join(folder, path), 'utf8')) as Look;
      const shade = shadeOf(look.background);
      t.ok(look.name.endsWith(`, ${shade}`), `a search for ${shade} finds ${look.name}`);
      return `${shade} ${isRightToLeft(look.lang ?? 'en') ? 'rtl' : 'ltr'}`;
    });
    t.same([...new Set(kinds)].toSorted(), ['dark ltr', 'dark rtl', 'light ltr', 'light rtl']);
    t.end();
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

for (const [index, { path }] of starts.entries()) {
  t.test(
    `${basename(path, '.json')} is valid, and long values shrink or wrap and read well`,
    async (t) => {
      const checked = checkTemplate(JSON.parse(readFileSync(join(folder, path), 'utf8')));
      if (!checked.ok) {
        t.same(checked.problems, []);
        return;
      }
      t.same(await warningsOf(checked.template, undefined), [], 'defaults');
      // Each script has its turn.
      const scripts = Object.entries(longTexts);
      const turn = index % scripts.length;
      const chosen = [...scripts.slice(turn), ...scripts].slice(0, extent(1, scripts.length));
      for (const [name, text] of chosen) {
        t.same(await warningsOf(checked.template, text), [], name);
      }
    },
  );
}
