/** The images that are found for an animated file are those of each frame, whatever parts of the document frames change. */
import fc from 'fast-check';
import t from 'tap';
import { framesOf, frameValues } from '#language/animation/frames.ts';
import { imageSources, resolveLayers } from '#language/bind/layers.ts';
import { defaultText } from '#language/values/list-value.ts';
import { drawnSources } from '../../src/render/images/drawn-sources.ts';
import { publishedTemplate } from '../fixtures/published.ts';
import { frontCases } from '../law/front-documents.ts';

const timeMs = Date.UTC(2030, 11, 31, 22, 59, 30);
const framesMax = 40;

t.test('each frame draws images that were found, and none other was found', async (t) => {
  const { seed = 0 } = fc.readConfigureGlobal();
  for (const { document, values: given } of frontCases(100, seed)) {
    if (document.animation === undefined) continue;
    const template = publishedTemplate(document);
    const values = new Map(
      document.variables.map((each) => [each.name, given[each.name] ?? defaultText(each)]),
    );
    const moment = { timeMs, untilMs: timeMs + 20_000, client: undefined };
    const { frames = [] } = framesOf(document, timeMs, framesMax) ?? {};
    const expected = new Set(
      frames.flatMap((frame) => {
        const locale = { ...moment, timeMs: frame.timeMs ?? timeMs };
        const inFrame = frameValues({ values }, frame);
        return imageSources(resolveLayers(document, inFrame, locale).layers);
      }),
    );
    const options = {
      format: 'gif',
      quality: 100,
      scale: 1,
      frames: framesMax,
      ...moment,
    } as const;
    const found = drawnSources(template, values, options);
    t.same(new Set(found), expected, JSON.stringify(document).slice(0, 2000));
  }
});
