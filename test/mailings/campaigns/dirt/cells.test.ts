/** What counts as dirt in a cell, and what looks like it and is meant. */
import * as fc from 'fast-check';
import t from 'tap';
import { anyCodePoint } from '../../../helpers/code-points.ts';
import { extent } from '../../../helpers/extent.ts';
import { codeOf, findDirt } from './looked-cells.ts';

/** Cells by the column in which they stand, separated by ` · `. */
type Cells = Readonly<Record<string, string>>;

function check(code: string | undefined, cells: Cells): void {
  t.test(code ?? 'clean', (t) => {
    for (const [column, row] of Object.entries(cells)) {
      for (const cell of row.split(' · ')) {
        t.equal(codeOf(column, cell), code, `${column}: ${JSON.stringify(cell)}`);
      }
    }
    t.end();
  });
}

check(undefined, {
  note: 'Really? · What? Yes · Why?Because · 2 for 1? · https://x.example/?a=b · www.x.example?y · ¿Qué tal? · R&D · Q&A · 50% off, 20% back · a = b · =) · =D · :-) · C:\\new\\texts · \\\\server\\new · 1.5E · E+5 · Hi <3 · a < b > c · @anna · #sale · ##5 · +49 30 123456 · +1 (555) 010-0199 · Line\nbreak · «Été» · CAFÉ™ · «CAFÉ» · IRMÃ® · 5° · £5 · 1.299,00 · test drive · 100% · \u2068Anna\u2069 · 👩\u200D🚀 · 🏴\u{E0067}\u{E0062}\u{E0065}\u{E006E}\u{E0067}\u{E007F} · نامه\u200Cای · क्\u200Dष · שלום\u200F! · Rock ’n’ Roll · 你好？',
  first_name:
    'Ângela · Ana-María · Jean-Luc · J.-P. · MJ · TJ · RIS · O’Neil · D’Arcy · Nil · Na · Mai Linh · Đặng · Łukasz · Õnne · Þór · Ægir · ნინო · Նարեկ · 美咲 · Anna M. · Zoë · Max 2 · Ye · Nan',
  last_name:
    'Herr · Guest · Friend · Kunde · Gast · Bay · Pan · de Sá · Null · Test · None · van der Berg · de la Cruz · von Ahn · McDonald · DeVito · ffrench-Davis · O’Brien · d’Ornano · al-Rashid · IV · Yılmaz · Nguyễn',
  name: 'Acme GmbH · ACME GMBH · ACME LTD · Müller, Inc. · Acme AG · 株式会社アクメ · Müller & Söhne KG · Mr Anna Meyer · Martin Luther King, Jr. · Anna Meyer, PhD · Acme, Inc. · Amanda 12 · ANA · Prof. Dr. Anna Meyer',
  city: 'SÃO PAULO · ÅLESUND · ’s-Hertogenbosch · Y · Å · Saint-Étienne · DÜSSELDORF · Leer',
  zip: '01067 · SW1A 1AA · 1010 · 100-0001',
});
check('LOST_LETTERS', {
  first_name: '?????? · ?? · ?ukasz · Jos?-Mar?a · ??? ???? · Andr?e · Ren?e',
  last_name: 'Y?lmaz · Dvo?ák · M?ller · O?Brien · ?elik',
  note: 'Josï¿½ · M?nchen · ?que tal? · ????',
});
check('GARBLED_LETTERS', {
  first_name:
    'JosÃ© · BjÃ¶rn · ÐŸÑ‘Ñ‚Ñ€ · РџС‘С‚СЂ · KovГЎcs · ZoÃ« · MÉ™mmÉ™d · å±±ç”° · Jos√© · Jos‚e · LÃƒÂ©a · Nguyá»…n',
  note: 'itâ€™s here · 5Â° Â£5 · Donâ€™t · JOSÃ‰',
  city: 'MÃ¼nchen · SÃ£o Paulo · Malm”o · JosŽ',
});
check('ESCAPE_LEFT', {
  first_name: 'Jos=E9 · Fran=E7ois',
  note: String.raw`Jos=E9 · Jos\u00e9 · caf\xe9 · Two\nlines · Two\r\nlines · O\'Brien · 5\" · a&nbsp · Caf&eacute · =C3=B3 · =?UTF-8?Q?a?= · <br> · <b>Hi</b> · O&amp;#39;Brien`,
});
check('FORMULA_LEFT', {
  note: `=A1 · =B2&C2 · =$A$1 · =Sheet1!A1 · ='My sheet'!B2 · =CONCATENATE(A1;B1) · =WENN(A1;1;2) · =ЕСЛИ(A1;1;2) · +A1 · @SUM(A1:A2) · '00123 · '+49 170 1234567 · '0170/123456 · '=A1 · Err:502 · Fehler:508 · #ÜBERLAUF! · #KALK! · #NV · #ССЫЛКА! · ##### · = IF(A1,1,2)`,
});
check('SCIENTIFIC_NUMBER', { note: '1.23E+11 · 4,01E+12 · 1E+10 · -1.5e+06' });
check('SUSPECT_WORD', {
  first_name:
    'N/A · n/a · - · -- · – · test · TEST · Test · null · NULL · None · undefined · (blank) · unknown · TBD · k.A. · K.A. · n.v. · sin dato · нет · Нет · 無し · 暂无 · 없음 · [object Object] · NaN · xxx',
  last_name: 'null · test · NULL · TEST · unknown',
  note: '0000-00-00 · keine Angabe · Non renseigné · غير معروف',
});
check('NOT_A_NAME', {
  first_name:
    'Mr · mr. · HERR · Frau · Frau Dr. · Prof. Dr. · Señora · Guest · GUEST · Customer · Array · TRUE · false · FNAME · DO NOT MAIL · do not contact · Kunde · お客様 · Acme GmbH · ACME LTD · {"first":"Anna"} · ["Anna"] · ann@example.com · https://example.com · www.example.com · example.com · 12345 · +49 170 123 · anna1984 · user_12',
  name: 'ann@example.com · 0170 / 123 · Mr · Mr & Mrs · Herr Dr. · Guest · Valued Customer · Array',
  last_name:
    'Mr · Mrs. · Frau · Acme GmbH · Acme Widgets Ltd. · Müller AG · ООО Ромашка · {"name":"Anna"}',
});
check('NAME_CASE', {
  first_name: 'ANNA · JEAN-LUC · ANN LEE · anna · jean-luc · ЕЛЕНА · ΜΑΡΙΑ · élodie',
  last_name: 'MÜLLER · meyer · O’NEILL',
  name: 'ANNA MEYER · anna meyer',
});
check('NAME_ORDER', {
  name: 'Meyer, Anna · O’Neill, Jean-Luc · Müller-Lüdenscheidt, Anna',
  first_name: 'Meyer, Anna',
});
check('HIDDEN_CHARACTER', {
  first_name:
    'An\u200Bna · \uFEFFAnna · An\u00ADna · Anna\u00A0 · \u00A0Anna · Anna\u0007 · \u202EAnna · Anna\u2066 · \u2069Anna · Anna\u200E · An\u200Dna · Anna\u{E0041} · Anna\u3164 · An\u2060na',
  photo: 'https://example.com/\u200Ba.png',
});
check('BAD_ADDRESS', {
  photo: String.raw`www.example.com/a.png · example.com/a.png · a.png · C:\a.png · \\server\a.png · file:///a.png · /Volumes/a/a.png · ~/a.png · IMG 123.JPG · https://photos.google.com/share/x · photo`,
});
check(undefined, {
  photo:
    'https://example.com/a.png · http://x.example/a · //cdn.example.com/a.png · data:image/png;base64,AA== · https://drive.google.com/file/d/1/view · https://www.dropbox.com/s/1/a.png?dl=0',
});

