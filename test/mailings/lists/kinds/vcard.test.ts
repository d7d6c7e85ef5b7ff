import t from 'tap';
import { readList, refusal, valuesOf } from '../list-files.ts';

const crlf = (text: string): string => text.replaceAll('\n', '\r\n');

/** As Google Contacts and Apple Contacts write it: version 3.0, groups, folded lines, and a photo. */
const apple = crlf(`BEGIN:VCARD
VERSION:3.0
PRODID:-//Apple Inc.//macOS 14.0//EN
N:Müller;Änne;Maria;Dr.;
FN:Dr. Änne Maria Müller
ORG:Müller\\, Söhne & Co.;Vertrieb
TITLE:Leiterin\\; Einkauf
EMAIL;type=INTERNET;type=HOME:anne@home.example
EMAIL;type=INTERNET;type=WORK;type=pref:anne@work.exa
 mple
item1.TEL;type=CELL:+49 30 123456
item1.X-ABLabel:_$!<Mobile>!$_
ADR;type=HOME;type=pref:;;Hauptstraße 5\\nHinterhaus;Köln;NRW;50667;Germany
BDAY;value=date:1990-05-17
PHOTO;ENCODING=b;TYPE=JPEG:${'A'.repeat(70)}
 ${'B'.repeat(70)}
END:VCARD
BEGIN:VCARD
VERSION:3.0
N:;;;;
FN:Zoé
BDAY;X-APPLE-OMIT-YEAR=1604:1604-02-29
END:VCARD
`);

t.test('version 3.0', async (t) => {
  const list = await readList(apple);
  t.same(list.format, { kind: 'vcard', encoding: 'utf-8' });
  t.same(list.columns, [
    'Email',
    'First Name',
    'Last Name',
    'Name',
    'Company',
    'Job Title',
    'Phone',
    'Street',
    'City',
    'Region',
    'Postal Code',
    'Country',
    'Birthday',
  ]);
  t.same(list.rows, [
    {
      row: 1,
      line: 1,
      values: [
        'anne@work.example',
        'Änne',
        'Müller',
        'Dr. Änne Maria Müller',
        'Müller, Söhne & Co.',
        'Leiterin; Einkauf',
        '+49 30 123456',
        'Hauptstraße 5\nHinterhaus',
        'Köln',
        'NRW',
        '50667',
        'Germany',
        '1990-05-17',
      ],
    },
    {
      row: 2,
      line: 18,
      values: ['', '', '', 'Zoé', '', '', '', '', '', '', '', '', '--02-29'],
    },
  ]);
});

t.test('version 2.1, with quoted-printable, character sets and a card inside', async (t) => {
  const text = crlf(`BEGIN:VCARD
VERSION:2.1
N;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:=D0=98=D0=B2=D0=B0=D0=BD=D0=BE=D0=B2=D0=B0;=
=D0=9E=D0=BB=D1=8C=
=D0=B3=D0=B0;;;
EMAIL;INTERNET:o@example.com
EMAIL;PREF;INTERNET:olga@example.com
TEL;CELL;VOICE:+7 495 1
PHOTO;JPEG;ENCODING=BASE64:
 ${'A'.repeat(70)}
 ${'B'.repeat(70)}

AGENT:
BEGIN:VCARD
VERSION:2.1
N:Inner;Agent
EMAIL:agent@example.com
END:VCARD
BDAY:19790305
END:VCARD
BEGIN:VCARD
VERSION:2.1
N;CHARSET=ISO-8859-1;ENCODING=QUOTED-PRINTABLE:Mu=F1oz;Jos=E9
ORG;ENCODING=QUOTED-PRINTABLE:Caf=C3=A9=20=3D;x
TITLE:Head of
  sales
END:VCARD
`);
  const list = await readList(text);
  t.same(list.columns, [
    'Email',
    'First Name',
    'Last Name',
    'Name',
    'Company',
    'Job Title',
    'Phone',
    'Birthday',
  ]);
  t.same(valuesOf(list), [
    ['olga@example.com', 'Ольга', 'Иванова', 'Ольга Иванова', '', '', '+7 495 1', '1979-03-05'],
    ['', 'José', 'Muñoz', 'José Muñoz', 'Café =', 'Head of  sales', '', ''],
  ]);
});

