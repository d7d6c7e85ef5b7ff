import t from 'tap';
import { emailServices } from '../../src/pages/browser/email-services.ts';
import type { Layer } from '#language/schema/layers.ts';
import type { Template } from '#language/schema/template.ts';
import { checkTemplate } from '#language/template.ts';
import {
  diffDocuments,
  diffProperties,
  valueText,
  markDifferences,
  shareText,
} from '../../src/studio/publish/differences.ts';
import { pathWords } from '../../src/studio/panels/fields/labels.ts';
import { errorWords } from '../../src/studio/problem-words.ts';
import { explainFailure, namedLayers } from '../../src/studio/wording.ts';
import { PlatenError } from '../../src/client/platen-client.ts';
import type { ErrorDetail } from '../../src/client/platen-client.ts';
import {
  codeDocument,
  linkSizes,
  linkToSign,
  makeSnippets,
  snippetTemplate,
  snippetValues,
  typedLink,
} from '../../src/studio/publish/share-links.ts';
import { group, rect } from './built-layers.ts';
import { documentOf } from './documents.ts';

t.test('a change is reported by its layer and its property', async (t) => {
  const before = documentOf([rect('a', { fill: '#000000' }), rect('b'), group('g', [rect('c')])], {
    $schema: 'one',
    variables: [{ name: 'who', type: 'text', value: 'you' }],
  });
  const after = documentOf(
    [
      rect('a', { fill: '#ffffff', name: 'Ground', shadow: { color: '#000000', blur: 4 } }),
      rect('new'),
      group('g', [rect('c', { opacity: 0.5 })]),
    ],
    {
      $schema: 'two',
      width: 200,
      variables: [
        { name: 'who', type: 'text', value: 'all' },
        { name: 'when', type: 'text', value: '' },
      ],
    },
  );
  t.same(
    diffDocuments(before, after).map(({ kind, subject, id, name, properties }) => [
      `${kind} ${subject} ${id} ${name}`,
      ...properties.map(({ path }) => path),
    ]),
    [
      ['changed document document Template', 'width'],
      ['changed variable who who', 'value'],
      ['added variable when when'],
      ['changed layer c c', 'opacity'],
      ['added layer new new'],
      ['changed layer a Ground', 'fill', 'name', 'shadow'],
      ['removed layer b b'],
    ],
  );
  t.same(diffDocuments(after, structuredClone(after)), []);
});

t.test('of layers in another order only those that were moved are reported', async (t) => {
  const moved = (before: Layer[], after: Layer[]): string[] =>
    diffDocuments(documentOf(before), documentOf(after)).flatMap(({ id, isMoved }) =>
      isMoved ? [id] : [],
    );
  const [a, b, c, d] = ['a', 'b', 'c', 'd'].map((id) => rect(id)) as [Layer, Layer, Layer, Layer];
  t.same(moved([a, b, c, d], [d, a, b, c]), ['d']);
  t.same(moved([a, b, c, d], [a, c, b, d]).length, 1);
  t.same(moved([a, b, c, d], [b, d]), [], 'removing moves nothing');
  t.same(moved([group('g', [a]), b], [group('g', []), a, b]), ['a'], 'out of its group');
});

t.test('properties differ by their values, whatever the order of their keys', async (t) => {
  t.same(diffProperties({ a: 1, b: [1, 2] }, { b: [1, 2], a: 1 }), []);
  t.same(diffProperties({ s: [{ t: 'x' }] }, { s: [{ t: 'y' }] }), [
    { path: 's[0].t', before: 'x', after: 'y' },
  ]);
  t.same(diffProperties({ r: 4 }, { r: [4, 0, 0, 4] }), [
    { path: 'r', before: 4, after: [4, 0, 0, 4] },
  ]);
  t.same([valueText(undefined), valueText(''), valueText([1, 2])], ['not set', 'empty', '1, 2']);
  t.equal(valueText({ color: '#fff', width: 2 }), 'colour #fff, width 2', 'never as JSON');
  t.equal(valueText('Welcome,\nAda'), 'Welcome, ↵ Ada', 'a changed line break is seen');
  t.equal(Array.from(valueText('👍'.repeat(80))).length, 48);
  const brand = [{ property: 'fontSize', entry: 'heading-1' }];
  t.equal(valueText(brand, 'brand'), 'Font size', 'no entry of the kit');
  const [moved] = diffProperties({}, { bySize: { story: { fontSize: 12 } } });
  t.same(moved, { path: 'bySize.story.fontSize', before: undefined, after: 12 });
  t.equal(pathWords('bySize.story.fontSize'), 'Font size in story');
});