t.test('addresses of emails are judged as email services take them', (t) => {
  const ofEmail = (cell: string): string | undefined =>
    findDirt(['email'], [[cell]]).rows[0]?.[0]?.message;
  const good =
    "a@b.co · ann.o’neil@example.com · ann+news@news.example.co.uk · ann_1@xn--bcher-kva.example · jürgen@bücher.example · 用户@例子.公司 · o'neil@example.com · ANN@EXAMPLE.COM";
  for (const cell of good.split(' · ')) t.equal(ofEmail(cell), undefined, cell);
  const bad: Record<string, RegExp> = {
    ann: /no @/,
    'ann@@example.com': /more than one @/,
    'a@b.com, c@d.com': /more than one @/,
    'ann @example.com': /space/,
    'ann@example,com': /comma/,
    'ann@example.com.': /dot too many/,
    'ann..b@example.com': /dot too many/,
    'mailto:ann@example.com': /mailto:/,
    'Ann <ann@example.com>': /name beside/,
    'ann@example': /without a domain/,
    'ann@(example).com': /no address/,
    [`${'a'.repeat(400)}@example.com`]: /longer/,
  };
  for (const [cell, problem] of Object.entries(bad)) t.match(ofEmail(cell), problem, cell);
  t.end();
});

t.test('a code that has lost zeros is found among those that begin with one', (t) => {
  const zipsOf = (zips: readonly string[], country?: readonly string[]): unknown =>
    findDirt(
      ['zip', 'country'],
      zips.map((zip, index) => [zip, country?.[index % country.length] ?? '']),
    ).rows.flatMap((problems, row) => problems.map(({ code }) => [row, code]));
  const sound = Array.from(
    { length: 20 },
    (_, index) => `${index % 2 === 0 ? '0' : '1'}40${10 + index}`,
  );
  t.same(zipsOf([...sound, '1067', '504', '99']), [
    [20, 'LOST_ZERO'],
    [21, 'LOST_ZERO'],
  ]);
  t.same(zipsOf([...sound, '1067'], ['DE', 'AT']), [], 'countries have codes of other lengths');
  t.same(
    zipsOf(Array.from({ length: 20 }, (_, index) => String(100 + index)).concat('50')),
    [],
    'amounts',
  );
  t.same(zipsOf([...sound.slice(0, 5), '1067']), [], 'too few');
  const [problem] =
    findDirt(
      ['zip'],
      [...sound, '1067'].map((zip) => [zip]),
    ).rows.at(-1) ?? [];
  t.match(problem?.message, /unless it is a code of another country/);
  t.end();
});

