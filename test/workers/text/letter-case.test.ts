import t from 'tap';
import { changeCase } from '../../../workers/layout/text-spans.ts';

t.test('words begin with a letter in title case', async (t) => {
  const cases: [text: string, capitalized: string, lang?: string][] = [
    ['hello big-world 2nd', 'Hello Big-World 2nd'],
    ["o'neill élan", "O'neill Élan"],
    ['ǆep ǉudi ǌiva ǳ ǅ', 'ǅep ǈudi ǋiva ǲ ǅ'],
    ['ßa ﬁn ŉ', 'Ssa Fin ʼN'],
    ['ijs', 'Ijs'],
    ['ijs ijver', 'IJs IJver', 'nl'],
    ['istanbul ılık', 'İstanbul Ilık', 'tr'],
    ['άνθος ᾳ', 'Άνθος ᾼ', 'el'],
    ['საქართველო', 'საქართველო'],
    ['𐐨𐐩', '𐐀𐐩'],
    ['שלום', 'שלום'],
  ];
  for (const [text, expected, lang = 'en'] of cases) {
    t.equal(changeCase(text, 'capitalize', lang), expected);
  }
});

t.test('whole texts change case by their language', async (t) => {
  t.equal(changeCase('istanbul', 'uppercase', 'tr'), 'İSTANBUL');
  t.equal(changeCase('ǅ ΣΑΣ', 'lowercase', 'el'), 'ǆ σας');
  t.equal(changeCase('Aa', 'none', 'en'), 'Aa');
  t.equal(changeCase('Aa', undefined, 'en'), 'Aa');
});
