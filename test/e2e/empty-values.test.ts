import { join } from 'node:path';
import t from 'tap';
import { startOrigin } from '../fixtures/images-origin.ts';
import { checkDifferent, checkSame, plainImage, sends } from './image-bytes.ts';
import { fillDataDirectory, imageLayer, textLayer, textVariable } from './published.ts';
import { checkError } from './request.ts';
import { startService } from './service.ts';

const [red, green] = [await plainImage('#ff0000'), await plainImage('#00ff00')];
const origin = await startOrigin({ '/red.png': sends(red) });
t.teardown(() => origin.close());

/** Every syntax that the contract lists, and what stands beside it in real emails. */
const mergeTags = [
  '{{ first_name }}',
  '{{first_name}}',
  '{{ person.first_name }}',
  '{{${x}}}',
  '{{custom_attribute.${first name}}}',
  '*|FNAME|*',
  '*|MERGE1|*',
  '%FIRSTNAME%',
  '%DATE_OF_BIRTH%',
  '%FACT%',
  '%recipient.x%',
  '%recipient.first_name%',
  '%%first%%',
  '%%first_name%%',
  '{!Contact.FirstName}',
  '[[x]]',
  '[[data:first_name:""]]',
  '<%= x %>',
  '<%= user.first_name %>',
  '${x}',
  '${user.firstName}',
  '{contactfield=firstname}',
  '{contactfield=firstname|there}',
  '{{ .Subscriber.FirstName }}',
  '[Name,fallback=]',
  '[firstname,fallback=friend]',
  '[FIRST NAME%%friend]',
  '[NAME]',
  '[EMAIL] [NAME]',
  '{$name}',
  '[[contact.first_name]]',
  '{{defaultIfEmpty firstName "friend"}}',
  '{{CONTACT "subscriber_first_name"}}',
  '$[FNAME|friend]$',
  '-name-',
  '%7B%7Bname%7D%7D',
  '%257B%257Bname%257D%257D',
];

/** Texts that look like tags, and words for a missing value. */
const texts = [
  'O{name}Neill',
  '[VIP]',
  '(x)',
  '-50-',
  'Jean-Luc',
  '5-name-5',
  'null',
  'N/A',
  '10%',
];

/** Nothing at all, in the ways in which it is written. */
const blanks = ['', '+', '%20%20', '%09', '%0A', '%0D%0A', '%C2%A0'];

/** What a tool sends that encodes values; spaces once as `+` and once as `%20`. */
function encodings(tag: string): string[] {
  const encoded = encodeURIComponent(tag);
  return [encoded, encoded.replaceAll('%20', '+')];
}

/** What a tool sends that does not encode them; only what an HTTP target can carry at all. */
function unencoded(tag: string): string {
  return tag.replaceAll(' ', '+').replaceAll('"', '%22').replaceAll('<', '%3C');
}

const dataDirectory = fillDataDirectory(join(t.testdir(), 'data'), ({ publish, saveAsset }) => {
  const image = saveAsset(green);
  for (const whenEmpty of ['default', 'empty'] as const) {
    publish(whenEmpty, {
      variables: [
        textVariable('name', 'friend', { whenEmpty }),
        { name: 'photo', type: 'image', value: image, whenEmpty },
      ],
      layers: [textLayer('{{name}}', { width: 200 }), imageLayer('{{photo}}')],
    });
  }
  publish('unsaid', {
    variables: [textVariable('name', 'friend')],
    layers: [textLayer('{{name}}')],
  });
  publish('words', {
    emptyWords: ['null', 'undefined', 'NaN', 'N/A'],
    variables: [
      textVariable('name', 'friend'),
      { name: 'size', type: 'number', value: '20' },
      {
        name: 'items',
        type: 'list',
        fields: [{ name: 'title', type: 'text', value: '-' }],
        value: [],
      },
    ],
    layers: [textLayer('{{name}}', { fontSize: '{{size}}' as never })],
  });
  publish('no-text', { layers: [imageLayer(image)] });
  publish('no-image', { layers: [textLayer('friend', { width: 200 })] });
  publish('limits', {
    variables: [textVariable('short', '-', { maxLength: 10 }), textVariable('long', '-')],
    layers: [textLayer('{{short}} {{long}}')],
  });
  const typed = (color: string, size: number, isShown: boolean) => ({
    variables: [
      { name: 'color', type: 'color' as const, value: color },
      { name: 'size', type: 'number' as const, value: String(size), min: 5, max: 30 },
      { name: 'shown', type: 'boolean' as const, value: String(isShown) },
    ],
    layers: [
      textLayer('Typed', { fontSize: '{{size}}' as never, fill: '{{color}}' }),
      imageLayer(image, { visible: '{{shown}}' as never }),
    ],
  });
  publish('typed', typed('#ff0000', 10, true));
  publish('typed-given', typed('#0000ff', 20.5, false));
});
const service = await startService(t, { dataDirectory, origins: [origin] });

