/** Lines of a text in Chromium and in Platen's layout, with the same font file at 20 px. */
import { readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import type { TextLayer } from '#language/schema/text.ts';
import { layoutText, paintedText, textLayer, textScene } from './text.ts';

const { findFontFile } = await import('../../workers/assets/font-files.ts');

const fontSize = 20;

export interface Sentence {
  lang: string;
  text: string;
}

export interface BrokenLine {
  text: string;
  width: number;
}

/** A page whose paragraphs have a bundled family. */
export async function openTextPage(browser: Browser, family: string): Promise<Page> {
  const path = findFontFile(family, 400, false)?.path;
  if (path === undefined) throw new Error(`${family} has no file`);
  const font = readFileSync(path).toString('base64');
  const page = await browser.newPage();
  await page.setContent(
    `<style>@font-face{font-family:Tested;src:url(data:font/ttf;base64,${font})}
    p{font:${fontSize}px/1.2 Tested;overflow-wrap:break-word;text-rendering:geometricPrecision}</style><p></p>`,
  );
  await page.evaluate('document.fonts.load("20px Tested").then(() => undefined)');
  return page;
}

/** The lines of a sentence in a paragraph of a width; `style` is CSS. */
export async function browserLines(
  page: Page,
  { lang, text }: Sentence,
  widthPx: number,
  style = '',
): Promise<BrokenLine[]> {
  const content = { lang, text, style: `width:${widthPx}px;${style}` };
  return page.locator('p').evaluate((paragraph, shown) => {
    paragraph.lang = shown.lang;
    paragraph.setAttribute('style', shown.style);
    paragraph.textContent = shown.text;
    const { firstChild: node, ownerDocument } = paragraph;
    const found: { text: string; top: number; left: number; right: number }[] = [];
    if (node === null) return [];
    for (let index = 0; index < shown.text.length; index += 1) {
      const range = ownerDocument.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + 1);
      const rect = range.getBoundingClientRect();
      const character = shown.text.charAt(index);
      const line = found.at(-1);
      // A character inside a shape has no width of its own.
      if (line !== undefined && (rect.height === 0 || Math.abs(line.top - rect.top) < 2)) {
        line.text += character;
        if (rect.height > 0 && character !== ' ') line.right = Math.max(line.right, rect.right);
      } else {
        found.push({ text: character, top: rect.top, left: rect.left, right: rect.right });
      }
    }
    return found.map((line) => ({ text: line.text.trim(), width: line.right - line.left }));
  }, content);
}

/** The lines of a sentence in a box of a width. */
export function platenLines(
  { lang, text }: Sentence,
  family: string,
  widthPx: number,
  rest: Partial<TextLayer> = {},
): BrokenLine[] {
  const layer = textLayer(text, { fontFamily: family, fontSize, overflow: 'visible', ...rest });
  const box = { x: 0, y: 0, width: widthPx, height: 1000 };
  const layout = layoutText(layer, box, textScene(lang));
  const ends = new Map<number, number>();
  for (const { x, y, width } of paintedText(layout).runs) {
    ends.set(y, Math.max(ends.get(y) ?? 0, x + width));
  }
  const widths = [...ends].toSorted(([a], [b]) => a - b).map(([, width]) => width);
  return layout.lineTexts.map((line, index) => ({ text: line.trim(), width: widths[index] ?? 0 }));
}
