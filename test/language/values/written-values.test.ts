/** What formats write for people: amounts with all decimals, one kind of digits, and distances with a direction. */
import t from 'tap';
import { alternativeText } from '#language/bind/alternative-text.ts';
import { bindText } from '#language/bind/bindings.ts';
import { withoutIsolates } from '#language/bind/isolation.ts';
import { resolveLayers } from '#language/bind/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { canonicalLanguage } from '#language/values/intl.ts';
import { decimalSign } from '#language/values/decimal-signs.ts';
import { amountDecimals, currencyCodes } from '#language/values/currencies.ts';

/** Monday, 23 November 2026, 09:00 UTC. */
const timeMs = Date.UTC(2026, 10, 23, 9);

/** What `{{v | formats}}` draws, with spaces of any width as plain ones. */
function format(formats: string, value: string, lang = 'en'): string {
  const context = { lang, documentLang: lang, timeMs, problems: [] };
  const text = bindText(`{{v | ${formats}}}`, new Map([['v', value]]), context);
  return text.replaceAll(/[\u00A0\u202F]/g, ' ');
}

t.test('an amount keeps the decimals that it has', async (t) => {
  const amounts: [currency: string, value: string, written: string][] = [
    ['HUF', '1300', 'HUF 1,300'],
    ['HUF', '1300.00', 'HUF 1,300'],
    ['HUF', '1299.5', 'HUF 1,299.50'],
    ['HUF', '12.5', 'HUF 12.50'],
    ['IDR', '1299.5', 'IDR 1,299.50'],
    ['PKR', '0.4', 'PKR 0.40'],
    ['COP', '-1299.05', '-COP 1,299.05'],
    ['JPY', '1299', '¥1,299'],
    ['JPY', '1299.5', '¥1,299.50'],
    ['RSD', '1299', 'RSD 1,299.00'],
    ['EUR', '1299', '€1,299.00'],
    ['EUR', '1299.500', '€1,299.50'],
    ['USD', '0.0035', '$0.0035'],
    ['eur', '-0.001', '-€0.001'],
    ['KWD', '1.5', 'KWD 1.500'],
    ['KWD', '1.23456', 'KWD 1.23456'],
    ['CLF', '1.5', 'CLF 1.5000'],
    ['UYI', '7', 'UYI 7'],
    ['EUR', '.5', '€0.50'],
    ['EUR', '5.', '€5.00'],
    ['EUR,0', '1299.5', '€1,300'],
    ['HUF,2', '1300', 'HUF 1,300.00'],
  ];
  for (const [currency, value, written] of amounts)
    t.equal(format(`currency:${currency}`, value), written, `${currency} ${value}`);
  const sum = ['12.5', '12.5', '25'].map((value) => format('currency:HUF', value, 'hu'));
  t.same(sum, ['12,50 Ft', '12,50 Ft', '25 Ft']);
});

t.test('the table of currencies has those of this Node, with their decimals', async (t) => {
  const differing = Intl.supportedValuesOf('currency').filter((currency) => {
    const formatter = new Intl.NumberFormat('en', { style: 'currency', currency });
    const { maximumFractionDigits } = formatter.resolvedOptions();
    return !currencyCodes.has(currency) || amountDecimals(currency, '0') !== maximumFractionDigits;
  });
  t.same(differing, []);
});

t.test('a countdown has one kind of digits', async (t) => {
  const digits: Record<string, string> = {
    en: '0123456789',
    ar: '0123456789',
    'ar-SA': '٠١٢٣٤٥٦٧٨٩',
    'ar-EG': '٠١٢٣٤٥٦٧٨٩',
    fa: '۰۱۲۳۴۵۶۷۸۹',
    bn: '০১২৩৪৫৬৭৮৯',
    mr: '०१२३४५६७८९',
    my: '၀၁၂၃၄၅၆၇၈၉',
    ne: '०१२३४५६७८९',
    hi: '0123456789',
    'hi-u-nu-deva': '०१२३४५६७८९',
    'fa-u-nu-latn': '0123456789',
  };
  for (const [lang, all] of Object.entries(digits)) {
    const of = (text: string): string =>
      text.replaceAll(/\d/g, (digit) => all[Number(digit)] ?? '');
    t.equal(format('pad', '7', lang), of('07'), lang);
    t.equal(format('pad:4', '123', lang), of('0123'), lang);
    t.equal(format('number', '5', lang), of('5'), lang);
    t.equal(format('plural:other,#', '6', lang), of('6'), lang);
    t.match(format('time:24', '2026-11-27T12:05', lang), of('05'), lang);
    const text = '{{countdown.days}} {{countdown.hours | pad}} {{countdown.totalSeconds}}';
    const layers = [
      { id: 'a', type: 'text' as const, x: 0, y: 0, width: 100, height: 50, text },
      {
        id: 'b',
        type: 'qr' as const,
        x: 0,
        y: 0,
        width: 50,
        height: 50,
        value: '{{countdown.days}}',
      },
    ];
    const clock = { until: '2026-11-26T14:00:00Z' };
    const template = {
      format: 1,
      name: 't',
      width: 100,
      height: 100,
      lang,
      variables: [],
      layers,
      clock,
      alt: '{{countdown.days}}',
    } as unknown as Template;
    const locale = { timeMs };
    const [drawn, code] = resolveLayers(template, new Map(), locale).layers;
    const shown = drawn?.type === 'text' ? withoutIsolates(drawn.text ?? '') : undefined;
    t.equal(shown, of('3 05 277200'), lang);
    t.match(code, { value: '3' }, 'codes have the digits that scanners read');
    t.equal(withoutIsolates(alternativeText(template, new Map(), locale)), of('3'));
  }
});

