/** Lines of generated Japanese and Chinese texts, and of sentences in other scripts, against those of Chromium with the same font files. */
import fc from 'fast-check';
import type { Page } from 'playwright-core';
import t from 'tap';
import { readCase } from '../../golden/cases.ts';
import { extent } from '../../helpers/extent.ts';
import { skipsPages, startBrowser } from '../../helpers/browser.ts';
import type { Sentence } from '../../helpers/browser-text.ts';
import { browserLines, openTextPage, platenLines } from '../../helpers/browser-text.ts';

/** Difference in design pixels by which a line may be wider or narrower. */
const differenceMax = 0.5;

const oneOf = (characters: string): fc.Arbitrary<string> =>
  fc.constantFrom(...Array.from(characters));
const closing = oneOf('、。，．」』）］｝〉》】〕：；！？');
const opening = oneOf('「『（［｛〈《【〔');
const latin = fc.constantFrom('日Platen「v2」日', '中10％（v 2）', '日A日');

/** Some 40 characters of running text. */
function anyOf(letters: string, rare: string): fc.Arbitrary<string> {
  const quoted = fc
    .array(oneOf(letters), { minLength: 1, maxLength: 4 })
    .map((inside) => `本“${inside.join('')}”日`);
  const part = fc.oneof(
    { weight: 10, arbitrary: oneOf(letters) },
    { weight: 4, arbitrary: oneOf(rare) },
    { weight: 3, arbitrary: closing },
    { weight: 2, arbitrary: opening },
    { weight: 1, arbitrary: latin },
    { weight: 1, arbitrary: quoted },
  );
  return fc
    .array(part, { minLength: 6, maxLength: 40, size: 'max' })
    .map((parts) => parts.join('').trim());
}

const languages = [
  {
    lang: 'ja',
    family: 'Noto Sans JP',
    texts: anyOf('これは本日のお知らせ新製品カタログ日本語', 'ぁっゃょァッャョヶー々ゝヽ・〜゠…‥'),
  },
  {
    lang: 'zh-Hans',
    family: 'Noto Sans SC',
    texts: anyOf('欢迎来到我们的新商店祝您购物愉快今天', '・…〜々ー'),
  },
  {
    lang: 'zh-Hant',
    family: 'Noto Sans TC',
    texts: anyOf('歡迎來到我們的新商店祝您購物愉快今天', '・…〜々'),
  },
] as const;

/** Rules of a text and what they are in CSS. */
const rules = fc.record({
  lineBreak: fc.constantFrom('strict', 'normal'),
  punctuationTrim: fc.constantFrom('none', 'adjacent', 'start'),
});
const trims = { none: 'space-all', adjacent: 'normal', start: 'trim-start' } as const;

/** Throws unless the lines of a text have the breaks and widths of Chromium. */
async function compareLines(
  page: Page,
  family: string,
  sentence: Sentence,
  widthPx: number,
  rule: { lineBreak: 'strict' | 'normal'; punctuationTrim: keyof typeof trims },
): Promise<void> {
  const style = `line-break:${rule.lineBreak};text-spacing-trim:${trims[rule.punctuationTrim]}`;
  const expected = await browserLines(page, sentence, widthPx, style);
  const actual = platenLines(sentence, family, widthPx, rule);
  const isSame = actual.every(
    ({ text, width }, index) =>
      text === expected[index]?.text && Math.abs(width - expected[index].width) <= differenceMax,
  );
  if (isSame && actual.length === expected.length) return;
  throw new Error(`${sentence.lang}, ${widthPx} px: ${JSON.stringify([actual, expected])}`);
}

/** The family of each script whose sentence a golden case has. */
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

t.test('lines have the breaks and widths of Chromium', { skip: skipsPages }, async (t) => {
  const browser = await startBrowser(t);
  const width = fc.integer({ min: 160, max: 320 });
  for (const { lang, family, texts } of languages) {
    const page = await openTextPage(browser, family);
    await fc.assert(
      fc.asyncProperty(texts, width, rules, async (text, widthPx, rule) => {
        fc.pre(text !== '');
        await compareLines(page, family, { lang, text }, widthPx, rule);
      }),
      { numRuns: extent(40, 200) },
    );
    t.pass(lang);
    await page.close();
  }
  for (const [name, family] of Object.entries(families)) {
    const { template } = readCase(`text/${name}`);
    const { lang, variables } = template as { lang: string; variables: { value: string }[] };
    const page = await openTextPage(browser, family);
    for (const widthPx of widthsPx[name] ?? [150, 240, 2000]) {
      const sentence = { lang, text: variables[0]?.value ?? '' };
      const rule = { lineBreak: 'strict', punctuationTrim: 'none' } as const;
      await compareLines(page, family, sentence, widthPx, rule);
    }
    t.pass(name);
    await page.close();
  }
});
