import t from 'tap';
import type { TextLayer } from '#language/schema/text.ts';
import { layoutLayer, paintedLines, textLayer } from '../../helpers/text.ts';

const { hyphenate } = await import('../../../workers/text/lines/hyphenation.ts');

/** The text with a hyphen at each position. */
function hyphenated(text: string, lang: string): string {
  const { positions } = hyphenate(text, lang);
  return [0, ...positions].map((from, index) => text.slice(from, positions[index])).join('-');
}

/** The lines of a text at 20 px in a box of a width. */
function lines(text: string, width: number, rest: Partial<TextLayer> = {}, lang = 'en'): string[] {
  const layer = textLayer(text, { width, height: 400, hyphenate: true, overflow: 'grow', ...rest });
  return paintedLines(layoutLayer(layer, lang));
}

t.test('words are parted as the dictionaries of their languages do', (t) => {
  const words: Readonly<Record<string, string[]>> = {
    de: ['Sil-ben-tren-nung', 'Do-nau-dampf-schiff', 'Äu-ßer-lich-kei-ten', 'Stra-ßen-bahn'],
    'de-AT': ['ös-ter-rei-chisch'],
    en: ['ty-pog-ra-phy', 'com-puter', 'al-go-rithm'],
    'en-GB': ['ty-po-graphy'],
    fr: ['or-di-na-teur', 'mer-veilleux'],
    es: ['or-de-na-dor', 'fe-rro-ca-rril'],
    it: ['cal-co-la-tore', 'im-por-tante'],
    pt: ['com-pu-ta-dor', 'car-ro-ceiro'],
    nl: ['com-pu-ter', 'ver-ant-woor-de-lijk'],
    sv: ['da-tor-pro-gram'],
    pl: ['kom-pu-ter'],
    cs: ['po-čí-tač'],
    hu: ['szá-mí-tó-gép'],
    fi: ['tie-to-kone'],
    tr: ['bil-gi-sa-yar'],
    ru: ['ком-пью-тер', 'до-сто-при-ме-ча-тель-ность'],
    uk: ['уні-вер-си-тет'],
    el: ['υπο-λο-γι-στής'],
    'sr-Latn': ['bi-bli-o-teka'],
    sr: ['би-бли-о-тека'],
  };
  for (const [lang, expected] of Object.entries(words)) {
    t.same(
      expected.map((word) => hyphenated(word.replaceAll('-', ''), lang)),
      expected,
      lang,
    );
  }
  t.end();
});

t.test('two letters stay before a hyphen and three follow it, in words of five and more', (t) => {
  t.equal(hyphenated('about adore oboe idea', 'en'), 'about adore oboe idea');
  t.equal(hyphenated('warten Ofen Esel', 'de'), 'war-ten Ofen Esel');
  t.equal(
    hyphenated('ab\u0301cde wa\u0308rmer', 'de'),
    'ab\u0301cde wa\u0308r-mer',
    'marks are no letters',
  );
  t.end();
});

t.test('addresses, digits, soft hyphens, contractions and English names stay whole', (t) => {
  const whole = [
    'https://example.com/typography typography.example typography@example.com @typography',
    '#typography typography2 2typography typo_graphy typography/typography',
    "typo\u00ADgraphy shouldn’t wouldn't",
    'Typography Maximilian',
  ];
  for (const text of whole) t.equal(hyphenated(text, 'en'), text);
  t.equal(hyphenated('TYPOGRAPHY', 'en'), 'TY-POG-RA-PHY', 'capitals alone are no name');
  t.equal(hyphenated('Maximilian', 'de'), 'Ma-xi-mi-lian', 'nouns of German');
  t.equal(hyphenated('“typography”, (typography).', 'en'), '“ty-pog-ra-phy”, (ty-pog-ra-phy).');
  t.end();
});

t.test('languages without patterns and unknown tags part no word', (t) => {
  for (const lang of ['ja', 'ar', 'th', 'sw', 'xx', 'constructor', '__proto__', '../en-us', '']) {
    t.equal(hyphenated('typography', lang), 'typography', lang);
  }
  t.equal(hyphenated('типография', 'en'), 'типография', 'letters of another alphabet');
  t.end();
});

t.test('words of any length end', (t) => {
  t.same(hyphenate('typography'.repeat(800), 'en').positions, []);
  t.equal(hyphenate('typography'.repeat(6), 'en').positions.length, 23);
  t.equal(hyphenate('typography '.repeat(700), 'en').positions.length, 2100);
  t.end();
});

t.test('a line ends with a hyphen where a word is parted', (t) => {
  t.same(lines('Silbentrennung', 110, {}, 'de'), ['Silbentren-', 'nung']);
  t.same(lines('Silbentrennung', 110, { hyphenate: false }, 'de'), ['Silbentrenn', 'ung']);
  t.same(lines('the typography', 100), ['the typog-', 'raphy']);
  t.same(lines('the typography', 100, { wrap: false }), ['the typography']);
  t.same(
    lines('தமிழ்நாட்டிலிருந்து', 120, {}, 'ta').join('').includes('-'),
    false,
    'Tamil has no sign',
  );
  t.end();
});

t.test('the language is that of the link, else of the document', (t) => {
  t.same(lines('bibliothek', 80, {}, 'de'), ['biblio-', 'thek']);
  t.same(lines('bibliothek', 80, {}, 'ja'), ['biblioth', 'ek']);
  t.end();
});

t.test('words are parted before letters shrink', (t) => {
  const layer = textLayer('Silbentrennung', { width: 110, height: 60, hyphenate: true });
  const parted = layoutLayer(layer, 'de');
  t.equal(parted.fontSize, 20);
  t.same(paintedLines(parted), ['Silbentren-', 'nung']);
  const low = layoutLayer({ ...layer, height: 20 }, 'de');
  t.ok(low.fontSize < 20 && low.lines === 1, 'where its lines do not fit, it shrinks as any text');
  t.end();
});

t.test('letters shrink until a hyphen fits beside its part', (t) => {
  for (let width = 70; width < 100; width += 1) {
    const layer = textLayer('Nummern\u00ADliste', { width, height: 400 });
    const painted = paintedLines(layoutLayer(layer, 'de'));
    t.same(painted, ['Nummern-', 'liste'], `${width}`);
  }
  t.end();
});

t.test('a word that an ellipsis cuts has no hyphen', (t) => {
  const text = 'eine Silbentrennung und noch eine Silbentrennung';
  for (let width = 60; width < 300; width += 3) {
    for (const maxLines of [1, 2, 3]) {
      const painted = lines(text, width, { overflow: 'ellipsis', maxLines }, 'de');
      t.notMatch(painted.at(-1), /-…|-$/, `${width} × ${maxLines}`);
    }
  }
  t.end();
});
