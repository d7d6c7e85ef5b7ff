/** What the renderer draws of SVG, beside drawings of Chromium that `npm run svg:record` has made. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import { svgFontConfigFile } from '../../helpers/render.ts';
import { unsupportedInSvg } from '../../../workers/layout/svg-support.ts';
import { compareFeatures } from './compare.ts';
import { supportPage, supportPath } from './support-page.ts';

const results = await compareFeatures(svgFontConfigFile);

t.test(
  'no feature of an SVG layer is drawn otherwise than in Chromium without a warning',
  async (t) => {
    t.ok(results.length >= 150, `${results.length} features`);
    for (const { feature, isEqual, different, warnings } of results) {
      const name = `${feature[0]}: ${feature[1]}`;
      t.ok(isEqual || warnings.length > 0, `${name} differs by ${different.toFixed(4)}`);
    }
  },
);

t.test('what exports have and is drawn as it is has no warning', async (t) => {
  const named = results.filter(
    ({ warnings, different }) => warnings.length > 0 && different < 0.01,
  );
  t.same(
    named.map(({ feature }) => feature[1]),
    ['`backdrop-filter`', '`var()` with a fallback'],
    'features that are drawn alike here by chance',
  );
  const plain = [
    // As Inkscape, Illustrator and Figma write them.
    '<text style="font-variant-ligatures:normal;font-feature-settings:normal;text-decoration:none;text-transform:none;dominant-baseline:auto;shape-inside:none;inline-size:0">a</text>',
    '<g style="mix-blend-mode:normal;transform-origin:0 0"><path d="M0 0h9"/></g>',
    '<filter id="a"><feFlood flood-opacity="0" result="BackgroundImageFix"/><feBlend mode="normal" in="SourceGraphic" in2="BackgroundImageFix"/></filter>',
    "<style>.st0{fill:#FF0000;}.st1{font-family:'MyriadPro';}@media print{.st0{fill:#000}}</style>",
    '<!-- fill: oklch(1 0 0) --><text x="5" y="5" rotation="3">{{name}}</text>',
  ];
  for (const inside of plain) {
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="210mm" viewBox="0 0 9 9">${inside}</svg>`;
    t.same(unsupportedInSvg(svg), [], inside);
  }
});

t.test('the page has the features as they are drawn', async (t) => {
  const page = readFileSync(supportPath, 'utf8');
  const chromium = /beside Chromium ([\d.]+)/.exec(page)?.[1] ?? '';
  const rows = (text: string): string[] =>
    text.split('\n').map((line) => line.replaceAll(/\s*\|\s*/g, '|').replaceAll(/\|-+/g, '|-'));
  const wanted = rows(supportPage(results, chromium)).filter((line) => line.startsWith('|'));
  t.same(
    rows(page).filter((line) => line.startsWith('|')),
    wanted,
    'npm run svg:record writes it',
  );
});

t.test('finding features takes linear time', async (t) => {
  const before = process.cpuUsage();
  for (const part of [
    '<text ',
    '<feBlend ',
    '<style>a{',
    'clip-path:',
    '<image ',
    'mask:',
    'data:image/jpeg;base64,AAAA',
  ]) {
    unsupportedInSvg(part.repeat(20_000));
  }
  const { user, system } = process.cpuUsage(before);
  t.ok(user + system < 2_000_000, `${user + system} µs`);
});
