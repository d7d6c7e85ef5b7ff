import { resolveLayers } from '#language/bind/layers.ts';
import { readXml } from '#language/check/xml-check.ts';
import type { Template } from '#language/schema/template.ts';
import * as fc from 'fast-check';
import t from 'tap';
import {
  aLayer,
  aTemplate,
  aVariable,
  plainVariables as variables,
  problemsOf,
  resolveValid as resolve,
} from '../fixtures/template-documents.ts';

t.test('a value stays text in markup', (t) => {
  const svg = '<svg viewBox="0 0 9 9"><text fill="{{c}}">{{name}}</text></svg>';
  const document = aTemplate({ variables, layers: [aLayer('svg', { svg })] });
  const [layer] = resolve(document, { name: `</text><script>"&'` }).layers;
  t.match(layer, {
    svg: '<svg viewBox="0 0 9 9"><text fill="#ff0000">&lt;/text&gt;&lt;script&gt;&quot;&amp;&#39;</text></svg>',
  });
  t.end();
});

const noText =
  /^layers\[0\]\.svg binds \{\{name\}\} in (.*); bind it in text or in another quoted attribute$/;

t.test('no value stands in markup where an escape would not keep it text', (t) => {
  const refused: [inside: string, where: string][] = [
    ['<!-- {{name}} -->', 'a comment'],
    ['<?php {{name}}?>', 'a processing instruction'],
    ['<{{name}}/>', 'the name of an element or attribute'],
    ['<g {{name}}="1"/>', 'the name of an element or attribute'],
    ['<g a{{name}}="1"/>', 'the name of an element or attribute'],
    ['<g xmlns:x="{{name}}"/>', 'a namespace'],
    ...[
      '<style>a{fill:{{name}}}</style>',
      '<g style="fill:{{name}}"/>',
      "<g style='{{name}}'/>",
    ].map((code): [string, string] => [
      code,
      'style sheets or CDATA, which take colours, numbers and booleans only',
    ]),
    [
      '<text><![CDATA[{{name}}]]></text>',
      'style sheets or CDATA, which take colours, numbers and booleans only',
    ],
  ];
  for (const [inside, where] of refused) {
    const svg = `<svg viewBox="0 0 9 9">${inside}</svg>`;
    const problems = problemsOf(aTemplate({ variables, layers: [aLayer('svg', { svg })] }));
    t.equal(noText.exec(problems[0] ?? '')?.[1], where, inside);
  }
  const unquoted = '<svg viewBox="0 0 9 9"><g x={{name}}/></svg>';
  t.match(problemsOf(aTemplate({ variables, layers: [aLayer('svg', { svg: unquoted })] })), [
    /^layers\[0\]\.svg is no well-formed XML: unquoted attribute value/,
  ]);
  t.end();
});

t.test('colours, numbers and booleans stand in style sheets too', (t) => {
  const svg =
    '<svg viewBox="0 0 9 9"><style>a{fill:{{c}};x:{{n}}}</style><g style="fill:{{c}};y:{{b}}"/></svg>';
  const [layer] = resolve(aTemplate({ variables, layers: [aLayer('svg', { svg })] })).layers;
  t.match(layer, {
    svg: '<svg viewBox="0 0 9 9"><style>a{fill:#ff0000;x:5}</style><g style="fill:#ff0000;y:true"/></svg>',
  });
  t.end();
});

t.test('a value in markup is never coloured, nor is a colour bound', (t) => {
  const svg =
    '<svg viewBox="0 0 9 9"><text fill="#000" stroke="currentColor">#000 {{name}} currentColor</text><g fill="url(#fed)"/></svg>';
  const colors = { '#000000': '{{name}}', currentColor: '{{c}}', '#fed': '#123' };
  const layers = [aLayer('svg', { svg, colors })];
  const document = aTemplate({
    variables: [aVariable('name', 'text', '#111'), ...variables.slice(1)],
    layers,
  });
  const values = { name: '#000 currentColor {{c}}', c: '#00ff00' };
  const { layers: resolved, invalid } = resolve(document, values);
  t.match(resolved[0], {
    svg: '<svg viewBox="0 0 9 9"><text fill="#111" stroke="#ff0000">#111 #000 currentColor {{c}} #ff0000</text><g fill="url(#fed)"/></svg>',
  });
  t.same(invalid, ['a'], 'a text that is no colour leaves the default');
  const still = aTemplate({
    layers: [aLayer('svg', { svg: svg.replace('{{name}}', ''), colors: { '#000': '#fff' } })],
  });
  const [first] = resolve(still).layers;
  t.match(first, { svg: /<text fill="#fff"/ });
  t.end();
});

t.test('a markup whose colours are its own is the same object in every render', (t) => {
  const svg = '<svg viewBox="0 0 9 9"><g fill="#000"/></svg>';
  const document = aTemplate({ layers: [aLayer('svg', { svg, colors: { '#000': '#fff' } })] });
  t.equal(resolve(document).layers[0], resolve(document).layers[0]);
  t.end();
});

t.test('any value leaves markup well-formed', (t) => {
  const svg = '<svg viewBox="0 0 9 9"><text id="{{name}}" class=\'{{name}}\'>{{name}}</text></svg>';
  const document = aTemplate({ variables, layers: [aLayer('svg', { svg })] });
  t.same(problemsOf(document), []);
  const template = document as unknown as Template;
  const boundTo = (name: string): string => {
    const [layer] = resolveLayers(template, new Map([['name', name]])).layers;
    return layer?.type === 'svg' ? layer.svg : '';
  };
  t.equal(
    boundTo('a\u0000\u0008\uFFFE\uFFFF\uD800b\u{1F600}').match(/'>(.*)<\/text/)?.[1],
    'ab\u{1F600}',
  );
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      (value) => readXml(boundTo(value), {}) === undefined,
    ),
  );
  t.end();
});
