import t from 'tap';
import type { TextLayer } from '#language/schema/text.ts';
import { boundText } from '../../helpers/drawn-order.ts';
import { layoutLayer, paintedLines, paragraphs, textLayer, textStyle } from '../../helpers/text.ts';

const { hyphenate } = await import('../../../workers/text/lines/hyphenation.ts');

/** The text with a hyphen at each position. */
function hyphenated(text: string, lang: string): string {
  const { positions } = hyphenate(text, lang);
  return [0, ...positions].map((from, index) => text.slice(from, positions[index])).join('-');
}

t.test('words are parted as the dictionaries of their languages do', async (t) => {
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

t.test('addresses, digits, soft hyphens, contractions and names stay whole', async (t) => {
  const whole = [
    'https://example.com/typography typography.example typography@example.com @typography',
    '#typography typography2 2typography typo_graphy typography/typography',
    "typo\u00ADgraphy shouldn’t wouldn't",
    'Typography Maximilian',
  ];
  for (const text of whole) t.equal(hyphenated(text, 'en'), text);
  t.equal(hyphenated('TYPOGRAPHY', 'en'), 'TY-POG-RA-PHY', 'capitals alone are no name');
  const names = {
    fr: 'Christophe',
    es: 'Alejandra',
    it: 'Alessandra',
    pt: 'Fernanda',
    ru: 'Александра',
  };
  for (const [lang, name] of Object.entries(names)) {
    t.equal(hyphenated(name, lang), name, lang);
    t.not(hyphenated(name.toLowerCase(), lang), name.toLowerCase(), `${lang}, in small letters`);
  }
  t.equal(hyphenated('Maximilian', 'de'), 'Ma-xi-mi-lian', 'nouns of German');
  t.equal(hyphenated('Tietokone', 'fi'), 'Tie-to-kone');
  t.equal(hyphenated('Computer', 'nl'), 'Com-pu-ter');
  t.equal(hyphenated('“typography”, (typography).', 'en'), '“ty-pog-ra-phy”, (ty-pog-ra-phy).');
});

t.test('languages without patterns and unknown tags part no word', async (t) => {
  for (const lang of ['ja', 'ar', 'th', 'sw', 'xx', 'constructor', '__proto__', '../en-us', '']) {
    t.equal(hyphenated('typography', lang), 'typography', lang);
  }
  t.equal(hyphenated('типография', 'en'), 'типография', 'letters of another alphabet');
});

t.test('words of any length end', async (t) => {
  t.same(hyphenate('typography'.repeat(800), 'en').positions, []);
  t.equal(hyphenate('typography'.repeat(6), 'en').positions.length, 23);
  t.equal(hyphenate('typography '.repeat(700), 'en').positions.length, 2100);
});

t.test('letters shrink until a hyphen fits beside its part', async (t) => {
  for (let width = 70; width < 100; width += 1) {
    const layer = textLayer('Nummern\u00ADliste', { width, height: 400 });
    const painted = paintedLines(layoutLayer(layer, 'de'));
    t.same(painted, ['Nummern-', 'liste'], `${width}`);
  }
});

/** The text of a bound layer with a hyphen at each position where a line may end with one. */
function boundHyphens(rest: Partial<TextLayer>, value: string, lang: string): string {
  const { text = '', spans = [{ text }] } = boundText(rest, [value]);
  const parts = spans.map((span) => ({ text: span.text, style: textStyle() }));
  const [paragraph] = paragraphs.splitParagraphs(parts, lang, { hyphenate: true });
  return (paragraph?.segments ?? [])
    .map(
      ({ start, end, hyphen }) => (paragraph?.text.slice(start, end) ?? '') + (hyphen ? '-' : ''),
    )
    .join('');
}

t.test('a value is not hyphenated in any language, the words beside it are', async (t) => {
  const words = {
    de: ['Sil-ben-tren-nung', 'donaudampfschiff'],
    nl: ['ver-ant-woor-de-lijk', 'computerprogramma'],
    fr: ['or-di-na-teur', 'mademoiselle'],
    en: ['ty-pog-ra-phy', 'algorithms'],
    ta: ['வணக்கம்', 'தமிழ்நாடு'],
  } as const;
  for (const [lang, [parted, value]] of Object.entries(words)) {
    const plain = parted.replaceAll('-', '');
    const bind = (rest: Partial<TextLayer>): string =>
      boundHyphens({ hyphenate: true, ...rest }, value, lang);
    t.equal(bind({ text: `${plain} {{v0}}` }), `${parted} ${value}`, lang);
    t.equal(bind({ text: '{{v0}}' }), value, `${lang}, alone`);
    t.equal(
      bind({ spans: [{ text: `${plain} ` }, { text: '{{v0}}' }] }),
      `${parted} ${value}`,
      lang,
    );
    t.equal(bind({ text: '{{v0 | upper}}' }), value.toLocaleUpperCase(lang), `${lang}, formatted`);
  }
  const soft = boundHyphens({ hyphenate: true, text: '{{v0}}' }, 'algo\u00ADrithms', 'en');
  t.equal(soft, 'algo\u00AD-rithms', 'soft hyphens of the value count');
});
