/** Lines of sentences in scripts of the bundled fonts against those of Chromium with the same font files. */
import t from 'tap';
import { listCases, readCase } from '../../golden/cases.ts';
import { skipsPages, startBrowser } from '../../helpers/browser.ts';
import type { Sentence } from '../../helpers/browser-text.ts';
import { browserLines, openTextPage, platenLines } from '../../helpers/browser-text.ts';

/** Difference in design pixels by which a line may be wider or narrower. */
const differenceMax = 0.5;

/** The golden case that has a sentence of each script, and the family that draws it. */
const families: Readonly<Record<string, string>> = {
  armenian: 'Noto Sans Armenian',
  bengali: 'Noto Sans Bengali',
  burmese: 'Noto Sans Myanmar',
  ethiopic: 'Noto Sans Ethiopic',
  georgian: 'Noto Sans Georgian',
  gujarati: 'Noto Sans Gujarati',
  gurmukhi: 'Noto Sans Gurmukhi',
  kannada: 'Noto Sans Kannada',
  khmer: 'Noto Sans Khmer',
  lao: 'Noto Sans Lao',
  malayalam: 'Noto Sans Malayalam',
  sinhala: 'Noto Sans Sinhala',
  tamil: 'Noto Sans Tamil',
  telugu: 'Noto Sans Telugu',
  tibetan: 'Noto Serif Tibetan',
};

/** Other widths, where Chromium's dictionary parts a compound that Node's has as one word. */
const widthsPx: Readonly<Record<string, number[]>> = { khmer: [150, 2000] };

function sentenceOf(name: string): Sentence {
  const { template } = readCase(`text/${name}`);
  const { lang, variables } = template as { lang: string; variables: { value: string }[] };
  return { lang, text: variables[0]?.value ?? '' };
}

t.test('sentences have the lines of Chromium', { skip: skipsPages }, async (t) => {
  const browser = await startBrowser(t);
  t.ok(Object.keys(families).every((name) => listCases().includes(`text/${name}`)));
  for (const [name, family] of Object.entries(families)) {
    const sentence = sentenceOf(name);
    const page = await openTextPage(browser, family);
    for (const widthPx of widthsPx[name] ?? [150, 240, 2000]) {
      const expected = await browserLines(page, sentence, widthPx);
      const actual = platenLines(sentence, family, widthPx);
      const label = `${name} at ${widthPx} pixels`;
      t.same(
        actual.map(({ text }) => text),
        expected.map(({ text }) => text),
        label,
      );
      const wrong = actual.filter(
        ({ width }, index) => Math.abs(width - (expected[index]?.width ?? 0)) > differenceMax,
      );
      t.same(wrong, [], `${label}: widths of ${JSON.stringify(expected)}`);
    }
  }
});
