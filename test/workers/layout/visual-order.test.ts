/** The order of letters against the record of Chromium: `npm run chromium:record` renews it. */
import t from 'tap';
import record from '../../fixtures/chromium/orders.json' with { type: 'json' };
import { layoutText, textScene } from '../../helpers/text.ts';

import { mixedSentences, toTemplate } from '../../fixtures/chromium/mixed-sentences.ts';
import { boundText, drawnOrder, drawnRuns } from '../../helpers/drawn-order.ts';

t.test('letters stand in the order of Chromium with each value in a bdi', async (t) => {
  t.same(
    record.records.map(({ lang, text }) => ({ lang, text })),
    mixedSentences,
    'the record has all sentences',
  );
  for (const { lang, text, order } of record.records) {
    const { text: template, values } = toTemplate({ lang, text });
    t.equal(drawnOrder({ text: template }, values, lang), order, `${lang}: ${text}`);
  }
});

t.test('a paragraph reads as the words of its template, else as its values', async (t) => {
  const isAtLeft = (text: string, ...values: string[]): boolean =>
    (drawnRuns({ text }, values)[0]?.x ?? 0) < 1;
  t.ok(isAtLeft('{{v0}}, 20% off today', 'محمد'));
  t.notOk(isAtLeft('{{v0}}، خصم 20%', 'David'));
  t.notOk(isAtLeft('{{v0}} 20%', 'محمد'), 'without words, as the value');
  t.ok(isAtLeft('{{v0}} 20% {{v1}}', 'David', 'محمد'), 'as the first value');
  t.notOk(isAtLeft('{{v0}} {{v1}}', '20', 'محمد'), 'as the first value with a letter');
  t.ok(isAtLeft('20% {{v0}}', '30'));
});

t.test(
  'a value is isolated in spans, alternatives, lines and a direction set by hand',
  async (t) => {
    const name = 'דוד';
    const expected = 'Helloדוד,3nights';
    const spans = [{ text: 'Hello ' }, { text: '{{v0}}', fontWeight: 700 }, { text: ', 3 nights' }];
    t.equal(drawnOrder({ text: 'Hello {{v0}}, 3 nights' }, [name]), expected);
    t.equal(drawnOrder({ spans }, [name]), expected);
    const alternatives = ['Hello {{v0}}, 3 nights'];
    const long = { text: `${'long '.repeat(200)}{{v0}}`, wrap: false, alternatives };
    t.equal(drawnOrder(long, [name]), expected, 'an alternative');
    const rtl = { direction: 'rtl' } as const;
    t.equal(drawnOrder({ text: '{{v0}}', ...rtl }, ['John (VIP)!']), 'John(VIP)!');
    t.equal(drawnOrder({ text: '{{v0}}: {{v1}}', ...rtl }, ['Tom & Co.', '$5']), '$5:Tom&Co.');
    const ltr = { direction: 'ltr' } as const;
    t.equal(drawnOrder({ text: '{{v0}}: {{v1}}', ...ltr }, ['דוד!', '5']), '!דוד:5');
    t.equal(
      drawnOrder({ text: '{{v0}} is 3' }, ['דוד!\nאבג!']),
      '!דוד!גבאis3',
      'each line of a value',
    );
  },
);

t.test(
  'numbers and signs that touch stand as one number, as in a text without values',
  async (t) => {
    const order = (text: string, values: string[], lang = 'he'): string =>
      drawnOrder({ text }, values, lang);
    t.equal(order('נגמר בעוד {{v0}}:{{v1}}:{{v2}}', ['12', '06', '56']), '12:06:56דועברמגנ');
    t.equal(order('הנחה {{v0}}% היום', ['20']), 'םויה20%החנה');
    const touching: [text: string, values: string[]][] = [
      ['שעה {{v0}}:{{v1}}', ['20', '45']],
      ['{{v0}}{{v1}}% הנחה', ['2', '0']],
      ['רק ₪{{v0}}, היום', ['49.90']],
      ['מספר #{{v0}}', ['7']],
      ['טל {{v0}}-{{v1}}', ['054', '1234567']],
      ['{{v0}}/{{v1}}/2026', ['27', '11']],
      ['الوقت {{v0}}:{{v1}}', ['12', '30']],
      ['ساعت {{v0}}:{{v1}}', ['۱۲', '۳۰']],
      ['خصم {{v0}}٪', ['٢٠']],
    ];
    for (const [text, values] of touching) {
      const written = text.replaceAll(
        /\{\{v(\d)\}\}/g,
        (_, at: string) => values[Number(at)] ?? '',
      );
      t.equal(order(text, values), order(written, []), written);
      const spans = text.split(/(?<=\}\})|(?=\{\{)/).map((each) => ({ text: each }));
      t.equal(drawnOrder({ spans }, values, 'he'), order(written, []), `${written} in spans`);
    }
  },
);

t.test('a sign that ends a sentence or stands apart is no part of a number', async (t) => {
  for (const text of ['מחיר:{{v0}}.', 'מחיר: {{v0}}, היום', 'שורה {{v0}} - {{v1}}']) {
    const values = ['+7', '9'];
    t.ok(boundText({ text }, values).text?.includes('\u2068+7\u2069'), text);
  }
});

t.test('marks of a value end with it', async (t) => {
  const order = (value: string): string => drawnOrder({ text: 'a {{v0}} bc, 1 2' }, [value]);
  for (const mark of ['\u202E', '\u202B', '\u202D', '\u2067', '\u2066', '\u2068', '\u2067\u202E']) {
    const drawn = order(`${mark}xyz`);
    t.ok(drawn.endsWith('bc,12') && drawn.startsWith('a'), JSON.stringify([mark, drawn]));
  }
  for (const end of ['\u2069', '\u2069\u2069\u202E', '\u202C\u202C', '\u2069\u2067'])
    t.match(order(`אב${end}`), /^a.*בא.*bc,12$/, JSON.stringify(end));
  t.equal(order('אב \u2068xy!\u2069 ג'), 'aגxy!באbc,12', 'its own isolates have their effect');
  t.equal(order('\u2067'.repeat(900) + 'אב' + '\u2069'.repeat(900)), 'aבאbc,12');
});

t.test('isolates are in no text of a report, take no width and count in no limit', async (t) => {
  const text = 'Hello {{v0}}!';
  const [layer, bare] = [boundText({ text }, ['דוד']), boundText({ text: 'Hello דוד!' }, [])];
  const box = { x: 0, y: 0, width: 3000, height: 100 };
  const [isolated, plain] = [layer, bare].map((each) => layoutText(each, box, textScene()));
  t.same(isolated?.lineTexts, ['Hello דוד!']);
  t.equal(isolated?.text, 'Hello דוד!');
  t.same(isolated?.content, plain?.content, 'drawn as the same text without a value');
  const long = boundText({ text: `{{v0}}${'x'.repeat(500)}` }, ['א'.repeat(2000)]);
  t.same(
    layoutText(long, box, textScene()).warnings.map(({ code }) => code),
    [],
  );
});

t.test('text that reads left to right has no isolates', async (t) => {
  t.equal(boundText({ text: 'Hello {{v0}}!' }, ['Zoë (VIP)']).text, 'Hello Zoë (VIP)!');
});
