import {
  emptyWords,
  findUnmergedTag,
  isEmptyWord,
  isUnmergedTag,
} from '#language/bind/merge-tags.ts';
import * as fc from 'fast-check';
import t from 'tap';
import { extent } from '../helpers/extent.ts';
import { formsByService, texts } from '../helpers/merge-tag-forms.ts';
import { anyCodePoint } from '../helpers/code-points.ts';

const forms = Object.entries(formsByService).flatMap(([service, ofService]) =>
  ofService.map((form) => ({ service, form })),
);

t.test('a value that is nothing but tags of an email service is unmerged', async (t) => {
  t.ok(forms.length >= 44, 'as many as were tried');
  for (const { service, form } of forms) {
    t.equal(isUnmergedTag(`  ${form}\t`), true, `${service}: ${form} in white space`);
    t.equal(findUnmergedTag(form), form, `${service}: ${form}`);
  }
  for (const row of ['{% if x %}{{ x }}{% endif %}', '-first_name- -last_name-'])
    t.equal(isUnmergedTag(row), true, row);
});

t.test('a tag is known however often its link was encoded, up to four times', async (t) => {
  for (const { service, form } of forms) {
    // Words between signs are read in ASCII.
    if (form === '[PRÉNOM]') continue;
    let encoded = form;
    // A link is decoded once before.
    for (const times of ['double', 'triple', 'fourfold']) {
      encoded = encodeURIComponent(encoded);
      t.equal(isUnmergedTag(encoded), true, `${service}, ${times}: ${encoded}`);
      t.equal(isUnmergedTag(encoded.toLowerCase()), isUnmergedTag(form.toLowerCase()), encoded);
    }
  }
  t.equal(isUnmergedTag('%7B%7B+first_name+%7D%7D'), true, 'a space as a plus');
});

