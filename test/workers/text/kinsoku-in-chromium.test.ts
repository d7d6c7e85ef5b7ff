/** Lines of generated Japanese and Chinese texts against those of Chromium with the same font files. */
import fc from 'fast-check';
import t from 'tap';
import { extent } from '../../helpers/extent.ts';
import { skipsPages, startBrowser } from '../../helpers/browser.ts';
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

t.test('lines have the breaks and widths of Chromium', { skip: skipsPages }, async (t) => {
  const browser = await startBrowser(t);
  const width = fc.integer({ min: 160, max: 320 });
  for (const { lang, family, texts } of languages) {
    const page = await openTextPage(browser, family);
    await fc.assert(
      fc.asyncProperty(texts, width, rules, async (text, widthPx, rule) => {
        fc.pre(text !== '');
        const sentence = { lang, text };
        const style = `line-break:${rule.lineBreak};text-spacing-trim:${trims[rule.punctuationTrim]}`;
        const expected = await browserLines(page, sentence, widthPx, style);
        const actual = platenLines(sentence, family, widthPx, rule);
        const found = JSON.stringify([actual, expected]);
        if (actual.length !== expected.length) throw new Error(found);
        for (const [index, line] of actual.entries()) {
          const { text: shown, width: wide } = expected[index] ?? { text: '', width: 0 };
          if (line.text !== shown) throw new Error(found);
          if (Math.abs(line.width - wide) > differenceMax) throw new Error(found);
        }
      }),
      { numRuns: extent(40, 200) },
    );
    t.pass(lang);
    await page.close();
  }
});