t.test('version 4.0', async (t) => {
  const list = await readList(`BEGIN:VCARD
VERSION:4.0
FN:Simon Perreault
N:Perreault;Simon;;;ing. jr,M.Sc.
EMAIL;PREF=2:second@example.com
EMAIL;TYPE="work,home";PREF=1:first@example.com
TEL;VALUE=uri;TYPE="voice,home";PREF=1:tel:+1-418-656-9254;ext=102
ADR;LABEL="a;b:c":;Suite D2-630;2875 Laurier;Quebec;QC;G1V 2M2;Canada
BDAY:--0203
END:VCARD`);
  t.same(list.columns, [
    'Email',
    'First Name',
    'Last Name',
    'Name',
    'Phone',
    'Street',
    'City',
    'Region',
    'Postal Code',
    'Country',
    'Birthday',
  ]);
  t.same(valuesOf(list), [
    [
      'first@example.com',
      'Simon',
      'Perreault',
      'Simon Perreault',
      '+1-418-656-9254;ext=102',
      '2875 Laurier',
      'Quebec',
      'QC',
      'G1V 2M2',
      'Canada',
      '--02-03',
    ],
  ]);
});

t.test('the encoding of the file holds for values without their own', async (t) => {
  const card = 'BEGIN:VCARD\nVERSION:3.0\nFN:José Muñoz\nEMAIL:j@example.com\nEND:VCARD\n';
  t.same(valuesOf(await readList(Buffer.from(card, 'latin1'), { encoding: 'latin1' })), [
    ['j@example.com', 'José Muñoz'],
  ]);
  for (const bytes of [Buffer.from(`\uFEFF${card}`), Buffer.from(`\uFEFF${card}`, 'utf16le')]) {
    t.same(valuesOf(await readList(bytes)), [['j@example.com', 'José Muñoz']]);
  }
  // Old programs fold after 75 bytes, also inside a letter.
  const names = `FN:Zoé\nN:Éß;Äöü\nEND:VCARD\nBEGIN:VCARD\nFN:${'Ж'.repeat(9)}\nEND:VCARD\n`;
  const folded = Buffer.from(names).toString('latin1').replace('Ã©', 'Ã\n ©');
  const list = await readList(Buffer.from(`BEGIN:VCARD\nVERSION:3.0\n${folded}`, 'latin1'));
  t.same(valuesOf(list), [
    ['Äöü', 'Éß', 'Zoé'],
    ['', '', 'Ж'.repeat(9)],
  ]);
});

t.test('a line that is no property is a problem of its card alone', async (t) => {
  const list = await readList(
    'BEGIN:VCARD\nFN:A\nsome text\nEND:VCARD\nBEGIN:VCARD\nFN:B\nEND:VCARD\n',
  );
  t.same(valuesOf(list), [['B']]);
  t.match(list.problems, [{ row: 1, line: 1, cause: 'not-vcard', message: /^Line 3 of the card/ }]);
});

t.test('a broken file is refused with its line', async (t) => {
  const card = 'BEGIN:VCARD\nFN:A\nEND:VCARD\n';
  const cases: [text: string, message: RegExp][] = [
    [
      `${card}BEGIN:VCARD\nFN:B\n`,
      /card that begins on line 4 does not end at the end of the file/,
    ],
    [`BEGIN:VCARD\nFN:A\n${card}`, /card that begins on line 1 does not end before line 3/],
    [`${card}FN:B\n`, /^Line 4 of the vCard file is outside of a card/],
    ['BEGIN:VCARD\nNOTE:x\nEND:VCARD\n', /has no name, address or number/],
    [
      'BEGIN:VCARD\nFN;CHARSET=x-none:A\nEND:VCARD\n',
      /line 2 names the character set "x-none", which is unknown/,
    ],
    [`BEGIN:VCARD\nFN:${'x'.repeat(300_000)}\nEND:VCARD\n`, /property on line 2 .* 262,144/],
    [`BEGIN:VCARD\nFN:${'x'.repeat(40_000)}\nEND:VCARD\n`, /limit of a cell/],
  ];
  for (const [text, message] of cases) t.match((await refusal(text)).message, message);
});

t.test('a photo may have any length', async (t) => {
  const photo = `PHOTO:data:image/jpeg;base64,${'A'.repeat(1_000_000)}`;
  const folded = `PHOTO;ENCODING=b:${'A'.repeat(70)}\n ${'A'.repeat(600_000)}\n ${'B'.repeat(70)}`;
  for (const line of [photo, folded]) {
    const list = await readList(`BEGIN:VCARD\n${line}\nFN:A\nEND:VCARD\n`);
    t.same(valuesOf(list), [['A']]);
  }
});