t.test('a refusal leads to the layers that it names', async (t) => {
  const document = documentOf([rect('ground'), group('g', [rect('photo'), rect('title')])]);
  const named = (...problems: ErrorDetail[]): string[] => namedLayers(problems, document);
  t.same(named({ path: 'layers[1].layers[0].src', message: 'is damaged' }), ['photo']);
  t.same(
    named(
      { path: '', message: 'draws no default image', layers: ['title', 'gone'] },
      { path: 'layers[0]', message: 'needs "fill"' },
    ),
    ['ground', 'title'],
  );
  t.same(named({ path: 'width', message: 'is 0; see layers[0] and "photo"' }), []);
});

t.test('a failure has the problems of the document, and their sentences', async (t) => {
  const failure = (status: number, details: ErrorDetail[] = []) =>
    explainFailure(new PlatenError('The body is not valid', { status, details }));
  const detail = { path: 'template.layers[0].x', message: 'is "a", expected a number' };
  t.same(failure(400, [detail, { path: '(document)', message: 'is too long' }]), {
    text: 'Layer 1, x is "a", expected a number.\nThe template is too long.',
    problems: [
      { path: 'layers[0].x', message: 'is "a", expected a number' },
      { path: '', message: 'is too long' },
    ],
  });
  const empty = { path: 'template.layers', message: 'is an array of 0, expected a list' };
  const age = { path: 'template.maxAgeSeconds', message: 'is -1: a link without _version' };
  t.equal(
    failure(400, [empty, age]).text,
    'Layers is an empty list, expected a list.\nCached for is -1: a link without a version.',
    'designers see no paths, no arrays and no options of links',
  );
  t.match(failure(400, Array(6).fill(detail)).text, /\nAnd 2 more\.$/);
  t.match(failure(0), { text: /does not answer/, problems: [] });
  t.match(failure(403).text, /may write/);
  t.match(failure(409), { text: 'The body is not valid' });
  t.same(explainFailure(new Error('no')), { text: 'no', problems: [] });
});

t.test('an error of a call has the words of the document that was sent', async (t) => {
  const spans = [{ text: 'One ' }, { text: 'two' }];
  const title = { id: 't', name: 'Title', type: 'text', spans };
  const details = [
    { path: 'template.layers[0].spans[1].fontSize', message: 'is 0' },
    { path: 'template.maxAgeSeconds', message: 'is -1' },
  ];
  t.equal(
    errorWords(new PlatenError('Not valid', { status: 400, details }), documentOf([title])),
    'Styled part 2, font size of “Title” is 0.\nCached for of the template is -1.',
  );
  t.equal(errorWords(new Error('no'), documentOf([])), 'no');
});

t.test('every point that differs is red, and they are counted', async (t) => {
  const pixels = (...points: number[][]) => ({
    data: Uint8ClampedArray.from(points.flat()),
    width: 2,
    height: 2,
  });
  const [black, white, none] = [
    [0, 0, 0, 255],
    [255, 255, 255, 255],
    [9, 9, 9, 0],
  ] as [number[], number[], number[]];
  const before = pixels(black, white, none, black);
  const after = pixels(black, black, [7, 7, 7, 0], black);
  const marked = pixels(none, none, none, none);
  t.equal(markDifferences(before, after, marked), 0.25);
  t.same([...marked.data.subarray(4, 8)], [214, 32, 32, 255]);
  t.equal(marked.data[0], marked.data[2], 'what is equal is grey');
  t.ok((marked.data[0] ?? 0) > 200, 'and pale');
  t.equal(marked.data[8], 255, 'nothing is white');
  t.equal(markDifferences(before, before, marked), 0);
  t.same([shareText(0.0004), shareText(0.034), shareText(0.5)], ['under 0.1 %', '3.4 %', '50 %']);
});

