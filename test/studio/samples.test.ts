import fc from 'fast-check';
import t from 'tap';
import type { Layer } from '#language/schema/layers.ts';
import type { ScalarVariable, Template, Variable } from '#language/schema/template.ts';
import type { TextKind } from '../../src/studio/samples/likely-values.ts';
import {
  cutToLength,
  largestNumber,
  likelyText,
  smallestNumber,
} from '../../src/studio/samples/likely-values.ts';
import {
  createSavedPresets,
  savedPresetsMax,
  parsePresets,
  breaksImages,
  builtInPresets,
  changedValues,
  valuePresets,
  valuesKey,
} from '../../src/studio/samples/presets.ts';
import { presetWarnings } from '../../src/studio/samples/preset-warnings.ts';
import { documentOf } from './documents.ts';

function textLayer(id: string, text: string): Layer {
  return { id, type: 'text', x: 0, y: 0, width: 100, height: 40, text };
}

function template(variables: Variable[], layers: readonly object[]): Template {
  return documentOf(layers, { variables });
}

t.test('each kind of value has a preset, and only what makes a difference is in it', async (t) => {
  const document = template(
    [
      { name: 'first_name', type: 'text', value: 'Ann', maxLength: 12 },
      { name: 'note', type: 'text', value: 'Hello', whenEmpty: 'empty' },
      { name: 'price', type: 'number', value: '49', min: 5 },
      { name: 'photo', type: 'image', value: 'https://example.com/a.png' },
      { name: 'tone', type: 'color', value: '#ffffff' },
      { name: 'isNew', type: 'boolean', value: 'true' },
      { name: 'code', type: 'text', value: '4006381333931' },
    ],
    [
      { id: 'group', type: 'group', layers: [textLayer('a', 'Hi {{ first_name }}')] },
      { id: 'b', type: 'text', spans: [{ text: '{{note}} {{price}}' }] },
      { id: 'bar', type: 'barcode', kind: 'ean13', value: '{{code}}' },
    ],
  );
  const presets = new Map(builtInPresets(document).map(({ id, values }) => [id, values]));
  t.equal(
    [...presets.keys()].join(' '),
    'defaults longest shortest word emoji rtl cjk largest smallest dark inverted broken',
    'no light preset: the colour is white already',
  );
  t.match(presets.get('longest'), { first_name: 'Maximilian A', price: 9999 });
  t.same(presets.get('shortest'), { first_name: 'Jo', note: '', price: 5 });
  t.same(presets.get('dark'), { tone: '#111111' });
  t.same(presets.get('inverted'), { isNew: false });
  t.match(presets.get('rtl'), { first_name: /\p{Script=Arabic}/u });
  t.match(presets.get('cjk'), { first_name: /\p{Script=Han}/u });
  t.match(presets.get('broken'), { photo: /^data:image\/png/ });
  for (const values of presets.values()) t.notOk('code' in values, 'nobody’s name is a barcode');
  const [first, ...others] = builtInPresets(template([], []));
  t.same([first?.id, others], ['defaults', []]);
});

t.test('no value is longer than its variable allows, and none ends in half a letter', async (t) => {
  const kinds: TextKind[] = ['longest', 'shortest', 'word', 'emoji', 'rtl', 'cjk'];
  fc.assert(
    fc.property(
      fc.constantFrom('name', 'offer', 'city', 'valid_until_date', 'price', 'x'),
      fc.string({ unit: 'grapheme', maxLength: 60 }),
      fc.integer({ min: 1, max: 80 }),
      fc.constantFrom(...kinds),
      (name, value, maxLength, kind) => {
        const text = likelyText({ name, type: 'text', value, maxLength }, kind);
        return Array.from(text).length <= maxLength && text.isWellFormed();
      },
    ),
  );
  t.equal(cutToLength('ab👩‍👩‍👧c', 6), 'ab', 'a family of five code points is whole or not there');
  t.equal(cutToLength('ab👩‍👩‍👧c', 7), 'ab👩‍👩‍👧');
});

t.test('a fact stays what it is in every script, and an amount keeps its currency', async (t) => {
  const price: Variable = { name: 'price', type: 'text', value: '€ 28' };
  t.equal(likelyText(price, 'longest'), '€ 1,299,999.00');
  t.equal(likelyText({ ...price, value: '' }, 'longest'), '$1,299,999.00');
  for (const kind of ['shortest', 'word', 'emoji', 'rtl', 'cjk'] as const) {
    t.equal(likelyText(price, kind), '€ 28', kind);
  }
  t.match(
    likelyText({ name: 'offer', type: 'text', value: 'Half price' }, 'longest'),
    /^Half price with /,
  );
});

t.test('numbers go to their bounds, or to what is likely without them', async (t) => {
  const number = (facts: object): ScalarVariable => {
    return { name: 'n', type: 'number', value: '49', ...facts };
  };
  const largest = [{}, { max: 5 }, { value: '', min: 500_000 }].map(number).map(largestNumber);
  t.same(largest, [9999, 5, 500_000]);
  const smallest = [{}, { min: 3 }, { max: -4 }].map(number).map(smallestNumber);
  t.same(smallest, [0, 3, -4]);
});

t.test('values are distinguished by what they draw', async (t) => {
  t.equal(valuesKey({ a: 1, b: 'x' }), valuesKey({ b: 'x', a: '1' }));
  t.not(valuesKey({ a: 1 }), valuesKey({ a: 2 }));
  const { variables } = template([{ name: 'a', type: 'text', value: 'x' }], []);
  t.same(changedValues({ a: 'x', gone: 'y' }, { variables }), {});
  t.same(changedValues({ a: 'z' }, { variables }), { a: 'z' });
});