t.test('an empty value or an unmerged tag is the same as an omitted one', async (t) => {
  const [byDefault, unsaid] = [await service.render('default'), await service.render('unsaid')];
  const given = await service.render(`default?name=Bo&photo=${origin.url('/red.png')}`);
  await checkDifferent(t, given, byDefault, 'a value that is given is drawn');
  for (const value of [...blanks, ...mergeTags.flatMap(encodings), ...mergeTags.map(unencoded)]) {
    for (const [template, names, expected] of [
      ['default', ['name', 'photo'], byDefault],
      ['unsaid', ['name'], unsaid],
    ] as const) {
      for (const name of names) {
        const { status, headers, text } = await service.render(`${template}?${name}=${value}`);
        t.equal(status, 200, status === 200 ? `${name}=${value}` : text);
        t.equal(headers.etag, expected.headers.etag, `${name}=${value} is the default`);
      }
    }
  }
});

t.test('a text that looks like a tag is drawn', async (t) => {
  const byDefault = await service.render('default');
  for (const text of texts) {
    const given = await service.render(`default?name=${encodeURIComponent(text)}`);
    t.equal(given.status, 200, text);
    t.not(given.headers.etag, byDefault.headers.etag, text);
  }
});

t.test('a template chooses the words that count as empty', async (t) => {
  const { etag } = (await service.render('words')).headers;
  for (const word of ['null', 'NULL', 'undefined', 'NaN', 'n/a', '+null+']) {
    t.equal((await service.render(`words?name=${word}`)).headers.etag, etag, word);
    t.equal((await service.render(`words?size=${word}`)).headers.etag, etag, `a number: ${word}`);
    const list = encodeURIComponent(`[{"title":"${word.replaceAll('+', ' ')}"}]`);
    t.equal((await service.render(`words?items=${list}`)).headers.etag, etag, `a list: ${word}`);
  }
  for (const text of ['None', 'nil', 'Nullius', 'null+and+void']) {
    t.not((await service.render(`words?name=${text}`)).headers.etag, etag, text);
  }
  checkError(t, await service.render('default?photo=null'), 400, 'BAD_REQUEST');
});

t.test(
  'with whenEmpty: "empty" the same values draw nothing, and an omitted one the default',
  async (t) => {
    const [whole, noText, noImage] = await Promise.all(
      ['empty', 'no-text', 'no-image'].map((uid) => service.render(uid)),
    );
    if (whole === undefined || noText === undefined || noImage === undefined) return;
    await checkSame(t, whole, await service.render('default'), 'omitted');
    const [emptyName, emptyPhoto] = [
      await service.render('empty?name='),
      await service.render('empty?photo='),
    ];
    await checkSame(t, emptyName, noText, 'no text is drawn');
    await checkSame(t, emptyPhoto, noImage, 'no image is drawn');
    for (const value of [...blanks, ...mergeTags.map((tag) => encodeURIComponent(tag))]) {
      const name = await service.render(`empty?name=${value}`);
      t.equal(name.headers.etag, emptyName.headers.etag, `name=${value}`);
      const photo = await service.render(`empty?photo=${value}`);
      t.equal(photo.headers.etag, emptyPhoto.headers.etag, `photo=${value}`);
    }
  },
);

t.test('a tag inside other words is text', async (t) => {
  const byDefault = await service.render('default');
  for (const value of ['Hi {{name}}', 'Hi *|FNAME|*', '100% you, 50% me', '{', '[x]', '$5']) {
    const answer = await service.render(`default?name=${encodeURIComponent(value)}`);
    await checkDifferent(t, answer, byDefault, value);
  }
});

t.test(
  'a text may have as many characters as its limit, and one more is 400 that names it',
  async (t) => {
    for (const [name, max] of [
      ['short', 10],
      ['long', 2000],
    ] as const) {
      for (const character of ['x', '🎉']) {
        const text = encodeURIComponent(character);
        if (text.length * max > 15_000) continue;
        const good = await service.render(`limits?${name}=${text.repeat(max)}`);
        t.equal(good.status, 200, `${max} of ${character}`);
        const bad = await service.render(`limits?${name}=${text.repeat(max + 1)}`);
        t.match(checkError(t, bad, 400, 'BAD_REQUEST'), name, 'the message names the variable');
      }
    }
  },
);

t.test('colours, numbers and booleans take their values, and others are 400', async (t) => {
  const expected = await service.render('typed-given');
  for (const color of ['0000ff', '%230000ff', '00F', '%2300f']) {
    for (const shown of ['false', 'no', '0', 'FALSE']) {
      const answer = await service.render(`typed?color=${color}&size=20.5&shown=${shown}`);
      await checkSame(t, answer, expected, `${color} ${shown}`);
    }
  }
  for (const [name, value] of [
    ['color', 'red;'],
    ['color', '%23ff'],
    ['size', 'large'],
    ['size', '4.9'],
    ['size', '31'],
    ['size', 'NaN'],
    ['shown', 'maybe'],
  ] as const) {
    const message = checkError(
      t,
      await service.render(`typed?${name}=${value}`),
      400,
      'BAD_REQUEST',
    );
    t.match(message, name, `${name}=${value}`);
  }
});
