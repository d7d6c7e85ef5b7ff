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
