import * as fc from 'fast-check';
import t from 'tap';
import { alternativeText } from '#language/bind/alternative-text.ts';
import { clockUnitOf } from '#language/clock/clock-use.ts';
import { templateTexts } from '#language/image-texts.ts';
import type { Layer } from '#language/schema/layers.ts';
import { checkTemplate } from '#language/template.ts';
import type { Template } from '#language/schema/template.ts';
import { defaultText } from '#language/values/list-value.ts';
import { aLayer } from '../fixtures/template-documents.ts';

let count = 0;

function text(words: string, x: number, y: number, rest: object = {}): Layer {
  count += 1;
  const box = { id: `t${count}`, x, y, width: 200, height: 40 };
  return { ...box, type: 'text', text: words, fontFamily: 'Inter', fontSize: 20, ...rest };
}

function template(layers: readonly Layer[], rest: Partial<Template> = {}): Template {
  const size = { format: 1, width: 1200, height: 600 } as const;
  return { ...size, name: 'Banner', variables: [], layers: [...layers], ...rest };
}

function say(document: Template, given: Record<string, string> = {}, lang?: string): string {
  const defaults = document.variables.map((each) => [each.name, defaultText(each)] as const);
  return alternativeText(document, new Map([...defaults, ...Object.entries(given)]), { lang });
}

const name = { name: 'name', type: 'text', value: 'friend' } as const;
const price = { name: 'price', type: 'number', value: '5' } as const;

t.test('an image says its texts in reading order, whatever covers what', async () => {
  const layers = [
    text('Shop now', 40, 500),
    text('For you', 40, 160),
    text('★★★', 40, 220),
    text('Spring sale', 40, 40),
  ];
  fc.assert(
    fc.property(fc.shuffledSubarray(layers, { minLength: 4 }), (shuffled) => {
      return say(template(shuffled)) === 'Spring sale, For you, Shop now';
    }),
  );
});

t.test('a label is read with the value below it, and columns one after another', async (t) => {
  const layers = [
    text('14', 400, 145),
    text('Seat', 400, 100),
    text('Ana', 40, 145),
    text('Name', 40, 100),
    text('Ticket', 40, 20, { width: 560 }),
  ];
  t.equal(say(template(layers)), 'Ticket, Name, Ana, Seat, 14');
  t.equal(say(template(layers, { lang: 'ar' })), 'Ticket, Seat, 14, Name, Ana', 'from the right');
  t.equal(say(template(layers), {}, 'he'), 'Ticket, Seat, 14, Name, Ana', 'by the link');
});

t.test('layers without a gap, in a stack or at a bound position keep their order', async (t) => {
  t.equal(say(template([text('b', 10, 10), text('a', 0, 0)])), 'b, a');
  const y = { name: 'y', type: 'number', value: '300' } as const;
  const bound = [text('below', 0, 0, { y: '{{y}}' }), text('above', 0, 100)];
  t.equal(say(template(bound, { variables: [y] })), 'above, below', 'a value moves it');
  t.same(templateTexts(template(bound, { variables: [y] })), [['below'], ['above']]);
  const children = [text('c', 0, 0), text('d', 0, 0)];
  const stack = aLayer('stack', { y: 300, layers: children }) as unknown as Layer;
  t.equal(say(template([stack, text('e', 0, 0)])), 'e, c, d');
});

t.test('the alt of a template says what its author wrote, with the values', async (t) => {
  const alt = 'Hello {{name}},\n your total is {{price | currency:EUR}}';
  const document = template([text('{{name}}', 0, 0)], { alt, variables: [name, price] });
  t.ok(checkTemplate(document).ok);
  t.equal(say(document), 'Hello friend, your total is €5.00');
  t.equal(say(document, { name: '  Ana\n{{price}}' }), 'Hello Ana {{price}}, your total is €5.00');
  t.equal(say(document, {}, 'de'), 'Hello friend, your total is 5,00 €');
  t.equal(say({ ...document, alt: '' }), '', 'an ornament');
  t.equal(say(template([])), 'Banner', 'an image without words');
  t.same(templateTexts(document), [
    ['Hello ', { variable: 'name' }, ',\n your total is ', { variable: 'price' }],
  ]);
  t.same(templateTexts({ ...document, alt: '' }), [[]]);
});

