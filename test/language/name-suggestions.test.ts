import { layerSchemas } from '#language/schema/layers.ts';
import { suggestName } from '#language/check/name-suggestions.ts';
import t from 'tap';

const namesOf = (type: string): string[] =>
  Object.keys(layerSchemas[type as keyof typeof layerSchemas].properties);

t.test('a name is found in another spelling, with a slip, and by other tools’ words', async (t) => {
  const text = namesOf('text');
  const cases: [name: string, meant: string | undefined][] = [
    ['font-size', 'fontSize'],
    ['FONT_SIZE', 'fontSize'],
    ['fontsize', 'fontSize'],
    ['fontSzie', 'fontSize'],
    ['fontSiz', 'fontSize'],
    ['witdh', 'width'],
    ['heigth', 'height'],
    ['opactiy', 'opacity'],
    ['textAlign', 'align'],
    ['lineClamp', 'maxLines'],
    ['color', 'fill'],
    ['border-radius', 'cornerRadius'],
    ['content', 'text'],
    ['left', 'x'],
    ['sides', undefined],
    ['unicorn', undefined],
    ['constructor', undefined],
    ['__proto__', undefined],
    ['toString', undefined],
    ['', undefined],
    ['fontSize'.repeat(10_000), undefined],
  ];
  for (const [name, meant] of cases) t.equal(suggestName(name, text), meant, name.slice(0, 20));
  t.equal(suggestName('content', namesOf('qr')), 'value', 'what the object has');
  t.equal(suggestName('src', namesOf('svg')), 'svg');
  t.equal(suggestName('anything', []), undefined);
});

t.test('every name stands for itself, also with its middle letters swapped', async (t) => {
  for (const type of Object.keys(layerSchemas)) {
    const names = namesOf(type);
    for (const name of names) {
      t.equal(suggestName(name, names), name);
      const middle = Math.floor(name.length / 2);
      if (name.length < 6) continue;
      const swapped =
        name.slice(0, middle - 1) + name[middle] + name[middle - 1] + name.slice(middle + 1);
      t.equal(suggestName(swapped, names), name, swapped);
    }
  }
});
