import { resolveLayers } from '#language/bind/layers.ts';
import { readXml } from '#language/check/xml-check.ts';
import type { Template } from '#language/schema/template.ts';
import * as fc from 'fast-check';
import t from 'tap';
import {
  aLayer,
  aTemplate,
  aVariable,
  layerProblems,
  plainVariables as variables,
  resolveValid as resolve,
} from '../fixtures/template-documents.ts';
import { anyCodePoint } from '../helpers/code-points.ts';

const svgOf = (inside: string): string => `<svg viewBox="0 0 9 9">${inside}</svg>`;

t.test('a value stays text in markup', async (t) => {
  const layers = [aLayer('svg', { svg: svgOf('<text fill="{{c}}">{{name}}</text>') })];
  const [layer] = resolve(aTemplate({ variables, layers }), { name: `</text><script>"&'` }).layers;
  const escaped = '&lt;/text&gt;&lt;script&gt;&quot;&amp;&#39;';
  t.match(layer, { svg: svgOf(`<text fill="#ff0000">${escaped}</text>`) });
});

const noText =
  /^layers\[0\]\.svg binds \{\{name\}\} in (.*); bind it in text or in another quoted attribute$/;

t.test('no value stands in markup where an escape would not keep it text', async (t) => {
  const name = 'the name of an element or attribute';
  const code = 'style sheets or CDATA, which take colours, numbers and booleans only';
  const refused: [inside: string, where: string][] = [
    ['<!-- {{name}} -->', 'a comment'],
    ['<?php {{name}}?>', 'a processing instruction'],
    ['<{{name}}/>', name],
    ['<g {{name}}="1"/>', name],
    ['<g a{{name}}="1"/>', name],
    ['<g xmlns:x="{{name}}"/>', 'a namespace'],
    ['<style>a{fill:{{name}}}</style>', code],
    ['<g style="fill:{{name}}"/>', code],
    ["<g style='{{name}}'/>", code],
    ['<text><![CDATA[{{name}}]]></text>', code],
  ];
  for (const [inside, where] of refused) {
    const [problem = ''] = layerProblems('svg', { svg: svgOf(inside) }, variables);
    t.equal(noText.exec(problem)?.[1], where, inside);
  }
  t.match(layerProblems('svg', { svg: svgOf('<g x={{name}}/>') }, variables), [
    /^layers\[0\]\.svg is no well-formed XML: unquoted attribute value/,
  ]);
});

t.test('colours, numbers and booleans stand in style sheets too', async (t) => {
  const styled = (c: string, n: string, b: string): string =>
    svgOf(`<style>a{fill:${c};x:${n}}</style><g style="fill:${c};y:${b}"/>`);
  const layers = [aLayer('svg', { svg: styled('{{c}}', '{{n}}', '{{b}}') })];
  const [layer] = resolve(aTemplate({ variables, layers })).layers;
  t.match(layer, { svg: styled('#ff0000', '5', 'true') });
});

t.test('a value in markup is never coloured, nor is a colour bound', async (t) => {
  const svg = svgOf(
    '<text fill="#000" stroke="currentColor">#000 {{name}} currentColor</text><g fill="url(#fed)"/>',
  );
  const colors = { '#000000': '{{name}}', currentColor: '{{c}}', '#fed': '#123' };
  const document = aTemplate({
    variables: [aVariable('name', 'text', '#111'), ...variables.slice(1)],
    layers: [aLayer('svg', { svg, colors })],
  });
  const values = { name: '#000 currentColor {{c}}', c: '#00ff00' };
  const { layers: resolved, invalid } = resolve(document, values);
  t.match(resolved[0], {
    svg: svgOf(
      '<text fill="#111" stroke="#ff0000">#111 #000 currentColor {{c}} #ff0000</text><g fill="url(#fed)"/>',
    ),
  });
  t.same(invalid, ['a'], 'a text that is no colour leaves the default');
});

t.test('a markup whose colours are its own is the same object in every render', async (t) => {
  const svg = svgOf('<g fill="#000"/>');
  const document = aTemplate({ layers: [aLayer('svg', { svg, colors: { '#000': '#fff' } })] });
  const [layer] = resolve(document).layers;
  t.match(layer, { svg: svgOf('<g fill="#fff"/>') });
  t.equal(resolve(document).layers[0], layer);
});