t.test('saved presets are kept by name, and never more than their limit', async (t) => {
  const kept = new Map<string, string>();
  const storage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
  const saved = createSavedPresets('card', () => storage);
  t.ok(saved.save(' Ann ', { name: 'Ann' }));
  t.ok(saved.save('Ann', { name: 'Anna' }), 'again, in place of the first');
  t.notOk(saved.save('  ', {}));
  const again = createSavedPresets('card', () => storage).list.value;
  t.match(again, [{ name: 'Ann', values: { name: 'Anna' }, isSaved: true }]);
  t.same(createSavedPresets('other', () => storage).list.value, []);
  for (let count = 1; count < savedPresetsMax; count += 1) t.ok(saved.save(`Preset ${count}`, {}));
  t.notOk(saved.save('One more', {}));
  saved.remove('own-Ann');
  t.ok(saved.save('One more', {}));
  t.same(parsePresets({ name: 'x' }), []);
  const [first, second] = [{ b: {}, c: 1 }, {}].map((values) => ({ name: 'a', values }));
  const stored = [first, { name: 5 }, null, second];
  t.match(parsePresets(stored), [{ name: 'a', values: { c: 1 } }]);
  t.equal(parsePresets(stored).length, 1);
  const forbidden = createSavedPresets('card', () => {
    throw new Error('forbidden');
  });
  t.ok(forbidden.save('Ann', {}), 'without a storage, presets last as long as the page');
});

t.test('one variable alone can be tried with what fits its type, and empty', async (t) => {
  const namesOf = (facts: Partial<ScalarVariable>): string[] =>
    valuePresets({ name: 'v', type: 'text', value: 'Ann', ...facts }).map(({ name }) => name);
  const scripts = ['One long word', 'Emoji', 'Right to left', 'Japanese'];
  const all = ['Longest likely', 'Shortest', ...scripts, 'Empty'];
  for (const [facts, names] of [
    [{ name: 'first_name' }, all],
    // No shorter one.
    [{ name: 'first_name', whenEmpty: 'empty' }, all.toSpliced(1, 1)],
    // A fact has one script.
    [{ name: 'code' }, ['Longest likely', 'Empty']],
    [{ type: 'image', value: 'asset:1' }, ['Broken image', 'Empty']],
    [{ type: 'color', value: '#ffffff' }, ['Dark colours', 'Empty']],
    [{ type: 'boolean', value: 'true' }, ['Inverted', 'Empty']],
    [{ type: 'number', value: '5' }, ['Longest likely', 'Shortest', 'Empty']],
    // What is the default is not offered.
    [{ type: 'image', value: '' }, ['Broken image']],
  ] as const) {
    t.same(namesOf(facts), names);
  }
});

t.test('a preset that breaks images is no cause for a warning where each has a default', (t) => {
  const photo = { name: 'photo', type: 'image', value: 'asset:1' } as const;
  const preset = (id: string, isSaved = false) => ({ id, name: id, values: {}, isSaved });
  t.ok(breaksImages(preset('broken'), template([photo], [])));
  t.notOk(breaksImages(preset('broken'), template([photo, { ...photo, value: '' }], [])));
  t.notOk(breaksImages(preset('longest'), template([photo], [])));
  t.notOk(breaksImages(preset('broken', true), template([photo], [])), 'one of the user');
  const alone = template([photo], []);
  t.notOk(breaksImages(preset('broken'), { ...alone, onError: 'json' }), 'readers see an error');
  t.ok(breaksImages(preset('broken'), { ...alone, onError: 'json', onImageError: 'default' }));
  t.end();
});

t.test('a warning names its layer and the value that caused it', async (t) => {
  const box = { x: 0, y: 0, width: 1, height: 1, rotation: 0 };
  const text = {
    text: 'Maximilian\nAlexander',
    lines: [],
    fontSize: 12,
    overflow: 'overflows' as const,
    missingGlyphs: ['𒀀'],
    contrast: 2.04,
    contrastMin: 4.5,
  };
  const layers = [{ id: 'title', type: 'text', box, text, warnings: [] }];
  const warning = (code: string, detail = 'detail') => ({ code, layer: 'title', detail });
  const damaged = 'the link would answer 400: the image of "photo" is damaged.';
  const reported = presetWarnings(
    {
      layers,
      warnings: [
        warning('TEXT_OVERFLOWS'),
        warning('TEXT_OVERFLOWS'),
        warning('GLYPH_MISSING'),
        warning('LOW_CONTRAST'),
        warning('IMAGE_FAILED'),
        { ...warning('IMAGE_FAILED', damaged), linkStatus: 400 },
        warning('CODE_TOO_SMALL', 'its modules are small'),
        { code: 'FONT_MISSING', detail: 'no such font' },
      ],
    },
    template([], [{ ...textLayer('title', '{{name}}'), name: 'Title' }]),
  );
  t.same(
    reported.map((each) => each.text),
    [
      'Title: does not fit at “Maximilian Alexander”',
      'Title: no font has 𒀀',
      'Title: low contrast, 2.0 to 1; 4.5 to 1 reads well',
      'Title: the image cannot be loaded; its default is drawn, or nothing',
      `Title: ${damaged}`,
      'Title: its modules are small',
      'No such font',
    ],
  );
  t.equal(reported[0]?.brief, 'Does not fit at “Maximilian Alexander”');
  t.equal(reported[0]?.layer, 'title');
  t.equal(reported.at(-1)?.layer, undefined);
});