t.test('snippets carry typed values, or a tool’s tags for what comes from the contact', (t) => {
  const words = { id: 'words', type: 'text', x: 0, y: 0, width: 90, height: 20 } as const;
  const hero = { id: 'hero', type: 'image', x: 0, y: 0, width: 9, height: 9 } as const;
  const layers: Layer[] = [
    { ...hero, src: '{{photo}}' },
    { ...words, text: '{{brand}}: {{name}}, {{price}}' },
  ];
  const document = documentOf(layers, {
    output: { format: 'jpeg' },
    variables: [
      { name: 'unused', type: 'text', value: 'which no layer shows' },
      { name: 'photo', type: 'image', value: 'asset:1' },
      { name: 'brand', type: 'text', value: 'Northshore' },
      { name: 'name', type: 'text', value: 'friend' },
      { name: 'price', type: 'number', value: '5' },
    ],
  });
  const file = snippetTemplate('card', document);
  t.equal(file.file, 'card.jpg');
  const values = snippetValues(document, { price: 7, gone: 'x' });
  const found = values.map(({ name, value, isPersonal }) => `${name}=${value} ${isPersonal}`);
  t.same(found, ['photo= false', 'brand= false', 'name= true', 'price=7 false']);
  const plain = makeSnippets('https://x.example', file, values, undefined, document);
  t.equal(plain.link, 'https://x.example/v1/render/card.jpg?price=7');
  const tool = emailServices.find(({ id }) => id === 'klaviyo');
  const tagged = makeSnippets('https://x.example', file, values, tool, document);
  t.match(tagged.html, "name={{ first_name|default:'friend'|urlencode }}");
  t.match(tagged.curl, "'https://x.example/v1/render/card.jpg?price=7'", 'a shell has no contacts');
  t.end();
});

t.test('snippets have the size that is chosen', async (t) => {
  const sizes = [{ name: 'story', width: 1080, height: 1920 }];
  const document = documentOf([], { width: 600, height: 200, sizes });
  t.same(linkSizes(document), sizes);
  t.same(linkSizes({ ...document, linkOptions: ['scale'] }), []);
  const story = snippetTemplate('card', document, 'story');
  const { link, html } = makeSnippets('https://x.example', story, [], undefined, document);
  t.equal(link, 'https://x.example/v1/render/card.png?_size=story');
  t.match(html, 'width="600" height="1067"');
  t.notMatch(typedLink('https://x.example', snippetTemplate('card', document), []), /_size/);
});

t.test('a link that is signed asks for the pixels of an email', async (t) => {
  const small = snippetTemplate('card', documentOf([], { width: 400, height: 200 }));
  const link = linkToSign('https://x.example', small, []);
  t.equal(link, 'https://x.example/v1/render/card.png?_scale=2');
  const closed = documentOf([], { width: 400, height: 200, linkOptions: ['format'] });
  const large = documentOf([], { width: 1200, height: 1000, output: { format: 'avif' } });
  const frames = Array.from({ length: 10 }, () => ({ values: {}, seconds: 1 }));
  const slides = { ...large, output: { format: 'gif' }, animation: { type: 'values', frames } };
  const webp = { ...large, output: { format: 'webp' as const } };
  const scaleOf = (document: Template) => snippetTemplate('card', document).scaleMax;
  t.same([closed, large, webp].map(scaleOf), [1, 1, 3]);
  t.equal(scaleOf(slides as Template), 1, 'no frame can be left out');
});

t.test('a link’s code is a document of the template language, as long as it fits', async (t) => {
  t.ok(checkTemplate(codeDocument('https://x.example/v1/render/card.png')).ok);
  t.equal(codeDocument(`https://x.example/${'a'.repeat(2000)}`), undefined);
});