t.test('a tag that an editor of emails wrote as HTML is known', async (t) => {
  const codesOf = (form: string, write: (code: number) => string): string =>
    form.replaceAll(/[^\p{L}\p{N}\s]/gu, (sign) => write(sign.codePointAt(0) ?? 0));
  for (const { service, form } of forms) {
    const named = form.replaceAll(/[&<>"{}[\]*|%$#!=]/g, (sign) => `&${htmlNames[sign] ?? ''};`);
    const decimal = codesOf(form, (code) => `&#${code};`);
    const hex = codesOf(form, (code) => `&#x${code.toString(16)};`);
    for (const written of [named, decimal, hex, decimal.replaceAll('&', '&amp;')]) {
      t.equal(isUnmergedTag(written), true, `${service}: ${written}`);
    }
  }
  t.equal(findUnmergedTag('Hi &#123;&#123; name &#125;&#125;!'), '{{ name }}');
  for (const text of ['R&amp;D', '&lt;3', 'A &#38; B', '&#12', '&nosuch;', '50 &percnt; off']) {
    t.equal(findUnmergedTag(text), undefined, text);
  }
});

/** The names of these signs in HTML. */
const htmlNames: Readonly<Record<string, string>> = Object.fromEntries(
  '&amp <lt >gt "quot {lbrace }rcub [lsqb ]rbrack *ast |verbar %percnt $dollar #num !excl =equals'
    .split(' ')
    .map((each) => [each.slice(0, 1), each.slice(1)]),
);

t.test('a value with anything else in it is text', async (t) => {
  for (const text of texts) {
    t.equal(isUnmergedTag(text), false, JSON.stringify(text));
    t.equal(isUnmergedTag(encodeURIComponent(text)), false, `${JSON.stringify(text)}, encoded`);
  }
});

t.test('a word between signs is a tag for the variable of that name alone', async (t) => {
  const signs = '[OFFER] [Offer] {offer} -offer- #offer# $OFFER$ ~offer~'.split(' ');
  for (const tag of [...signs, '[OFFER|two for one]']) {
    t.equal(isUnmergedTag(tag, 'offer'), true, tag);
    t.equal(isUnmergedTag(tag, 'items.0.offer'), true, `${tag}, a field of a list`);
    t.equal(isUnmergedTag(tag, 'headline'), false, `${tag}, another variable`);
    t.equal(isUnmergedTag(tag), false, tag);
  }
  t.equal(isUnmergedTag('[ZWEITE_ZEILE]', 'Zweite Zeile'), true);
  t.equal(isUnmergedTag('(offer)', 'offer'), false);
  t.equal(isUnmergedTag('offer', 'offer'), false);
});

t.test('a tag inside a text is found, so that a check before sending can name it', async (t) => {
  const found: [text: string, tag: string][] = [
    ['Hi {{first_name}}!', '{{first_name}}'],
    ['Dear *|FNAME|* Smith', '*|FNAME|*'],
    ['Dear %FIRSTNAME%,', '%FIRSTNAME%'],
    ['Hi %%first name%%!', '%%first name%%'],
    ['%%=v(@first)=%%, welcome', '%%=v(@first)=%%'],
    ['Hola {contactfield=firstname|equipo}.', '{contactfield=firstname|equipo}'],
    ['Hello [Name,fallback=friend]!', '[Name,fallback=friend]'],
    ['For $[FNAME]$ only', '$[FNAME]$'],
    ['Hi%20%7B%7Bname%7D%7D', '{{name}}'],
    ['https://x.example/{{id}}.png', '{{id}}'],
  ];
  for (const [text, tag] of found) {
    t.equal(findUnmergedTag(text), tag, text);
    t.equal(isUnmergedTag(text), false, `${text} is drawn as it is`);
  }
});

t.test('no text of people is reported as one with a tag', async (t) => {
  const withTags = new Set(['Hi {{ name }}', '{{ name }}!', '*|FNAME|* Smith', 'a*|x|*']);
  for (const text of texts) {
    if (!withTags.has(text)) t.equal(findUnmergedTag(text), undefined, JSON.stringify(text));
  }
});

t.test('names, prices, times and signs make no tags, in any order', async () => {
  const pieces = [
    'Jean-Luc Anne Ng José sale VIP and off Müller-Lüdenscheidt 李 x',
    `50% $5 5_€ 10:30 @amanda #1 100_% 3-for-2 1.000,00 it's 24/7`,
    '(new) [VIP] -50- “ ” – & + ! ? … <3 * { } |',
  ].map((row) => row.split(' ').map((each) => each.replace('_', ' ')));
  const piece = fc.oneof(...pieces.map((row) => fc.constantFrom(...row)));
  const text = fc.array(piece, { minLength: 1, maxLength: 6 }).map((each) => each.join(' '));
  fc.assert(
    fc.property(text, (each) => !isUnmergedTag(each) && findUnmergedTag(each) === undefined),
    { numRuns: 2000 },
  );
});

t.test('no string throws, and tags in a row are as unmerged as each alone', async () => {
  const tag = fc.constantFrom(...forms.map(({ form }) => form));
  const row = fc.array(tag, { minLength: 1 }).map((each) => each.join(' '));
  fc.assert(
    fc.property(fc.string({ unit: anyCodePoint }), (text) => void findUnmergedTag(text, text)),
  );
  // What is a tag as a whole is found as one.
  fc.assert(
    fc.property(row, (each) => isUnmergedTag(each) && findUnmergedTag(each) === each.trim()),
  );
});

t.test('a hostile value of a megabyte is judged in a moment', async (t) => {
  // 16 or 64 times the longest link: a search that goes back would take longer than the test may.
  const length = extent(256, 1024) * 1024;

  const units = '{ {{ {{${ *| % %% %%= [[ [ [a, [a%% <% ${ $[a {% {$a [%';
  const words = '{{a}} %a {field {a #recipient: [subscriber: %25 %7B -name -a- # ~a';
  for (const unit of [' ', ...units.split(' '), ...words.split(' ')]) {
    const value = unit.repeat(Math.floor(length / unit.length));
    t.type(isUnmergedTag(`${value}!`, value), 'boolean', JSON.stringify(unit));
    t.not(findUnmergedTag(`${value}!`), null, JSON.stringify(unit));
  }
});

t.test('a word of programs for a missing value is empty for those who choose it', async (t) => {
  for (const word of emptyWords) {
    for (const text of [word, word.toUpperCase(), word.toLowerCase(), ` ${word} `]) {
      t.equal(isEmptyWord(text, [word]), true, text);
      t.equal(isEmptyWord(text, []), false, text);
      t.equal(isEmptyWord(text, undefined), false, text);
      t.equal(isUnmergedTag(text), false, text);
    }
    t.equal(isEmptyWord(`${word}a`, emptyWords), false);
  }
  t.equal(isEmptyWord('Nullius', emptyWords), false);
});
