/** What Chromium does with a text, read from its boxes: the order of its characters, and where its lines break. */
import type { Page } from 'playwright-core';
import type { MixedSentence } from '../fixtures/chromium/mixed-sentences.ts';

/** The graphemes of a sentence from left to right, without spaces. Each value stands in a `<bdi>`. */
export async function browserOrder(page: Page, { lang, text }: MixedSentence): Promise<string> {
  return page.locator('body').evaluate(
    (body, shown) => {
      const { ownerDocument: document } = body;
      const paragraph = document.createElement('p');
      paragraph.lang = shown.lang;
      paragraph.dir = 'auto';
      paragraph.style.cssText = 'white-space:nowrap;font:20px sans-serif';
      body.replaceChildren(paragraph);
      for (const [index, part] of shown.parts.entries()) {
        const isValue = index % 2 === 1;
        const node = isValue ? document.createElement('bdi') : document.createTextNode(part);
        if (isValue) node.textContent = part;
        paragraph.append(node);
      }
      const segmenter = new Intl.Segmenter(shown.lang, { granularity: 'grapheme' });
      const found: { text: string; left: number }[] = [];
      for (const child of paragraph.childNodes) {
        const node = child.nodeName === '#text' ? child : child.firstChild;
        if (node === null) continue;
        for (const { segment, index } of segmenter.segment(node.textContent ?? '')) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + segment.length);
          found.push({ text: segment, left: range.getBoundingClientRect().left });
        }
      }
      return found
        .toSorted((a, b) => a.left - b.left)
        .map((one) => one.text)
        .join('')
        .replaceAll(/\s/g, '');
    },
    { lang, parts: text.split(/\{\{([^{}]*)\}\}/) },
  );
}

/** The parts of a text that stand on a line each in a box without width. Korean words stay whole. */
export async function browserParts(
  page: Page,
  { lang, text }: { lang: string; text: string },
): Promise<string[]> {
  return page.locator('body').evaluate(
    (body, shown) => {
      const { ownerDocument: document } = body;
      const paragraph = document.createElement('p');
      paragraph.lang = shown.lang;
      const words = shown.lang === 'ko' ? 'keep-all' : 'normal';
      paragraph.style.cssText = `width:0;line-break:strict;word-break:${words};font:20px/40px sans-serif`;
      paragraph.textContent = shown.text;
      body.replaceChildren(paragraph);
      const node = paragraph.firstChild;
      const parts: string[] = [];
      let top = Number.NEGATIVE_INFINITY;
      if (node === null) return parts;
      let start = 0;
      for (const character of shown.text) {
        const range = document.createRange();
        range.setStart(node, start);
        start += character.length;
        range.setEnd(node, start);
        const rect = range.getBoundingClientRect();
        const isNew = rect.height > 0 && character !== ' ' && rect.top > top + 20;
        if (isNew) {
          parts.push(character);
          top = rect.top;
        } else parts.push((parts.pop() ?? '') + character);
      }
      return parts.map((part) => part.trim());
    },
    { lang, text },
  );
}
