/** The search over the documentation leads to the section that answers. */
import t from 'tap';
import { loadLibrary, searchGuides } from '../../src/pages/guides/library.ts';

const library = await loadLibrary();

const addresses = (query: string): string[] =>
  searchGuides(library, query).map(({ page, section }) =>
    section.id === '' ? page.name : `${page.name}#${section.id}`,
  );

t.test('what readers ask leads to the page that answers', async (t) => {
  const cases = [
    ['signed link', 'signed-links'],
    ['QR code', 'template-format#qr'],
    ['countdown', 'live-images'],
    ['How do I install it?', 'operations#install'],
    ['php', 'signed-links#sign-by-yourself'],
    ['arabic', 'fonts-and-scripts#names-in-other-scripts'],
    ['bannerbear', 'migrate#bannerbear'],
    ['make a template', 'first-template'],
    ['backup', 'operations#backup-and-restore'],
  ] as const;
  for (const [query, expected] of cases) t.equal(addresses(query)[0], expected, query);
});

t.test('a word is found by its beginning, and a name by its parts', async (t) => {
  const allWords = new Set(addresses('signing key'));
  t.ok(addresses('signi key').some((address) => allWords.has(address)));
  t.same(addresses('linkauth'), addresses('LINKAUTH'));
  t.ok(addresses('auth').some((address) => addresses('linkAuth').includes(address)));
  t.same(addresses('inkauth'), [], 'nothing is read letter by letter');
});

t.test('all words must be there, and characters of patterns are texts', async (t) => {
  t.same(addresses('countdown nosuchword'), []);
  for (const query of ['c++ (x)', '[a-', String.raw`\d`, '.*', '$&']) {
    t.doesNotThrow(() => addresses(query), query);
  }
  t.ok(addresses('the').length > 0, 'a word that says little is looked for if there is no other');
  t.same(addresses(' '), []);
});
