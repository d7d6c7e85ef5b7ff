import { join } from 'node:path';
import t from 'tap';
import { checkedTexts, uncheckedTexts } from './retired-words.ts';
import { listFiles, loadTexts } from './source-files.ts';
import { checkRetiredWords } from './text-rules.ts';

const root = join(import.meta.dirname, '../..');
const files = listFiles(root);

t.test('code and documents use the words of the glossary, not those that it retired', async (t) => {
  t.equal(checkRetiredWords(loadTexts(root, files)).join('\n'), '');
});

t.test('each retired word is found in prose, with its line and a better word', async (t) => {
  const lines = [
    'The picture is ready.',
    'A see-through layer.',
    'Send a test mail.',
    'The caller is told why.',
    'There is room for two.',
    'It has a place in the queue.',
    'An expensive wish.',
    'Dear renders wait.',
    'It lends a font.',
    'Own fonts are uploaded.',
    'Who asks again waits.',
    'The fault is mended.',
    'A colour or a switch.',
    'It is drawn over a plan.',
    'It is drawn anew.',
  ];
  const complaints = checkRetiredWords([{ path: 'docs/glossary.md', text: lines.join('\n') }]);
  t.same(
    complaints.map((complaint) => complaint.split(':')[1]),
    lines.map((_, index) => String(index + 1)),
  );
  t.equal(complaints[0], 'docs/glossary.md:1: "picture": write image');
  t.same(checkRetiredWords([{ path: 'LICENSE', text: lines.join('\n') }]), []);
});

t.test('code spans, addresses, tags and proper names are not prose', async (t) => {
  const text = [
    'Apple Mail shows an image in place of an error, each with its own deadline.',
    'Files lie in `pictures/`, see [the format](x.md#pictures) and <img src="picture.png">.',
    '```',
    'a picture',
    '```',
  ].join('\n');
  t.same(checkRetiredWords([{ path: 'docs/glossary.md', text }]), []);
  t.equal(checkRetiredWords([{ path: 'docs/glossary.md', text: `${text}\nwish` }]).length, 1);
});

t.test('identifiers, comments and texts of code are checked, in every folder and by word', (t) => {
  const lines = [
    '/** Lends a font. */',
    "const image = 'a dear wish';",
    'const ownUrl = makeRoom();',
    't.test("a picture is drawn", go);',
    'class PlanCache {}',
    'case MAIL_TOOLS: <p>Your picture</p>',
    'open(place, isTold);',
  ];
  for (const path of ['src/store/a.ts', 'bench/a.ts', 'test/studio/a.test.ts', 'deploy/a.sh']) {
    const complaints = checkRetiredWords([{ path, text: lines.join('\n') }]);
    const found = new Set(complaints.map((complaint) => complaint.split(':')[1]));
    t.equal(found.size, lines.length, path);
  }
  t.same(checkRetiredWords([{ path: 'src/mail-tools.ts', text: '' }]), [
    'src/mail-tools.ts:0: "mail": write email, email service, campaign',
  ]);
  t.end();
});

t.test('words that others chose may stand in code', async (t) => {
  const lines = [
    'switch (kind) {',
    "  case 'plan': return Object.hasOwn(known, 'own');",
    "const env = 'PLATEN_CACHE_PLANS_MB';",
    "gaugeFamily('platen_plan_builds_total', 'Base renders.');",
    'placeLine(line); // The line takes its place.',
    '.empty { place-items: center; }',
    '/** Each has its own clock, in place of that of the template, and the template’s own size. */',
  ];
  t.same(checkRetiredWords([{ path: 'src/a.ts', text: lines.join('\n') }]), []);
});

t.test('a file that is not checked exists, and would be checked', async (t) => {
  const paths = new Set(files.map(({ path }) => path));
  for (const path of Object.keys(uncheckedTexts)) {
    t.ok(paths.has(path) && checkedTexts.test(path), path);
  }
});