t.test('any value leaves markup well-formed', async (t) => {
  const svg = svgOf(`<text id="{{name}}" class='{{name}}'>{{name}}</text>`);
  t.same(layerProblems('svg', { svg }, variables), []);
  const template = aTemplate({ layers: [aLayer('svg', { svg })] }) as unknown as Template;
  const boundTo = (name: string): string => {
    const [layer] = resolveLayers(template, new Map([['name', name]])).layers;
    return layer?.type === 'svg' ? layer.svg : '';
  };
  const characters = 'a\u0000\u0008\uFFFE\uFFFF\uD800b\u{1F600}';
  t.match(boundTo(characters), /'>ab\u{1F600}<\/text/u);
  const value = fc.string({ unit: anyCodePoint });
  fc.assert(fc.property(value, (each) => readXml(boundTo(each), {}) === undefined));
});

t.test('a value of the other direction stands isolated in a text, and not in a tag', async (t) => {
  const inside = `<text aria-label="{{name}} > 1" x='>'>Hi {{name}}, <tspan>{{name}}</tspan></text>`;
  const layers = [aLayer('svg', { svg: svgOf(inside) })];
  const bind = (name: string): unknown => {
    const [layer] = resolve(aTemplate({ variables, layers }), { name }).layers;
    return layer?.type === 'svg' && layer.svg;
  };
  const drawn = `<text aria-label="דוד > 1" x='>'>Hi \u2068דוד\u2069, <tspan>\u2068דוד\u2069</tspan></text>`;
  t.equal(bind('דוד'), svgOf(drawn));
  t.equal(bind('Zoë'), svgOf(inside.replaceAll('{{name}}', 'Zoë')));
});

const textOf = (inside: string, rest: object, values: Record<string, string>): unknown => {
  const layers = [aLayer('svg', { svg: svgOf(inside) })];
  const names = Object.keys(values).map((name) => aVariable(name, 'number', '0'));
  const [layer] = resolve(aTemplate({ variables: names, layers, ...rest }), values, {
    timeMs: Date.parse('2026-01-01T00:00:00Z'),
  }).layers;
  return layer?.type === 'svg' && layer.svg;
};

t.test('numbers of several values in one text element are one number', async (t) => {
  const drawn = (inside: string): unknown => textOf(inside, {}, { h: '12', m: '06' });
  const time = (h: string, m: string): string =>
    `<text direction="rtl">נותרו <tspan>${h}</tspan>:<tspan font-weight="700">${m}</tspan></text>`;
  t.equal(drawn(time('{{h}}', '{{m}}')), svgOf(time('12', '06')));
  const cdata = `<!-- don't --><svg:text xmlns:svg='http://www.w3.org/2000/svg'>ש<![CDATA[{{h}}]]>:{{m}}</svg:text><!-- don't -->`;
  const written = cdata.replace('{{h}}', '12').replace('{{m}}', '06');
  t.equal(textOf(cdata, {}, { h: '12', m: '06' }), svgOf(written));
  const isolated = (number: string): string => `\u2068${number}\u2069`;
  const lines = (h: string, m: string): string =>
    `<text>ש <tspan>${h}</tspan><tspan dx="1" y="9">${m}</tspan></text>`;
  t.equal(drawn(lines('{{h}}', '{{m}}')), svgOf(lines(isolated('12'), isolated('06'))));
  const texts = (h: string, m: string): string => `<text>ש ${h}</text><text>${m}</text>`;
  t.equal(drawn(texts('{{h}}', '{{m}}')), svgOf(texts(isolated('12'), isolated('06'))));
});

t.test(
  'one countdown in markup has one kind of digits, and attributes have plain ones',
  async (t) => {
    const clock = { until: '2026-01-02T03:04:05Z' };
    const markup = (a: string, b: string, plain: string): string =>
      `<style>a{x:${plain}}</style><text x="${plain}">${a} <tspan>${b}</tspan></text><g id="${plain}"/>`;
    const source = markup('{{countdown.days}}', '{{countdown.hours | pad}}', '{{countdown.days}}');
    const expected = { fa: ['\u2068۱\u2069', '\u2068۰۳\u2069'], mr: ['१', '०३'], en: ['1', '03'] };
    for (const [lang, [days = '', hours = '']] of Object.entries(expected)) {
      t.equal(textOf(source, { lang, clock }, {}), svgOf(markup(days, hours, '1')), lang);
    }
  },
);