t.test('an alternative text is short enough to be read aloud', async (t) => {
  const long = template([text('{{name}}', 0, 0)], { variables: [name] });
  for (const document of [long, { ...long, alt: '{{name}} {{name}}' }]) {
    const said = say(document, { name: '😀a'.repeat(999) });
    t.equal(said.length, 2000);
    t.ok(said.isWellFormed());
  }
});

t.test('an alt that cannot be used is refused in words', async (t) => {
  const document = (alt: unknown): object => ({ ...template([], { variables: [name] }), alt });
  const messageOf = (alt: unknown): string => {
    const result = checkTemplate(document(alt));
    return result.ok ? '' : result.problems.map((each) => `${each.path} ${each.message}`).join();
  };
  t.match(messageOf('Hi {{nmae}}'), /^alt binds \{\{nmae\}\}.* did you mean \{\{name\}\}\?$/);
  t.match(messageOf('{{name | curency:EUR}}'), /^alt binds \{\{name\}\} with the format "curency"/);
  t.match(messageOf('x'.repeat(1001)), /^alt .*1,?000 characters/);
  t.match(messageOf(5), /^alt is 5, expected a text/);
  t.equal(messageOf('x'.repeat(1000)), '');
});

t.test('an alt with a date needs the clock, as a text with one does', async (t) => {
  const day = { name: 'day', type: 'date', value: '2026-11-23' } as const;
  const plain = template([], { alt: '{{day | date:long}}', variables: [day] });
  t.equal(clockUnitOf(plain), undefined);
  const relative = template([], { alt: 'Ends {{day | relative:hour}}', variables: [day] });
  t.ok(checkTemplate(relative).ok);
  t.equal(clockUnitOf(relative), 'minute');
  const timeMs = Date.UTC(2026, 10, 22);
  t.equal(alternativeText(relative, new Map([['day', '2026-11-23']]), { timeMs }), 'Ends tomorrow');
});

t.test('a cut leaves no isolate open', async (t) => {
  const hebrew = template([], { alt: 'שלום {{name}}!', variables: [name] });
  for (const inner of ['', '\u2067', '\u2067\u2066']) {
    const value = `${inner}${'x'.repeat(3000)}${'\u2069'.repeat(inner.length)}`;
    const said = say(hebrew, { name: value });
    t.equal(said.length, 2000);
    t.match(said, new RegExp(`x…\u2069{${inner.length + 1}}$`));
  }
});

t.test('values of the other direction stand isolated', async (t) => {
  const alt = template([text('unread', 0, 0)], {
    alt: 'For {{name}}: {{price}}!',
    variables: [name, price],
  });
  t.equal(say(alt, { name: 'דוד' }), 'For \u2068דוד\u2069: \u20685\u2069!');
  t.equal(say(alt, { name: 'Zoë' }), 'For Zoë: 5!', 'none where all reads left to right');
  const hebrew = template([], { alt: 'שלום {{name}}!', variables: [name] });
  t.equal(say(hebrew, { name: 'Zoë (VIP)' }), 'שלום \u2068Zoë (VIP)\u2069!');
  t.equal(say(hebrew, { name: 'a\u2069\u202Eb' }), 'שלום \u2068a\u202Eb\u2069!');
  const layers = [text('Hello {{name}}.', 0, 0), text('3 nights', 0, 100, { hyphenate: true })];
  const document = template(layers, { variables: [name] });
  t.equal(
    say(document, { name: 'דוד' }),
    '\u2068Hello \u2068דוד\u2069.\u2069 \u20683 nights\u2069',
    'and texts side by side',
  );
  const hyphenated = template([text('To {{name}}', 0, 0, { hyphenate: true })], {
    variables: [name],
  });
  t.equal(say(hyphenated), 'To friend', 'hyphenated words have none');
});
