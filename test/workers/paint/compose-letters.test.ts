/** Texts that are put together from letters have the pixels of the paint engine. */
import t from 'tap';
import { aLayer, aTemplate, aVariable } from '../../fixtures/template-documents.ts';
import { extent } from '../../helpers/extent.ts';
import { validTemplate, valuesOf } from '../../helpers/render.ts';
import { nameOf } from '../../../bench/harness/names.ts';
import { createRandom } from '../../../bench/stages/random-text.ts';

const { bindScene } = await import('../../../workers/bind-scene.ts');
const { layoutScene } = await import('../../../workers/layout/layout.ts');
const { toDrawable } = await import('../../../workers/assets/drawable-cache.ts');
const { imageSize } = await import('../../../workers/display-list.ts');
const { toWords } = await import('../../../workers/pixels.ts');
const { paintRegions } = await import('../../../workers/paint/paint.ts');
const { composeRuns, placeRuns, proveRuns } =
  await import('../../../workers/paint/compose-letters.ts');

interface Look {
  scale: number;
  text: object;
}

/** Draws texts in turn with the engine and from letters; returns each pair, without letters where there are none. */
function drawBoth(
  { scale, text }: Look,
  names: readonly string[],
  noticeable: (painted: Uint8Array) => void = () => undefined,
): { painted: Uint8Array; composed: Uint8Array | undefined }[] {
  const layer = { x: 10.4, y: 8, width: 400, height: 130, text: '{{name}}', ...text };
  const template = validTemplate(
    aTemplate({
      width: 420,
      height: 150,
      background: 'none',
      variables: [aVariable('name', 'text', 'Anna')],
      layers: [aLayer('text', { fill: '#f8e0c4', overflow: 'shrink', ...layer })],
    }),
  );
  const random = createRandom(3);
  return names.map((name) => {
    const scene = bindScene(template, valuesOf(template, { name }), undefined, {});
    const { displayList: list } = layoutScene(scene, new Map());
    const size = imageSize(list, scale);
    const rect = { x: 0, y: 0, width: size.widthPx, height: size.heightPx };
    const words = new Uint32Array(rect.width * rect.height).map(
      () => (random() * 0x1_00_00_00) | 0xff_00_00_00,
    );
    const drawable = toDrawable(new Uint8Array(words.buffer), rect.width, rect.height);
    const [painted] = paintRegions(list, new Map(), scale, [rect], drawable);
    drawable.canvas.dispose();
    if (painted === undefined) throw new Error('One region was painted.');
    const ground = { rect, words: toWords(new Uint8Array(words.buffer)) };
    const runs = placeRuns(list.items, [rect], scale, size);
    const [composed] = (runs && composeRuns(runs, [rect], ground, scale, size)) ?? [];
    noticeable(painted.pixels.data);
    if (runs !== undefined) proveRuns(runs, [painted], ground, scale, size);
    return { painted: painted.pixels.data, composed: composed?.pixels.data };
  });
}

/** Names in the scripts of the list, each with other letters. */
const scriptCount = 10;
const firstOf = { latin: 0, cyrillic: 1, greek: 2, hebrew: 4, chinese: 7, japanese: 8, korean: 9 };
function namesOf(script: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => nameOf(script + index * scriptCount));
}

/** Scripts whose names have one size in most looks, and so letters that come again. */
const alike = new Set(['hebrew', 'chinese', 'japanese', 'korean']);

const looks: Readonly<Record<string, Look>> = {
  // Positions are whole numbers of 1/64 px, some of them at the edge of a quarter.
  'at whole positions': { scale: 1, text: { x: 10, fontFamily: 'Inter', fontSize: 32 } },
  'spaced in two scripts of fonts': {
    scale: 1,
    text: { fontFamily: 'Fraunces', fontWeight: 700, fontSize: 48, letterSpacing: -1.2 },
  },
  'dark and centred at a scale': {
    scale: 1.5,
    text: { fontFamily: 'Space Grotesk', fontSize: 40, fill: '#3a1d00', align: 'center' },
  },
  'in a sentence of another script and font': {
    scale: 1,
    text: { text: 'Hello {{name}}, welcome', fontFamily: 'Fraunces', fontSize: 24 },
  },
};

for (const [title, look] of Object.entries(looks)) {
  t.test(`names of seven scripts ${title} have the engine's pixels`, async (t) => {
    let allCount = 0;
    const count = extent(30, 80);
    for (const [script, first] of Object.entries(firstOf)) {
      let composedCount = 0;
      const drawn = drawBoth(look, namesOf(first, count));
      for (const [index, { painted, composed }] of drawn.entries()) {
        if (composed === undefined) continue;
        composedCount += 1;
        t.ok(Buffer.compare(composed, painted) === 0, `${script}, name ${index}`);
      }
      if (alike.has(script)) t.ok(composedCount > 0, `${script} is put together from letters`);
      allCount += composedCount;
    }
    t.ok(allCount > count / 3, `${allCount} of ${count * 7} were put together from letters`);
  });
}

t.test('a style whose letters make another image than the engine stays with the engine', (t) => {
  const look = { scale: 1, text: { fontFamily: 'Inter', fontSize: 33, fill: '#204060' } };
  const names = Array.from({ length: 8 }, () => 'Ada');
  const spoilt = drawBoth(look, names, (painted) => painted.fill(0));
  const later = drawBoth(look, names);
  for (const { composed } of [...spoilt, ...later]) t.equal(composed, undefined);
  t.end();
});

for (const [title, text] of Object.entries({
  'a shadow': { shadow: { y: 2, blur: 2, color: '#000000' } },
  'a stroke': { stroke: { width: 1, color: '#000000' } },
  'a translucent colour': { fill: '#20406080' },
  'a rotation': { rotation: 3 },
  'letters that join': { text: 'محمد' },
  'a ligature': { text: 'official', fontFamily: 'Playfair Display' },
})) {
  t.test(`a text with ${title} is the engine's alone`, async (t) => {
    const look = { scale: 1, text: { fontFamily: 'Inter', fontSize: 30, ...text } };
    const drawn = drawBoth(look, ['Ada', 'Ada', 'Ada', 'Ada', 'Ada', 'Ada']);
    t.ok(drawn.every(({ composed }) => composed === undefined));
  });
}
