import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { documentInSize } from '#language/sizes.ts';
import { checkTemplate } from '#language/template.ts';

const sizes = [
  { name: 'story', width: 60, height: 100 },
  { name: 'banner', width: 300, height: 30 },
];
const plain: Layer = {
  id: 'box',
  type: 'rect',
  x: 200,
  y: 0,
  width: 40,
  height: 40,
  fill: '#ff0000',
};
const box: Layer = {
  ...plain,
  bySize: { story: { x: 0, y: 60, width: 60 }, banner: { visible: false } },
};
const title: Layer = {
  id: 'title',
  type: 'text',
  x: 0,
  y: 0,
  width: 'hug',
  minWidth: 20,
  height: 40,
  text: 'Hi',
  bySize: { story: { width: 60, fontSize: 12 }, banner: { maxWidth: 90 } },
};
const whole: Template = {
  format: 1,
  name: 'Test',
  width: 240,
  height: 40,
  variables: [],
  layers: [title, box],
};
const document: Template = { ...whole, sizes };

t.test('the document of a size has its canvas and what differs in it, and no sizes', (t) => {
  t.same(documentInSize(document)?.layers[1], plain);
  const story = documentInSize(document, 'story');
  t.match(story, { width: 60, height: 100 });
  t.notOk('sizes' in (story ?? {}));
  t.same(story?.layers[1], { ...plain, x: 0, y: 60, width: 60 });
  t.same(documentInSize(document, 'banner')?.layers[1], { ...plain, visible: false });
  t.equal(documentInSize(document, 'square'), undefined);
  t.equal(documentInSize(document, 'constructor'), undefined);
  t.equal(documentInSize(whole), whole, 'the same object without sizes');
  t.end();
});

t.test('limits of a side that hugs do not count where a size gives it a number', (t) => {
  t.ok(checkTemplate(document).ok);
  const [story, banner] = ['story', 'banner'].map(
    (size) => documentInSize(document, size)?.layers[0],
  );
  t.notOk('minWidth' in (story ?? {}));
  t.match(banner, { width: 'hug', minWidth: 20, maxWidth: 90 });
  t.end();
});

t.test('a document is refused for what is wrong in one size, and the problem names it', (t) => {
  const cases: [change: object, path: string, message: RegExp][] = [
    [{ sizes: [{ name: 'story', width: 5000, height: 9 }] }, 'sizes[0].width', /from 1 to 4096/],
    [{ sizes: [{ name: 'Story', width: 9, height: 9 }] }, 'sizes[0].name', /small letters/],
    [{ sizes: [...sizes, ...sizes] }, 'sizes[2].name', /again, expected a unique one/],
    [
      { sizes: sizes.slice(0, 1) },
      'layers[0].bySize.banner',
      /is no size of the template; it has story/,
    ],
    [{ sizes: undefined }, 'layers[0].bySize.story', /which has none: add it to "sizes"/],
    [
      { layers: [{ ...box, bySize: { story: { width: 'fill' } } }] },
      'layers[0].bySize.story.width',
      /only a layer of a stack fills it.*\(in the size "story"\)/,
    ],
    [
      { layers: [{ ...box, bySize: { story: { x: '{{nobody}}' } } }] },
      'layers[0].bySize.story.x',
      /no variable of that name.*\(in the size "story"\)/,
    ],
    [
      { layers: [{ ...box, bySize: { story: { fill: '#000' } } }] },
      'layers[0].bySize.story.fill',
      /is not a property of this object; it has x, y, width/,
    ],
    [
      { layers: [{ ...box, bySize: { story: { rotation: 400 } } }] },
      'layers[0].bySize.story.rotation',
      /from -360 to 360/,
    ],
    [
      {
        output: { format: 'avif' },
        sizes: [{ name: 'story', width: 4096, height: 4096 }],
        layers: [],
      },
      'output',
      /ms to encode.*\(in the size "story"\)/,
    ],
  ];
  for (const [change, path, message] of cases) {
    const check = checkTemplate(JSON.parse(JSON.stringify({ ...document, ...change })));
    const [problem] = check.ok ? [] : check.problems;
    t.equal(problem?.path, path);
    t.match(problem?.message, message);
  }
  t.end();
});
