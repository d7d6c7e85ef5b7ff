import t from 'tap';
import { encodeText } from './encoded-text.ts';
import { readList, refusal, valuesOf } from './list-files.ts';

/** Names as people have them, by the encoding in which an older Excel writes them. */
const names: Record<string, string[][]> = {
  'windows-1252': [
    ['Müller', 'Jürgen', 'Groß', 'Schröder', 'Bäcker', 'Köln', 'Götz'],
    ['François', 'Hélène', 'Besançon', 'Zoé', 'Noël', 'Émile', 'Gisèle'],
    ['Muñoz', 'José', 'Peña', 'Núñez', 'María', 'Ángel'],
    ['Åsa', 'Björn', 'Örjan', 'Göteborg', 'Håkan'],
    ['João', 'Conceição', 'São Paulo', 'Gonçalves'],
    ['Guðrún', 'Sigurður', 'Þór', 'Ýr', 'Jón', 'Hafnarfjörður'],
    ['O’Neill', '5 € – heute', '„Zitat“'],
  ],
  'windows-1250': [
    ['Łukasz', 'Małgorzata', 'Żaneta', 'Świątek', 'Wójcik', 'Łódź', 'Dąbrowski'],
    ['Jiří', 'Dvořák', 'Černý', 'Šárka', 'Růžena', 'Plzeň', 'Tomáš'],
    ['Gábor', 'Győr', 'László', 'Erzsébet', 'Fűzfő', 'Zoltán'],
  ],
  'windows-1251': [
    ['Иван', 'Пётр', 'Мария', 'Сергей', 'Наталья', 'Москва', 'Кузнецов'],
    ['Олексій', 'Київ', 'Їжак', 'Євген'],
  ],
  'windows-1253': [['Γιώργος', 'Αθήνα', 'Μαρία', 'Νίκος']],
  'windows-1254': [
    ['Ayşe', 'Gökhan', 'Çağlar', 'İstanbul', 'Şükrü', 'Ömer'],
    ['Yıldız', 'Işık', 'Doğan', 'Öztürk', 'Şahin'],
  ],
  'windows-1255': [['דוד', 'שרה', 'משה', 'ירושלים']],
  'windows-1256': [['محمد', 'فاطمة', 'أحمد', 'القاهرة']],
  'windows-874': [['สมชาย', 'กรุงเทพ', 'สุดา', 'เชียงใหม่']],
  shift_jis: [['田中太郎', '佐藤花子', '鈴木一郎', '東京都', 'サイトウ', 'たかはし']],
  'euc-jp': [['田中太郎', '佐藤花子', '鈴木一郎', '東京都', 'サイトウ', 'たかはし']],
  gb18030: [['王伟', '李娜', '张敏', '北京', '上海', '刘洋']],
  big5: [['王偉', '李娜', '陳怡君', '台北市', '林志明']],
  'euc-kr': [['김민수', '이서연', '박지훈', '서울', '최수진']],
};

function listOf(words: readonly string[], rows: number): string {
  const lines = Array.from(
    { length: rows },
    (_, index) => `${index},${words[index % words.length]},user${index}@example.com`,
  );
  return ['id,name,email', ...lines, ''].join('\r\n');
}

t.test('the encoding of a list of names is detected', async (t) => {
  for (const [encoding, groups] of Object.entries(names)) {
    for (const words of groups) {
      for (const rows of [words.length, 300]) {
        const list = await readList(encodeText(listOf(words, rows), encoding));
        t.match(list.format, { encoding, separator: ',' }, `${encoding} ${words.join(' ')}`);
        t.same(
          valuesOf(list)
            .slice(0, words.length)
            .map(([, name]) => name),
          words,
        );
      }
    }
  }
});

t.test('Unicode is recognized with and without a byte order mark', async (t) => {
  const words = Object.values(names).flat(2);
  const text = listOf([...words, '👩🏽‍🚀', 'नमस्ते'], words.length + 2);
  for (const encoding of ['utf-8', 'utf-16le', 'utf-16be']) {
    for (const mark of ['', '\uFEFF']) {
      const list = await readList(encodeText(mark + text, encoding));
      t.match(list.format, { encoding, hasBom: mark !== '' }, `${encoding} ${mark.length}`);
      t.same(list.columns, ['id', 'name', 'email']);
      t.equal(list.rows.at(-1)?.values[1], 'नमस्ते');
    }
  }
});

