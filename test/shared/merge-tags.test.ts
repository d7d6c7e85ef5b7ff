import { isUnmergedTag } from '#language/bind/merge-tags.ts';
import * as fc from 'fast-check';
import t from 'tap';

const tags = [
  '{{ first_name }}',
  '{{first_name}}',
  '{{ first_name | default: "friend" }}',
  '{{{ first_name }}}',
  '{{${first_name}}}',
  '{{${first_name} | default: "you"}}',
  '{{custom_attribute.${tier}}}',
  '{{}}',
  '*|FNAME|*',
  '*|IF:FNAME|*',
  '%FIRSTNAME%',
  '%first_name%',
  '%recipient.first_name%',
  '%%first%%',
  '%%=v(@first)=%%',
  '{!Contact.FirstName}',
  '[[x]]',
  '[[data:name:"there"]]',
  '<%= x %>',
  '<%=name%>',
  '${x}',
  '${recipient.name}',
  '{% if name %}',
  ' *|FNAME|* ',
  '*|FNAME|* *|LNAME|*',
  '{{ first }} {{ last }}',
  '{% if x %}{{ x }}{% endif %}',
];

const texts = [
  '',
  ' ',
  'Amanda',
  'Hi {{ name }}',
  '{{ name }}!',
  '*|FNAME|* Smith',
  '50% off',
  '100%',
  '5% or 10%',
  '50% off, 20% back',
  '%',
  '%%',
  '{}',
  '{name}',
  '{{',
  '{{ name',
  '{{ name }',
  '[x]',
  '[ [x] ]',
  '$5',
  '$ {x}',
  '<b>x</b>',
  '* | x | *',
  '*|x',
  'a*|x|*',
];

t.test('a value that is nothing but tags of mailing tools is unmerged', async (t) => {
  for (const tag of tags) t.equal(isUnmergedTag(tag), true, JSON.stringify(tag));
});

t.test('a value with anything else in it is text', async (t) => {
  for (const text of texts) t.equal(isUnmergedTag(text), false, JSON.stringify(text));
});

t.test(
  'any string is judged without throwing, and tags in a row are as unmerged as each alone',
  async (t) => {
    const row = fc.array(fc.constantFrom(...tags), { minLength: 1 }).map((each) => each.join(' '));
    t.doesNotThrow(() => {
      fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => void isUnmergedTag(text)));
      fc.assert(fc.property(row, isUnmergedTag));
    });
  },
);

t.test('a hostile value of 16 KiB is judged in a moment', async (t) => {
  for (const unit of [
    '{',
    '{{',
    '{{${',
    '*|',
    '%',
    '%%',
    '[[',
    '<%',
    '${',
    '{%',
    '{{a}}',
    '%a',
    ' ',
  ]) {
    // 64 times the longest link: a search that goes back would take longer than the test may.
    const value = unit.repeat(Math.floor((1024 * 1024) / unit.length));
    t.type(isUnmergedTag(`${value}!`), 'boolean', JSON.stringify(unit));
  }
});
