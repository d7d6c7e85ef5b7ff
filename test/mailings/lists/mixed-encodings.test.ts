import t from 'tap';
import { encodeText } from './encoded-text.ts';
import { readList, refusal, valuesOf } from './list-files.ts';

function listOf(words: readonly string[], rows: number): string {
  const lines = Array.from(
    { length: rows },
    (_, index) => `${index},${words[index % words.length]},user${index}@example.com`,
  );
  return ['id,name,email', ...lines, ''].join('\r\n');
}

t.test('names of a second language behind those of the first decide, too', async (t) => {
  const german =
    'Müller Jörg Günther Weiß Schäfer Böhm Köhler Jäger Krüger Schröder Groß Höfer Löwe Büttner Röder Grün Händel Kühn Förster Vögele Gräf Läufer Dörr Hübner'.split(
      ' ',
    );
  const polish = 'Łukasz Wałęsa Świątek Kaczyński Żółć Brzęczek Dąbrowski Wójcik Zieliński'.split(
    ' ',
  );
  for (const words of [
    [...german, ...polish],
    [...german, ...german.map((name) => `${name}-Meyer`), ...polish.slice(0, 2)],
  ]) {
    const list = await readList(encodeText(listOf(words, words.length), 'windows-1250'));
    t.match(list.format, { encoding: 'windows-1250' });
    t.same(
      valuesOf(list).map(([, name]) => name),
      words,
    );
  }
});

t.test('half-width Katakana are read, alone and beside Kanji', async (t) => {
  const half = ['ﾔﾏﾀﾞ', 'ﾀﾛｳ', 'ｽｽﾞｷ', 'ﾊﾅｺ', 'ﾅｶﾑﾗ', 'ｹﾝｼﾞ'];
  const both = ['山田太郎 ﾔﾏﾀﾞﾀﾛｳ', '鈴木花子 ｽｽﾞｷﾊﾅｺ', '中村健二 ﾅｶﾑﾗｹﾝｼﾞ'];
  for (const words of [half, both]) {
    for (const rows of [words.length, 24]) {
      const list = await readList(encodeText(listOf(words, rows), 'shift_jis'));
      t.match(list.format, { encoding: 'shift_jis' }, words.join(' '));
      t.equal(list.rows.length, rows);
    }
  }
});

t.test('apostrophes, units and prices alone tell the encoding of English lists', async (t) => {
  for (const words of [
    ['It’s', 'Don’t – x'],
    ['5 kg', '20 °C', '5 m²'],
    Array.from({ length: 12 }, (_, index) => `Mug ${index} 1.${index + 200},00 €`),
  ]) {
    const list = await readList(encodeText(`n;x\n${words.join(';1\n')};1\n`, 'windows-1252'));
    t.same(
      valuesOf(list).map(([text]) => text),
      words,
    );
  }
});

t.test('rows in UTF-8 do not garble a list of another encoding', async (t) => {
  const swedish =
    'Björn Åsa Märta Örjan Göran Håkan Sjöberg Lindström Åkesson Bäckström Hägg Söderlund Ström Åberg Nyström Östlund Järvinen Mårtensson Löfgren Hellström'.split(
      ' ',
    );
  const bytes = Buffer.concat([
    encodeText(listOf(swedish, 40), 'windows-1252'),
    Buffer.from('41,Björn,x@example.com\r\n42,Märta,y@example.com\r\n'),
  ]);
  const list = await readList(bytes);
  t.match(list.format, { encoding: 'windows-1252' });
  t.same(
    valuesOf(list)
      .slice(0, swedish.length)
      .map(([, name]) => name),
    swedish,
  );
});

t.test('one zero byte is named with its line, and makes no UTF-16 of a list', async (t) => {
  const { message } = await refusal('name,city\nJo\0hn,Rome\nAnna,Paris\n');
  t.match(message, /zero byte at line 2/);
});