t.test('letters far behind the start of a file decide', async (t) => {
  const ascii = `name,x\n${'Anna,1\n'.repeat(100_000)}`;
  const ansi = await readList(
    Buffer.concat([Buffer.from(ascii), encodeText('Müller,2\n', 'windows-1252')]),
  );
  t.match(ansi.format, { encoding: 'windows-1252' });
  t.equal(ansi.rows.at(-1)?.values[0], 'Müller');
  const utf8 = await readList(`${ascii}Müller,2\n`);
  t.match(utf8.format, { encoding: 'utf-8' });
  t.equal(utf8.rows.at(-1)?.values[0], 'Müller');
});

t.test('a damaged letter makes its row a problem and garbles no other', async (t) => {
  const text = listOf(['Müller', 'Zoé', 'Łukasz', '東京', 'Ömer'], 50);
  const bytes = Buffer.from(text);
  // The second half of an ü.
  bytes[bytes.indexOf('ü') + 1] = 0x41;
  const list = await readList(bytes);
  t.match(list.format, { encoding: 'utf-8' });
  t.match(list.problems, [{ row: 1, line: 2, cause: 'lost-characters', column: 'name' }]);
  t.equal(list.rows.length, 49);
});

t.test('a named encoding is taken, and an unknown one is refused', async (t) => {
  const bytes = encodeText('name,x\nПётр,1\n', 'koi8-r');
  t.same(valuesOf(await readList(bytes, { encoding: 'koi8-r' })), [['Пётр', '1']]);
  t.same(valuesOf(await readList(bytes, { contentType: 'text/csv; charset="KOI8-R"' })), [
    ['Пётр', '1'],
  ]);
  t.match(await refusal(bytes, { encoding: 'klingon' }), {
    code: 'BAD_REQUEST',
    message: /encoding "klingon" is unknown/,
  });
});

t.test('encodings of Macs, of DOS and of email programs are detected', async (t) => {
  const lists: Record<string, string[]> = {
    macintosh: ['José García', 'François Lefèvre', 'Zoë Müller', 'Renée Noël'],
    'x-mac-ce': ['Małgorzata Wójcik', 'Jiří Dvořák', 'Łukasz Świątek'],
    'x-mac-cyrillic': ['Мария Кузнецова', 'Пётр Соколов', 'Наталья Юрьева'],
    'x-mac-greek': ['Γιώργος Παπαδόπουλος', 'Μαρία Ιωάννου', 'Νίκος Χατζής'],
    'x-mac-turkish': ['Ayşe Yıldız', 'Çağlar Öztürk', 'Şükrü Doğan'],
    cp850: ['José García', 'François Lefèvre', 'Zoë Müller', 'Renée Noël'],
    cp852: ['Małgorzata Wójcik', 'Jiří Dvořák', 'Łukasz Świątek'],
    cp855: ['Мария Кузнецова', 'Пётр Соколов', 'Наталья Юрьева'],
    cp857: ['Ayşe Yıldız', 'Çağlar Öztürk', 'Şükrü Doğan'],
    ibm866: ['Мария Кузнецова', 'Пётр Соколов', 'Наталья Юрьева'],
    'koi8-r': ['Мария Кузнецова', 'Пётр Соколов', 'Наталья Юрьева'],
    'koi8-u': ['Олексій Їжак', 'Євген Шевченко', 'Ґалаґан Юлія'],
    'iso-8859-2': ['Małgorzata Świątek', 'Růžena Šťastná', 'Žaneta Łoś'],
    'iso-8859-5': ['Мария Кузнецова', 'Пётр Соколов', 'Наталья Юрьева'],
    'iso-8859-7': ['Άννα Παπαδοπούλου', 'Ελένη Άγγελου', 'Άρης Ιωάννου'],
    'iso-8859-15': ['Zoé Œuvrard', 'François Lœuillet', 'Nœmie Besançon'],
  };
  for (const [encoding, people] of Object.entries(lists)) {
    const list = await readList(encodeText(listOf(people, people.length), encoding));
    t.match(list.format, { encoding }, encoding);
    t.equal(list.encodingDoubt, undefined, encoding);
    t.same(
      valuesOf(list).map(([, name]) => name),
      people,
    );
  }
});

t.test('signs of currencies and dashes beside numbers do not garble a list', async (t) => {
  const prices = Array.from(
    { length: 60 },
    (_, index) => `${index},"${index},90 €",£${index} – now`,
  );
  const text = `id,price,offer\n${prices.join('\n')}\n`;
  const list = await readList(encodeText(text, 'windows-1252'));
  t.match(list.format, { encoding: 'windows-1252' });
  t.same(valuesOf(list)[5], ['5', '5,90 €', '£5 – now']);
});

