/** Dates that a program or a country writes in a form that could mean something else. */
import t from 'tap';
import {
  dateProblem,
  parseDateText,
  unambiguousDate,
  writtenOrder,
} from '#language/values/date-value.ts';

/** `2026-11-27T18:30` as written; `= …Z` with the instant of a date with a zone. */
function read(text: string, lang?: string, zone?: string): string | undefined {
  const date = parseDateText(text, lang, zone);
  if (date === undefined) return undefined;
  const written = new Date(date.wallMs).toISOString().slice(0, date.hasTime ? 16 : 10);
  if (!date.hasZone) return written;
  return `${written} = ${new Date(date.instantMs).toISOString().slice(0, 16)}Z`;
}

t.test('the half of a day is never lost', async (t) => {
  const halves: Record<string, readonly string[]> = {
    '18:30':
      '6:30 p. m.|6:30 p.\u00a0m.|6:30 P. M.|6:30 p m|6:30p|6:30 μ.μ.|6:30 م|6:30 CH|6:30 下午|下午6:30|午後6:30|오후 6:30|ÖS 6:30|6:30 nm.|6.30 pm|6:30 ip.|6:30 попл.'.split(
        '|',
      ),
    '00:30':
      '12:30 a. m.|12:30 π.μ.|12:30 ص|上午12:30|午前0:30|오전 12:30|ÖÖ 12:30|12:30 vm.|0:30 AM'.split(
        '|',
      ),
    '12:30': '12:30 p. m.|12:30 μ.μ.|中午12:30|午後0:30|오후 12:30'.split('|'),
  };
  for (const [time, texts] of Object.entries(halves)) {
    for (const text of texts) t.equal(read(`27/11/2026 ${text}`), `2026-11-27T${time}`, text);
  }
  t.equal(read('27 de noviembre de 2026 6:30 p. m.', 'es'), '2026-11-27T18:30');
  t.equal(read('27/11/2026 12:30 SA', 'vi'), '2026-11-27T00:30');
  t.equal(read('27.11.2026 18:30 Sa', 'de'), '2026-11-27T18:30', 'a weekday');
  t.equal(read('27.11.2026 kl. 6:30 em', 'sv'), '2026-11-27T18:30');
  t.equal(read('2026. 11. 27. du. 6:30', 'hu'), '2026-11-27T18:30');
  t.equal(read('2026년 11월 27일 오후 6시 30분', 'ko'), '2026-11-27T18:30');
  t.equal(read('27 نوفمبر 2026 م', 'ar'), '2026-11-27', 'the era, behind a year');
  // A letter alone may be a military zone.
  for (const text of [
    '6:30 P',
    '6:30 A',
    '6.30 P',
    '12:30 SA',
    '6:30 em',
    '13:30 PM',
    '6:30 foo',
  ]) {
    t.equal(read(`27/11/2026 ${text}`), undefined, text);
  }
  for (const text of ['2026-11-27T06:30A', '2026-11-27T18:30P', '6 PM']) {
    t.equal(read(text), undefined, text);
  }
});

t.test('a language reads the times that Intl writes in it', async (t) => {
  const languages =
    'de fr es es-MX it nl da nb sv fi is pl cs sk hu ro bg el ru uk hr sl mk sq lt lv tr he ar fa hi ne si my ms vi af ca gl ja zh zh-Hant ko mn as'.split(
      ' ',
    );
  for (const lang of languages) {
    for (const hour of [0, 6, 12, 18]) {
      const wallMs = Date.UTC(2026, 10, 27, hour, 30);
      const options = {
        hour: 'numeric',
        minute: '2-digit',
        hourCycle: 'h12',
        timeZone: 'UTC',
      } as const;
      const time = new Intl.DateTimeFormat(lang, options).format(wallMs);
      const text = `2026-11-27 ${time}`;
      t.equal(parseDateText(text, lang)?.wallMs, wallMs, `${text} in ${lang}`);
    }
  }
});

t.test('digits alone have one meaning, or are refused', async (t) => {
  const meanings: Record<string, string | undefined> = {
    '20261127': '2026-11-27',
    '27112026': undefined,
    '1795804200': '2026-11-27T18:30 = 2026-11-27T18:30Z',
    // Unix time of 2034, and 18:00 of a day.
    '2026112718': undefined,
    '2026113118': '2034-03-16T09:11 = 2034-03-16T09:11Z',
    '202611271830': undefined,
    '202611311830': '1976-06-03T00:55 = 1976-06-03T00:55Z',
    '1795804200000': '2026-11-27T18:30 = 2026-11-27T18:30Z',
    '20261127183000': '2026-11-27T18:30',
    '20261127183000123': '2026-11-27T18:30',
    '20261127T1830': '2026-11-27T18:30',
  };
  for (const [text, meaning] of Object.entries(meanings)) t.equal(read(text), meaning, text);
  t.match(dateProblem('202611271830'), /two readings, a date with a time and Unix time/);
});

