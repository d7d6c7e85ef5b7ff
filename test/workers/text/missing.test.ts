import { join } from 'node:path';
import t from 'tap';
import { drawing, textStyle } from '../../helpers/text.ts';
import { covers, readCoverage } from '../../../workers/assets/font-coverage.ts';
import { findFontFile } from '../../../workers/assets/font-files.ts';

t.test('fonts say what they cover', async (t) => {
  const coverage = (family: string): Uint32Array => {
    const file = findFontFile(family, 400, false);
    if (file === undefined) throw new Error(`${family} has no file`);
    return readCoverage(file);
  };
  const has = (family: string, character: string): boolean =>
    covers(coverage(family), character.codePointAt(0) ?? 0);
  t.ok(has('Inter', 'a') && has('Inter', 'Я') && !has('Inter', 'ש'));
  t.ok(has('Noto Sans Hebrew', 'ש') && has('Noto Sans Arabic', 'ش'));
  t.ok(has('Noto Sans SC', '骨') && has('Noto Sans JP', '𠮷') && !has('Noto Sans', '骨'));
  t.ok(has('Twemoji Mozilla', '🎉') && !has('Twemoji Mozilla', 'ש'), 'a WOFF2 file is read, too');
  const noFont = { path: join(import.meta.dirname, 'missing.test.ts'), weight: 400, italic: false };
  t.throws(() => readCoverage(noFont));
});

t.test('the nearest file of a family is found', async (t) => {
  const name = (weight: number, italic: boolean): string | undefined =>
    findFontFile('Inter', weight, italic)?.path.split('/').at(-1);
  t.equal(name(400, false), 'Inter_400Regular.ttf');
  t.equal(name(720, true), 'Inter_700Bold_Italic.ttf');
  t.equal(findFontFile('Noto Sans Thai', 400, true)?.italic, false, 'no italic: upright letters');
  t.equal(findFontFile('../../etc', 400, false), undefined);
  t.equal(findFontFile('Nope', 400, false), undefined);
});

t.test('what no font has becomes a box and is named once', async (t) => {
  const style = textStyle();
  const replace = (text: string): [string, string[]] => {
    const { text: shown, missing } = drawing.replaceMissing(text, style, 'en');
    return [shown, missing];
  };
  t.same(replace('plain'), ['plain', []]);
  t.same(replace('é Я ש ش ह ก 骨 🎉 \u200D\uFE0F\u00A0'), [
    'é Я ש ش ह ก 骨 🎉 \u200D\uFE0F\u00A0',
    [],
  ]);
  t.same(replace('a\u{A000}\u{A000}\u{F0000}\u{378}'), [
    'a□□□□',
    ['\u{A000}', '\u{F0000}', '\u{378}'],
  ]);
});

t.test(
  'emoji sequences that the font draws in parts are named, and known ones are not',
  async (t) => {
    const { missingIn, missingDetail } = drawing;
    const missingOf = (text: string): string[] => missingIn(text, ['Inter'], 'en');
    const newer = ['\u{1F426}\u200D\u{1F525}', '\u{1F34B}\u200D\u{1F7E9}'];
    t.same(missingOf(`${newer.join(' ')} ${newer[0]}`), newer, 'Unicode 15.1');
    t.same(missingOf('\u{1F1E8}\u{1F1F6}'), ['\u{1F1E8}\u{1F1F6}'], 'a flag of Unicode 16');
    t.same(missingOf('\u{1FAE9}'), ['\u{1FAE9}'], 'an emoji of Unicode 16');
    t.same(missingOf('👩‍💻 👨‍👩‍👧‍👦 ❤️‍🔥 👍🏽 🇩🇪 🏴󠁧󠁢󠁳󠁣󠁴󠁿 1️⃣ 🏳️‍🌈'), []);
    t.same(missingOf('\u0645\u200D \u0915\u094D\u200D'), [], 'joiners of letters');
    t.equal(missingDetail(newer.slice(0, 1)), 'no installed font has U+1F426 U+200D U+1F525');
  },
);

t.test('a sign of money that no font has becomes the code of its currency', async (t) => {
  const { replaceMissing, missingInSvg } = drawing;
  t.same(replaceMissing('\u20C1 1,250', textStyle(), 'ar'), { text: 'SAR 1,250', missing: [] });
  const signs = Array.from({ length: 0x20c1 - 0x20a0 }, (_, at) =>
    String.fromCodePoint(0x20a0 + at),
  );
  const text = `¢£¤¥֏؋৲৳૱௹฿៛﷼$ ${signs.join('')}`;
  t.same(replaceMissing(text, textStyle(), 'en'), { text, missing: [] }, 'all others have a glyph');
  t.same(missingInSvg('\u20C1', 'en'), ['\u20C1'], 'an SVG keeps the sign, so it is named');
});
