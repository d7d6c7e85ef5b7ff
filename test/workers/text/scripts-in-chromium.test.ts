/** Lines of sentences in scripts of the bundled fonts against those of Chromium with the same font files. */
import { readFileSync } from 'node:fs';
import t from 'tap';
import type { Page } from 'playwright-core';
import { listCases, readCase } from '../../golden/cases.ts';
import { skipsPages, startBrowser } from '../../helpers/browser.ts';
import { layoutText, paintedText, textLayer, textScene } from '../../helpers/text.ts';

const { findFontFile } = await import('../../../workers/assets/font-files.ts');

/** Difference in design pixels by which a line may be wider or narrower. */
const differenceMax = 0.5;
const fontSize = 20;

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

interface Sentence {
  lang: string;
  text: string;
}

function sentenceOf(name: string): Sentence {
  const { template } = readCase(`text/${name}`);
  const { lang, variables } = template as { lang: string; variables: { value: string }[] };
  return { lang, text: variables[0]?.value ?? '' };
}

interface BrokenLine {
  text: string;
  width: number;
}

async function browserLines(
  page: Page,
  { lang, text }: Sentence,
  family: string,
  widthPx: number,
): Promise<BrokenLine[]> {
  const path = findFontFile(family, 400, false)?.path;
  if (path === undefined) throw new Error(`${family} has no file`);
  const font = readFileSync(path).toString('base64');
  await page.setContent(
    `<style>@font-face{font-family:Tested;src:url(data:font/ttf;base64,${font})}
    p{width:${widthPx}px;font:${fontSize}px/1.2 Tested;overflow-wrap:break-word;text-rendering:geometricPrecision}</style><p lang="${lang}">${text}</p>`,
  );
  await page.evaluate('document.fonts.load("20px Tested").then(() => undefined)');
  return page.locator('p').evaluate((paragraph) => {
    const { firstChild: node, ownerDocument } = paragraph;
    const words = node?.nodeValue ?? '';
    const found: { text: string; top: number; left: number; right: number }[] = [];
    if (node === null) return [];
    for (let index = 0; index < words.length; index += 1) {
      const range = ownerDocument.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + 1);
      const rect = range.getBoundingClientRect();
      const line = found.at(-1);
      // A character inside a shape has no width of its own.
      if (line !== undefined && (rect.height === 0 || Math.abs(line.top - rect.top) < 2)) {
        line.text += words.charAt(index);
        if (rect.height > 0 && words.charAt(index) !== ' ')
          line.right = Math.max(line.right, rect.right);
      } else {
        found.push({
          text: words.charAt(index),
          top: rect.top,
          left: rect.left,
          right: rect.right,
        });
      }
    }
    return found.map((line) => ({ text: line.text.trim(), width: line.right - line.left }));
  });
}

function ownLines({ lang, text }: Sentence, family: string, widthPx: number): BrokenLine[] {
  const layer = textLayer(text, { fontFamily: family, fontSize, overflow: 'visible' });
  const box = { x: 0, y: 0, width: widthPx, height: 1000 };
  const layout = layoutText(layer, box, textScene(lang));
  const ends = new Map<number, number>();
  for (const { x, y, width } of paintedText(layout).runs) {
    ends.set(y, Math.max(ends.get(y) ?? 0, x + width));
  }
  const widths = [...ends].toSorted(([a], [b]) => a - b).map(([, width]) => width);
  return layout.lineTexts.map((line, index) => ({ text: line.trim(), width: widths[index] ?? 0 }));
}

t.test('sentences have the lines of Chromium', { skip: skipsPages }, async (t) => {
  const browser = await startBrowser(t);
  const page = await browser.newPage();
  t.ok(Object.keys(families).every((name) => listCases().includes(`text/${name}`)));
  for (const [name, family] of Object.entries(families)) {
    const sentence = sentenceOf(name);
    for (const widthPx of widthsPx[name] ?? [150, 240, 2000]) {
      const expected = await browserLines(page, sentence, family, widthPx);
      const actual = ownLines(sentence, family, widthPx);
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
