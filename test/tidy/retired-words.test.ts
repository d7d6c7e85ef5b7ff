import { join } from 'node:path';
import t from 'tap';
import { checkedTexts, uncheckedTexts } from './retired-words.ts';
import { listFiles, loadTexts } from './source-files.ts';
import { checkRetiredWords } from './text-rules.ts';

const root = join(import.meta.dirname, '../..');
const files = listFiles(root);

t.test('documents use the words of the glossary, not those that it retired', (t) => {
  t.equal(checkRetiredWords(loadTexts(root, files)).join('\n'), '');
  t.end();
});

t.test('each retired word is found in prose, with its line and a better word', (t) => {
  const lines = [
    'The image is ready.',
    'A see-through layer.',
    'Send a test mail.',
    'The caller is reported why.',
    'There is room for two.',
    'It has a place in the queue.',
    'An expensive wish.',
    'Dear renders wait.',
    'It lends a font.',
    'Own fonts are uploaded.',
    'Who asks again waits.',
    'The fault is mended.',
    'A colour or a switch.',
    'It is drawn over a base render.',
    'It is drawn anew.',
  ];
  const complaints = checkRetiredWords([{ path: 'docs/glossary.md', text: lines.join('\n') }]);
  t.same(
    complaints.map((complaint) => complaint.split(':')[1]),
    lines.map((_, index) => String(index + 1)),
  );
  t.equal(complaints[0], 'docs/glossary.md:1: "image": write image');
  t.same(checkRetiredWords([{ path: 'LICENSE', text: lines.join('\n') }]), []);
  t.end();
});

t.test('code, addresses, tags and proper names are not prose', (t) => {
  const text = [
    'Apple Mail shows an image in place of an error, each with its own deadline.',
    'Files lie in `images/`, see [the format](x.md#images) and <img src="image.png">.',
    '```',
    'an image',
    '```',
  ].join('\n');
  t.same(checkRetiredWords([{ path: 'docs/glossary.md', text }]), []);
  t.equal(checkRetiredWords([{ path: 'docs/glossary.md', text: `${text}\nwish` }]).length, 1);
  t.end();
});

t.test('comments of code are prose, and code is not', (t) => {
  const path = 'src/store/a.ts';
  const text = [
    '/** Lends a font. */',
    'const image = "a dear wish"; // It is reported.',
    'switch (place) {}',
    ' * A base render.',
  ].join('\n');
  t.same(
    checkRetiredWords([{ path, text }]).map((complaint) => complaint.split(':')[1]),
    ['1', '2', '4'],
  );
  t.same(checkRetiredWords([{ path: 'src/other/a.ts', text }]), []);
  t.end();
});

t.test('a file that is not checked exists, and would be checked', (t) => {
  const paths = new Set(files.map(({ path }) => path));
  for (const path of Object.keys(uncheckedTexts)) {
    t.ok(paths.has(path) && checkedTexts.some((pattern) => pattern.test(path)), path);
  }
  t.end();
});
