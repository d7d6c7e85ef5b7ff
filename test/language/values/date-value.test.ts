import * as fc from 'fast-check';
import t from 'tap';
import { parseDateText } from '#language/values/date-value.ts';
import { anyCodePoint } from '../../helpers/code-points.ts';

/** `2026-11-27T18:30:00` as written, and the moment in UTC. */
function read(text: string, lang?: string): string | undefined {
  const date = parseDateText(text, lang);
  if (date === undefined) return undefined;
  const wall = new Date(date.wallMs).toISOString().slice(0, date.hasTime ? 19 : 10);
  const instant = new Date(date.instantMs).toISOString().slice(0, 19);
  return instant.startsWith(wall) ? wall : `${wall} = ${instant}Z`;
}

t.test('dates are read as email services write them', async (t) => {
  const day = '2026-11-27';
  const evening = '2026-11-27T18:30:00';
  const expected: Record<string, string> = {
    '2026-11-27': day,
    '2026/11/27': day,
    '20261127': day,
    '2026-11-27T00:00Z': '2026-11-27T00:00:00',
    '2026-11-27T18:30': evening,
    '2026-11-27 18:30:00': evening,
    '2026-11-27T18:30:00.123456Z': evening,
    '20261127T183000Z': evening,
    '2026-11-27T18:30:00+01:00': `${evening} = 2026-11-27T17:30:00Z`,
    '2026-11-27T18:30:00 01:00': `${evening} = 2026-11-27T17:30:00Z`,
    '2026-11-27T18:30-0500': `${evening} = 2026-11-27T23:30:00Z`,
    'Fri, 27 Nov 2026 18:30:00 +0100': `${evening} = 2026-11-27T17:30:00Z`,
    'Fri, 27 Nov 2026 18:30:00 GMT': evening,
    '27 Nov 2026 18:30 EST': `${evening} = 2026-11-27T23:30:00Z`,
    '27-Nov-2026': day,
    'November 27, 2026': day,
    'Friday, November 27th, 2026': day,
    'Nov 27 2026 6:30 PM': evening,
    'Nov 27 2026 12:30 AM': '2026-11-27T00:30:00',
    'Nov 27 2026 12:30 PM': '2026-11-27T12:30:00',
    'Fri Nov 27 2026 18:30:00 GMT+0100 (Central European Standard Time)': `${evening} = 2026-11-27T17:30:00Z`,
    'Fri Nov 27 18:30:00 2026': evening,
    'Fri Nov 27 18:30:00 UTC 2026': evening,
    'Fri Nov 27 18:30:00 CET 2026': `${evening} = 2026-11-27T17:30:00Z`,
    'Sun Jul  5 18:30:00 CEST 2026': '2026-07-05T18:30:00 = 2026-07-05T16:30:00Z',
    '27th November 2026': day,
    '2026.11.27': day,
    '1795804200': evening,
    '1795804200000': evening,
    '27.11.2026': day,
    '27.11.2026, 18:30': evening,
    '27/11/2026': day,
    '11/27/2026': day,
    '05/05/2026': '2026-05-05',
  };
  for (const [text, date] of Object.entries(expected)) t.equal(read(text), date, text);
});

t.test('day and month in digits follow the language where both are possible', async (t) => {
  t.equal(read('03/04/2026'), undefined);
  for (const [lang, date] of Object.entries({
    en: '2026-03-04',
    'en-US': '2026-03-04',
    'en-GB': '2026-04-03',
    de: '2026-04-03',
    fr: '2026-04-03',
    'not a tag': '2026-03-04',
  })) {
    t.equal(read('03/04/2026', lang), date, lang);
  }
});

t.test('a language that begins with the year does not say how a date ends', async (t) => {
  for (const lang of ['ja', 'zh', 'hu', 'ko', 'fa', 'en-CA']) {
    t.equal(read('03/04/2026', lang), undefined, lang);
    t.equal(read('27/04/2026', lang), '2026-04-27', lang);
  }
});

t.test('a day of a week and of a year is that of ISO 8601', async (t) => {
  for (const [text, date] of [
    ['2027-W05-1', '2027-02-01'],
    ['2026-W53-7', '2027-01-03'],
    ['2027-W01-1', '2027-01-04'],
    ['2025-W01-1', '2024-12-30'],
    ['2027-032', '2027-02-01'],
    ['2028-366', '2028-12-31'],
  ] as const) {
    t.equal(read(text), date, text);
  }
  t.equal(parseDateText('2027-W05-1T18:30Z')?.instantMs, Date.UTC(2027, 1, 1, 18, 30));
});

t.test('a text that is not a date has no value', async (t) => {
  const texts = [
    '',
    'tomorrow',
    '2026-02-30',
    '2026-13-01',
    '2026-11-27T25:00',
    '2026-11-27T10:61',
    '2026-11-27 13:00 pm',
    '27 Foo 2026',
    '27 Novel 2026',
    '2027-W00-1',
    '2027-W53-1',
    '2027-W05-8',
    '2027-W05',
    '2027-366',
    '2027-000',
    '5.4.2027 18.60',
    '5.4.2027 18.30:15',
    '11.27.2026',
    '27/11/26',
    '12',
    '2026-11-27T10:00+99:00',
    `2026-11-27${' '.repeat(100)}`,
  ];
  for (const text of texts) t.equal(read(text, 'en'), undefined, text);
});

t.test('a moment is read from what JavaScript writes of it', async () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true }), (date) => {
      const seconds = Math.floor(date.getTime() / 1000) * 1000;
      return [date.toISOString(), date.toUTCString(), date.toString()].every(
        (text) => parseDateText(text)?.instantMs === seconds,
      );
    }),
  );
});

t.test('no text throws', async () => {
  const digits = fc.string({ unit: fc.constantFrom(...Array.from('0123456789-/.:, TZ+NovpmAM')) });
  fc.assert(
    fc.property(fc.oneof(digits, fc.string({ unit: anyCodePoint })), fc.string(), (text, lang) => {
      const date = parseDateText(text, lang);
      return date === undefined || Number.isFinite(date.instantMs + date.wallMs);
    }),
  );
});
