import fc from 'fast-check';
import t from 'tap';
import { extent } from '../helpers/extent.ts';
import {
  breaking,
  layoutLayer,
  measured,
  paragraphs,
  textLayer,
  textStyle,
} from '../helpers/text.ts';
import { anyText, lineRules } from './text-arbitrary.ts';

const runs = { numRuns: extent(40, 200) };
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

const boxWidth = fc.integer({ min: 5, max: 400 });

t.test('broken lines joined give the text back', async () => {
  fc.assert(
    fc.property(anyText(60), boxWidth, lineRules, (text, width, rules) => {
      const spans = [{ text, style: textStyle() }];
      const all = measured.measureParagraphs(paragraphs.splitParagraphs(spans, 'en', rules));
      const lines = breaking.breakLines(all, width, 1, Infinity);
      for (const paragraph of all) {
        const inParagraph = lines.filter((line) => line.paragraph === paragraph);
        const joined = inParagraph
          .map(({ start, end }) => paragraph.text.slice(start, end))
          .join('');
        if (joined !== paragraph.text) throw new Error(JSON.stringify([joined, paragraph.text]));
        if (inParagraph.at(-1)?.endsParagraph !== true) throw new Error('the last line ends it');
      }
    }),
    runs,
  );
});

t.test('no line is wider than its box unless a single grapheme is', async () => {
  const style = fc.record({
    letterSpacing: fc.constantFrom(0, 0, 3),
    weight: fc.constantFrom(400, 700),
  });
  fc.assert(
    fc.property(anyText(60), boxWidth, style, lineRules, (text, width, look, rules) => {
      const half = Math.floor(text.length / 2);
      const spans = [
        { text: text.slice(0, half), style: textStyle() },
        { text: text.slice(half), style: textStyle(look) },
      ];
      const all = measured.measureParagraphs(paragraphs.splitParagraphs(spans, 'en', rules));
      for (const line of breaking.breakLines(all, width, 1, Infinity)) {
        if (line.width <= width + 0.02) continue;
        const shown = line.paragraph.text.slice(line.start, line.end).trimEnd();
        const count = [...graphemes.segment(shown)].length;
        if (count > 1) throw new Error(`${JSON.stringify(shown)}: ${line.width} of ${width}`);
      }
    }),
    runs,
  );
});

t.test('the same text is laid out the same twice, whatever came between', async () => {
  const overflow = fc.constantFrom('shrink', 'grow', 'ellipsis', 'clip', 'visible' as const);
  const align = fc.constantFrom('start', 'center', 'justify' as const);
  const look = fc.record({ overflow, align });
  fc.assert(
    fc.property(anyText(80), anyText(40), look, lineRules, (text, other, looks, rules) => {
      const layer = textLayer(text, { ...rules, ...looks, minSize: 4 });
      const first = JSON.stringify(layoutLayer(layer));
      layoutLayer(textLayer(other));
      return JSON.stringify(layoutLayer(layer)) === first;
    }),
    runs,
  );
});