t.test('a format reads a text in the language of the template', async (t) => {
  const bound = (lang: string | undefined, variables: object[], text: string, value: string) => {
    const box = { x: 0, y: 0, width: 90, height: 90 };
    const layers = [{ ...box, id: 'a', type: 'text', text, fontSize: 20 }];
    const template = { width: 90, height: 90, variables, layers, lang } as unknown as Template;
    const [layer] = resolveLayers(template, new Map([['v', value]]), { lang: 'en' }).layers;
    return layer?.type === 'text' ? withoutIsolates(layer.text ?? '') : undefined;
  };
  const text = [{ name: 'v', type: 'text', value: '' }];
  const price = '{{v | currency:EUR}}';
  t.equal(bound('de', text, price, '1.234'), '€1,234.00');
  t.equal(bound('de', text, price, '1,234'), '€1.234');
  t.equal(bound('de', text, '{{v | plural:one,# item,other,# items}}', '1.234'), '1,234 items');
  t.equal(bound('de', text, '{{v | percent}}', '1,234'), '123.4%');
  t.equal(bound('en', text, price, '1,234'), '€1,234.00');
  t.equal(bound(undefined, text, price, '1.234'), '€1.234');
  t.equal(bound('de', text, '{{v | upper}}', '1.234'), '1.234', 'a text stays one');
  t.equal(bound('de', text, '{{v | default:x | number}}', '1.234'), '1,234');
  const number = [{ name: 'v', type: 'number', value: '1' }];
  t.equal(bound('de', number, price, '1.234'), '€1.234', 'a number has a point already');
  const cell = [{ ...text[0], from: 't.{{v}}.c' }];
  t.equal(bound('de', cell, price, '1.234'), '€1.234', 'programs fill tables');
});

const hasCldr48 = process.versions['cldr']?.startsWith('48.') === true;

t.test('the table of decimal signs is that of the CLDR', { skip: !hasCldr48 }, async (t) => {
  const letters = Array.from('abcdefghijklmnopqrstuvwxyz');
  const pairs = letters.flatMap((first) => letters.map((second) => first + second));
  const triples = pairs.flatMap((pair) => letters.map((third) => pair + third));
  const codes = [...pairs, ...triples].filter((code) => canonicalLanguage(code) === code);
  const languages = Intl.NumberFormat.supportedLocalesOf(codes);
  const regions = [...pairs.map((pair) => pair.toUpperCase()), '001', '150', '419'];
  const wrong = languages
    .flatMap((code) => [code, ...regions.map((region) => `${code}-${region}`)])
    .filter((lang) => {
      const parts = new Intl.NumberFormat(lang, { numberingSystem: 'latn' }).formatToParts(0.5);
      return parts.find(({ type }) => type === 'decimal')?.value !== decimalSign(lang);
    });
  t.same(wrong, []);
  t.ok(languages.length > 200);
  t.equal(decimalSign('xx'), '.', 'an unknown language does not depend on the machine');
});

t.test('a distance tells past from future in every language', async (t) => {
  const at = (shift: number, unit: number): string => new Date(timeMs + shift * unit).toISOString();
  const [second, minute, hour, day] = [1000, 60_000, 3_600_000, 86_400_000];
  t.same(
    [-2, -1, 0, 1, 2].map((days) => format('relative', at(days, day), 'hi')),
    ['2 दिन पहले', '1 दिन पहले', 'आज', '1 दिन में', '2 दिन में'],
  );
  t.equal(format('relative', at(1, day), 'rw'), '+1 d');
  t.equal(format('relative', at(1, day), 'de'), 'morgen');
  // The Unicode CLDR has one text for both directions: the date stands.
  t.match(format('relative', at(3, day), 'mai'), /2026/);
  for (const unit of ['hour', 'minute']) {
    const written = (shift: number, of: number, lang = 'en'): string =>
      format(`relative:${unit}`, at(shift, of), lang);
    t.same(
      [-90, -59, -30, -1].map((minutes) => written(minutes, minute)),
      ['1 hour ago', '59 minutes ago', '30 minutes ago', '1 minute ago'],
    );
    t.same(
      [1, 30, 59, 90].map((minutes) => written(minutes, minute)),
      ['in 1 minute', 'in 30 minutes', 'in 59 minutes', 'in 1 hour'],
    );
    t.same(
      [-20, 0, 20].map((seconds) => written(seconds, second)),
      ['1 minute ago', 'now', 'in 1 minute'],
    );
    t.equal(written(-30, minute, 'nl'), '30 minuten geleden');
    t.equal(written(-30, minute, 'ja'), '30 分前');
  }
  const languages =
    'af am ar bn cs da de el en es et fa fi fr gu he hi hr hu id it ja kn ko lt lv mai ml mr ms my nb ne nl pa pl pt ro ru rw si sk sl sr sv sw ta te th ti tr uk ur vi zh zu';
  for (const lang of languages.split(' '))
    for (const [unit, argument] of [
      [second, ':minute'],
      [minute, ':hour'],
      [hour, ':hour'],
      [day, ''],
    ] as const) {
      const texts = [-3, -2, -1, 1, 2, 3].map((shift) =>
        format(`relative${argument}`, at(20 * shift, unit / 20), lang),
      );
      for (const [index, text] of texts.slice(0, 3).entries())
        t.not(text, texts.at(-1 - index), `${lang} ${unit} ${text}`);
    }
});