t.test('the Japanese encoding of emails is read, which has no byte beyond ASCII', async (t) => {
  // 田中 in JIS X 0208.
  const list = await readList('name,x\n\u001B$BEDCf\u001B(B,1\n');
  t.match(list.format, { encoding: 'iso-2022-jp' });
  t.same(valuesOf(list), [['田中', '1']]);
});

t.test(
  'rows in another encoding are problems of a UTF-8 list, with their likely reading',
  async (t) => {
    const row = (name: string, encoding: string): Buffer => encodeText(`${name},1\n`, encoding);
    const foreign = ['José García', 'Zoë Müller', 'Renée Noël'];
    for (const [mark, utf8] of [
      ['', ['Łukasz', '東京']],
      ['\uFEFF', ['Anna']],
    ] as const) {
      for (const encoding of ['windows-1252', 'macintosh', 'cp850']) {
        const bytes = Buffer.concat([
          encodeText(`${mark}name,x\n`, 'utf-8'),
          ...utf8.map((name) => row(name, 'utf-8')),
          ...foreign.map((name) => row(name, encoding)),
        ]);
        const list = await readList(bytes);
        t.match(list.format, { encoding: 'utf-8' }, `${encoding} ${utf8.join(' ')}`);
        t.same(
          valuesOf(list).map(([name]) => name),
          utf8,
        );
        t.same(
          list.problems.map(({ row: number, cause, column }) => [number, cause, column]),
          foreign.map((_, index) => [utf8.length + index + 1, 'lost-characters', 'name']),
        );
        for (const [index, name] of foreign.entries())
          t.match(list.problems[index]?.message, `in ${encoding} it reads "${name}"`);
      }
    }
  },
);

t.test('a header in another encoding than the rows gives the names of its columns', async (t) => {
  const bytes = Buffer.concat([
    encodeText('Prénom;Âge\n', 'windows-1252'),
    Buffer.from('Łukasz;1\nŻaneta;2\nZoé;3\n'),
  ]);
  const list = await readList(bytes);
  t.same(list.columns, ['Prénom', 'Âge']);
  t.equal(list.rows.length, 3);
});

t.test('JSON lines in another encoding than the rest are problems of their rows', async (t) => {
  const bytes = Buffer.concat([
    Buffer.from('{"name":"Łukasz"}\n{"name":"東京"}\n'),
    encodeText('{"name":"José"}\n', 'windows-1252'),
  ]);
  const list = await readList(bytes);
  t.same(valuesOf(list), [['Łukasz'], ['東京']]);
  t.match(list.problems, [{ row: 3, message: /in windows-1252 it reads "José"/ }]);
});

t.test(
  'where two readings are near, both are shown with the first cells that differ',
  async (t) => {
    const list = await readList(encodeText('name,x\nRenée,1\nBob,2\n', 'macintosh'));
    const [best, other] = list.encodingDoubt?.readings ?? [];
    t.same(best, { encoding: 'macintosh', cells: ['Renée'] });
    t.same(other, { encoding: 'windows-1252', cells: ['RenŽe'] });
    const named = await readList(encodeText('name,x\nRenée,1\n', 'macintosh'), {
      encoding: 'windows-1252',
    });
    t.equal(named.encodingDoubt, undefined);
    t.same(valuesOf(named), [['RenŽe', '1']]);
  },
);

t.test('an encoding has the names that programs give it', async (t) => {
  const encodings: Record<string, string[]> = {
    cp850: ['cp850', 'CP850', 'ibm850', 'IBM-850', '850', 'dos-850'],
    cp437: ['cp437', '437'],
    macintosh: ['macintosh', 'MacRoman', 'mac', 'x-mac-roman'],
    'x-mac-ce': ['x-mac-ce', 'mac-latin2', 'MacCentralEurope'],
    shift_jis: ['Shift_JIS', 'shift-jis', 'windows-31j'],
    'windows-874': ['TIS-620', 'windows-874'],
    gb18030: ['gb18030'],
    'iso-8859-16': ['iso-8859-16', 'latin10'],
  };
  for (const [encoding, labels] of Object.entries(encodings)) {
    for (const label of labels) {
      const list = await readList('name,x\nAnna,1\n', { encoding: label });
      t.match(list.format, { encoding }, label);
    }
  }
});