t.test('a language decides between day and month only if it has an order', async (t) => {
  const first = (lang: string): string | undefined => read('03/04/2026', lang)?.slice(5);
  const dayFirst = 'de fr sv lt af eu fr-CA en-ZA en-SE en-GB en-IN en-AU es-MX zh-HK sv-FI'.split(
    ' ',
  );
  for (const lang of dayFirst) t.equal(first(lang), '04-03', lang);
  for (const lang of 'en en-US en-PH fil es-PR'.split(' ')) t.equal(first(lang), '03-04', lang);
  for (const lang of 'en-CA hu zh zh-TW ja ko mn fa ne si'.split(' ')) {
    t.equal(first(lang), undefined, lang);
    t.equal(read('03-04-2026', lang), undefined, lang);
    t.equal(read('27/11/2026', lang)?.slice(5), '11-27', lang);
  }
  t.match(dateProblem('03/04/2026'), /two readings, with the day or the month first/);
});

t.test('a date in digits proves an order, or none', async (t) => {
  const orders: Record<string, string | undefined> = {
    '27/11/2026': 'day',
    '11/27/2026 18:30': 'month',
    '03/04/2026': 'either',
    '٠٣/٠٤/٢٠٢٦': 'either',
    'Fri, 03-04-2026': 'either',
    '04/04/2026': undefined,
    '31/04/2026': undefined,
    '27.11.2026': undefined,
    '2026-03-04': undefined,
    'a/b': undefined,
  };
  for (const [text, order] of Object.entries(orders)) t.equal(writtenOrder(text), order, text);
  t.equal(unambiguousDate('3/4/2026 18:30', 'day'), '2026-04-03 18:30');
  t.equal(unambiguousDate('٠٣/٠٤/٢٠٢٦', 'month'), '2026-03-04');
});

t.test('a name of several zones needs the zone of the template', async (t) => {
  const inZone = (name: string, zone?: string, month = 'Nov'): string | undefined =>
    read(`27 ${month} 2026 18:30 ${name}`, 'en', zone)?.split(' = ')[1];
  for (const name of ['CST', 'PST', 'IST', 'BST', 'AST', 'CDT']) {
    t.equal(inZone(name), undefined, name);
    t.equal(inZone(name, 'Europe/Berlin'), undefined, `${name} in Berlin`);
  }
  t.equal(inZone('CST', 'Asia/Shanghai'), '2026-11-27T10:30Z');
  t.equal(inZone('CST', 'America/Chicago'), '2026-11-28T00:30Z');
  t.equal(inZone('CST', 'America/Havana', 'Feb'), '2026-02-27T23:30Z');
  t.equal(inZone('CST', 'America/Chicago', 'Jul'), undefined, 'summer time');
  t.equal(inZone('PST', 'Asia/Manila'), '2026-11-27T10:30Z');
  t.equal(inZone('IST', 'Asia/Kolkata'), '2026-11-27T13:00Z');
  t.equal(inZone('IST', 'Asia/Jerusalem'), '2026-11-27T16:30Z');
  t.equal(inZone('BST', 'Europe/London', 'Jul'), '2026-07-27T17:30Z');
  t.equal(inZone('BST', 'Europe/London'), undefined, 'winter time');
  for (const name of ['EST', 'PDT', 'CET', 'JST', 'AEST', 'MSK']) t.ok(inZone(name), name);
  t.equal(
    read('Fri Nov 27 18:30:00 CST 2026', 'en', 'Asia/Shanghai'),
    '2026-11-27T18:30 = 2026-11-27T10:30Z',
  );
  t.match(dateProblem('Fri Nov 27 18:30:00 CST 2026'), /zone CST, a name of several zones/);
});

t.test('no date of .NET and MySQL is no date', async (t) => {
  for (const text of [
    '0001-01-01T00:00:00',
    '0001-01-01',
    '1/1/0001 12:00:00 AM',
    '0000-00-00 00:00:00',
  ]) {
    t.equal(read(text, 'en'), undefined, text);
  }
});
