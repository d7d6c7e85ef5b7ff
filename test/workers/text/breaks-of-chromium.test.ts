/** Line breaks against the record of Chromium: `npm run chromium:record` renews it. */
import t from 'tap';
import { paragraphs, textStyle } from '../../helpers/text.ts';
import record from '../../fixtures/chromium/parts.json' with { type: 'json' };
import { brokenTexts } from '../../fixtures/chromium/broken-texts.ts';

const style = textStyle();

t.test('lines break where those of Chromium break', async (t) => {
  t.same(
    record.records.map(({ lang, text }) => ({ lang, text })),
    brokenTexts,
    'the record has all texts',
  );
  for (const { lang, text, parts } of record.records) {
    const [paragraph] = paragraphs.splitParagraphs([{ text, style }], lang);
    const ours = paragraph?.segments.map(({ start, end }) =>
      paragraph.text.slice(start, end).trim(),
    );
    t.same(ours, parts, `${lang}: ${text}`);
  }
});