t.test('a row is shifted if an address stands beside its column', (t) => {
  const rows = Array.from({ length: 60 }, (_, index) => [
    'Anna',
    `a${index}@example.com`,
    'Ulm',
    '2026-01-02',
  ]);
  const shifted = [
    ['', 'Anna', 'a@example.com', 'Ulm'],
    ['Anna', '', 'a@example.com', '2026-01-02'],
    ['a@example.com', 'Ulm', '2026-01-02', ''],
    ['Anna', 'a@example.com', '2026-01-02', 'Ulm'],
  ];
  const found = findDirt(['first_name', 'email', 'city', 'day'], [...rows, ...shifted]).rows;
  t.same(
    found.map((problems) => problems.map(({ code }) => code)),
    [...rows.map(() => []), ...shifted.map(() => ['SHIFTED_ROW'])],
  );
  t.end();
});

t.test('an address in the column of a second one is no shift', (t) => {
  const rows = Array.from({ length: 20 }, (_, index) => [`a${index}@example.com`, '']);
  const found = findDirt(['email', 'Backup E-Mail'], [...rows, ['', 'b@example.com']]).rows;
  t.same(found.flat(), []);
  t.end();
});

t.test('a column with two writings names the rows of the rarer one', (t) => {
  const days = Array.from({ length: 15 }, () => '2026-11-27');
  const codes = (cells: readonly string[]): unknown =>
    findDirt(
      ['note'],
      cells.map((cell) => [cell]),
    ).rows.flatMap((problems, row) => problems.map(({ code }) => `${row} ${code}`));
  t.same(codes([...days, '27.11.2026', '11/27/2026', '27/11/2026']), [
    '15 MIXED_WRITING',
    '16 MIXED_WRITING',
    '17 MIXED_WRITING',
  ]);
  t.same(codes([...days, '03/04/2026']), ['15 MIXED_WRITING'], 'one with two readings');
  const slashes = Array.from({ length: 15 }, () => '03/04/2026');
  t.same(codes([...slashes, '2026-11-27', '27/11/2026']), ['15 MIXED_WRITING']);
  t.same(codes([...slashes, '27/11/2026', '27/11/2026', '11/27/2026']), ['17 MIXED_WRITING']);
  t.same(codes([...slashes, '27/11/2026']), []);
  t.same(codes(['1,299.00', '1,400.50', '2.300,00']), ['2 MIXED_WRITING']);
  t.same(codes(['1.5', '2.5', 'v1.2.3', '3']), []);
  t.end();
});

t.test('no text throws, and a long one is judged in a moment', async (t) => {
  const columns = ['first_name', 'name', 'city', 'zip', 'note', 'photo', 'email'];
  const judge = (cell: string): unknown => findDirt(columns, [columns.map(() => cell)]);
  fc.assert(fc.property(fc.string({ unit: anyCodePoint }), (cell) => void judge(cell)));
  const length = extent(32_767, 8 * 32_767);
  const units =
    '? · a? · ?a · Ã · Ã© · Д· · ‚Äô · & · &a · &#1 · % · =C3 · \\n · \\u00e9 · < · <b · =A · @A · 1 · 1a · A, · A · AAA · a@ · .a@ · a. · @. · - · \u200D · \u2066 · \u2069 · \u{1F3F4} · \u{E0061} · // · a/ · ,';
  for (const unit of units.split(' · ')) {
    for (const [first, last] of [
      ['', ''],
      ['A', '!'],
      ['a@', ' '],
      ['1', 'x'],
      ['=?', '\u00e9'],
      ['<', ''],
    ]) {
      t.ok(judge(`${first}${unit.repeat(length / unit.length)}${last}`), JSON.stringify(unit));
    }
  }
});
