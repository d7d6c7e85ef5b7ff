import t from 'tap';
import type { Template } from '#language/schema/template.ts';
import { documentInSize } from '#language/sizes.ts';
import { aLayer, aTemplate, aVariable, problemsOf } from '../fixtures/template-documents.ts';

const sizes = [
  { name: 'story', width: 60, height: 100 },
  { name: 'banner', width: 300, height: 30 },
];
const plain = aLayer('rect', { x: 70, fill: '#ff0000' });
const bySize = { story: { x: 0, y: 60, width: 60 }, banner: { visible: false } };
const title = aLayer('text', {
  id: 'title',
  width: 'hug',
  minWidth: 20,
  text: 'Hi',
  bySize: { story: { width: 60, fontSize: 12 }, banner: { maxWidth: 90 } },
});
const layers = [title, { ...plain, bySize }];
const whole = aTemplate({ layers }) as unknown as Template;
const document: Template = { ...whole, sizes };

t.test('the document of a size has its canvas and what differs in it, and no sizes', async (t) => {
  t.same(documentInSize(document)?.layers[1], plain);
  const story = documentInSize(document, 'story');
  t.match(story, { width: 60, height: 100 });
  t.notOk('sizes' in (story ?? {}));
  t.same(story?.layers[1], { ...plain, x: 0, y: 60, width: 60 });
  t.same(documentInSize(document, 'banner')?.layers[1], { ...plain, visible: false });
  t.equal(documentInSize(document, 'square'), undefined);
  t.equal(documentInSize(document, 'constructor'), undefined);
  t.equal(documentInSize(whole), whole, 'the same object without sizes');
});

t.test('limits of a side that hugs do not count where a size gives it a number', async (t) => {
  t.same(problemsOf(document), []);
  const [story, banner] = ['story', 'banner'].map(
    (size) => documentInSize(document, size)?.layers[0],
  );
  t.notOk('minWidth' in (story ?? {}));
  t.match(banner, { width: 'hug', minWidth: 20, maxWidth: 90 });
});

t.test('a document is refused for what is wrong in one size, which is named', async (t) => {
  const inStory = (story: object): object => ({ layers: [{ ...plain, bySize: { story } }] });
  const cases: [change: object, problem: RegExp][] = [
    [{ sizes: [{ name: 'story', width: 5000, height: 9 }] }, /^sizes\[0\]\.width .*from 1 to 4096/],
    [
      { sizes: [{ name: 'story', width: 9, height: 5000 }] },
      /^sizes\[0\]\.height .*from 1 to 4096/,
    ],
    [{ sizes: [{ name: 'Story', width: 9, height: 9 }] }, /^sizes\[0\]\.name .*small letters/],
    [{ sizes: [...sizes, ...sizes] }, /^sizes\[2\]\.name .*again, expected a unique one/],
    [
      { sizes: sizes.slice(0, 1) },
      /^layers\[0\]\.bySize\.banner is no size of the template; it has story/,
    ],
    [{ sizes: undefined }, /^layers\[0\]\.bySize\.story .*which has none: add it to "sizes"/],
    [
      inStory({ width: 'fill' }),
      /^layers\[0\]\.bySize\.story\.width .*only a layer of a stack fills it.*\(in the size "story"\)/,
    ],
    [
      inStory({ x: '{{nobody}}' }),
      /^layers\[0\]\.bySize\.story\.x .*no variable of that name.*\(in the size "story"\)/,
    ],
    [
      inStory({ fill: '#000' }),
      /^layers\[0\]\.bySize\.story\.fill is not a property of this object; it has x, y, width/,
    ],
    [inStory({ rotation: 400 }), /^layers\[0\]\.bySize\.story\.rotation .*from -360 to 360/],
    [
      {
        output: { format: 'avif' },
        sizes: [{ name: 'story', width: 4096, height: 4096 }],
        layers: [],
      },
      /^output .*ms to encode.*\(in the size "story"\)/,
    ],
  ];
  for (const [change, problem] of cases)
    t.match(problemsOf({ ...document, ...change })[0], problem);
});

t.test('what a size binds is checked with the default values, in each type of layer', async (t) => {
  const variables = [aVariable('n', 'number', '5'), aVariable('word', 'text', 'wide')];
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 9 9"><text>{{n}}</text></svg>';
  const texts = { text: { text: '{{n}}' }, image: { src: '{{word}}' }, svg: { svg } };
  for (const [type, parts] of Object.entries(texts)) {
    const problemsWith = (width: string): string[] => {
      const layer = aLayer(type, { ...parts, bySize: { story: { width } } });
      return problemsOf(aTemplate({ variables, sizes, layers: [layer] }));
    };
    t.same(problemsWith('{{n}}'), [], type);
    t.same(problemsWith('{{n|range:0,9,1,90}}'), [], type);
    t.match(problemsWith('{{word}}').join(), /^layers\[0\]\.bySize\.story\.width .*story/, type);
    t.match(problemsWith('{{none}}').join(), /\.bySize\.story\.width binds \{\{none\}\}/, type);
  }
});
