import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import t from 'tap';
import { boundNames } from '#language/bind/bindings.ts';
import { embeddedPixelsMax } from '#language/check/svg-markup.ts';
import { aztecBytesMax } from '#language/schema/layers.ts';
import { templateLimits } from '#language/limits/template-limits.ts';
import { problemsOf, aTemplate, aVariable } from './fixtures/template-documents.ts';
import { drawnAlike } from './helpers/format-defaults.ts';
import {
  codeSpans,
  formatProperties,
  numbersIn,
  pageRows,
  usedProperties,
} from './helpers/format-properties.ts';
import type { FormatProperty, PageRow } from './helpers/format-properties.ts';

const pagePath = join(import.meta.dirname, '../docs/template-format.md');
const page = readFileSync(pagePath, 'utf8');
const rows = pageRows(page);
const properties = formatProperties();

/** Properties that no image can show, and why. */
const undrawn: Record<string, string> = {
  'document/$schema': 'editors read it',
  'document/alt': 'it stands beside the image',
  'document/clock.atZero.template': 'it draws another template',
  'document/linkAuth': 'it lets a link in or not',
  'document/linkOptions': 'it lets a link choose or not',
  'document/emptyWords': 'it chooses the value before anything is drawn',
  'document/onError': 'it chooses between an image and an error',
  'document/onImageError': 'it chooses between an image and an error',
  'document/maxAgeSeconds': 'it is sent in a header',
  'document/variables.from': 'a golden case has no tables',
  'document/animation.plays': 'a still cannot show it',
  'document/variables.maxLength': 'a longer value is an error',
  'document/variables.min': 'a smaller value is an error',
  'document/variables.max': 'a larger value is an error',
  'document/variables.fields': 'a layer that repeats draws it',
  'document/variables.fields.name': 'a layer that repeats draws it',
  'document/variables.fields.type': 'a layer that repeats draws it',
  'document/variables.fields.value': 'a layer that repeats draws it',
  'document/variables.whenEmpty': 'it chooses the value before anything is drawn',
  'layer/name': 'people read it',
  'layer/locked': 'the studio reads it',
  'layer/brand': 'applying the brand kit reads it',
  'layer/brand.property': 'applying the brand kit reads it',
  'layer/brand.entry': 'applying the brand kit reads it',
  'document/brand': 'applying the brand kit reads it',
  'document/brand.property': 'applying the brand kit reads it',
  'document/brand.entry': 'applying the brand kit reads it',
};

/** Words of a cell that say what a number counts or measures. */
const units = /\b(px|degrees|part|factor|times|seconds|whole number|unit)\b/;

function nameOf({ owner, path }: FormatProperty): string {
  return `${owner}/${path}`;
}

/** What a property is inside a fill, a stroke or a span, wherever that stands; undefined outside of them. */
function paintPath({ owner, path }: Pick<FormatProperty, 'owner' | 'path'>): string | undefined {
  const inside = path.replace(/^spans\./, '');
  if (inside.startsWith('stroke.')) return inside;
  if (inside.startsWith('fill.')) return inside.slice('fill.'.length);
  if (owner === 'document' && inside.startsWith('background.')) {
    return inside.slice('background.'.length);
  }
  return undefined;
}

/** The row that explains a property: a span's in the tables of text, a gradient's among the fills. */
function rowOf(property: FormatProperty): PageRow | undefined {
  if (property.path.startsWith('spans.visibleWhen.')) {
    return rowOf({ ...property, owner: 'layer', path: property.path.slice('spans.'.length) });
  }
  // The document follows the kit as layers do.
  const isBrand = property.path.startsWith('brand.');
  const { owner, path } = isBrand ? { ...property, owner: 'layer' } : property;
  const paint = paintPath(property);
  const section = paint === undefined ? owner : 'paint';
  const find = (name: string): PageRow | undefined =>
    rows.find((row) => sectionOwners(row.section).includes(section) && row.names.includes(name));
  return find(paint ?? path) ?? find((paint ?? path).replace(/^spans\./, ''));
}

/** Owners of the properties that a chapter explains. */
function sectionOwners(section: string): string[] {
  if (section === 'Document' || section === 'Variables') return ['document'];
  if (section === 'Every layer') return ['layer'];
  if (section === 'Fills and strokes') return ['paint'];
  return section.split(', ');
}

t.test('the page explains every property of the schema', async (t) => {
  t.ok(properties.length > 200 && rows.length > 100, 'schema and page were read');
  t.same(properties.filter((property) => rowOf(property) === undefined).map(nameOf), []);
});

t.test('every row of the page explains a property of the schema', async (t) => {
  const explained = new Set(properties.map(rowOf));
  t.same(
    rows
      .filter((row) => !explained.has(row))
      .map(({ section, names }) => `${section}: ${names.join()}`),
    [],
  );
});

t.test('a row says the bounds, the unit and every choice that the schema has', async (t) => {
  const missing = properties.flatMap((property) => {
    const row = rowOf(property);
    if (row === undefined) return [];
    const numbers = numbersIn(row.type);
    const words = new Set(codeSpans(`${row.type} ${row.meaning}`));
    return [
      ...property.bounds.filter((bound) => !numbers.has(bound)),
      ...property.choices.filter((word) => !words.has(word)),
      ...(property.numeric && !units.test(row.type) ? [`a unit of ${units.source}`] : []),
    ].map((what) => `${nameOf(property)}: ${what}`);
  });
  t.same(missing, []);
});

t.test('a row gives a default where a property may be absent, and only there', async (t) => {
  const wrong = properties.filter((property) => {
    const standard = rowOf(property)?.default ?? '';
    return standard === '' || (standard === 'must be there') === property.optional;
  });
  t.same(wrong.map(nameOf), []);
});

t.test('a layer that writes a default out is drawn as one that leaves it away', async (t) => {
  let compared = 0;
  const wrong: string[] = [];
  for (const property of properties) {
    const standard = rowOf(property)?.default;
    if (standard === undefined || !property.optional) continue;
    const alike = await drawnAlike(property, standard);
    if (alike !== undefined) compared += 1;
    if (alike === false) wrong.push(`${nameOf(property)}: ${standard}`);
  }
  t.same(wrong, []);
  t.ok(compared > 60, `${compared} defaults were drawn`);
});

t.test('the chapter of limits says each limit of the service, and its number', async (t) => {
  const [, chapter = ''] = /\n## Limits\n([^]*?)\n## /.exec(page) ?? [];
  const reported = [...chapter.matchAll(/^\|([^|]*)\|([^|]*)\| *`(\w+)` *\|$/gm)].map(
    ([, , most = '', name = '']): [string, string[]] => [name, [...numbersIn(most)]],
  );
  const limits = Object.entries(templateLimits).map(([name, limit]) => [name, [String(limit)]]);
  t.same(Object.fromEntries(reported), Object.fromEntries(limits));
});

t.test('the numbers beside the limits are what the code has', async (t) => {
  const says = (text: string): void => {
    t.ok(page.replaceAll(/\s+/g, ' ').includes(text), text);
  };
  says(`JPEG of up to ${embeddedPixelsMax.toLocaleString('en')} pixels`);
  says(`an \`azteccode\` holds at most ${aztecBytesMax} bytes`);
});

const images = [...page.matchAll(/<img [^>]*\bsrc="([^"]+)"|!\[[^\]]*\]\(([^)]+)\)/g)].map(
  ([, tag, mark]) => tag ?? mark ?? '',
);

t.test('the images show every property that draws, and every choice of it', async (t) => {
  const used = new Set<string>();
  t.ok(images.length > 150);
  for (const image of images) {
    const { template } = JSON.parse(
      readFileSync(documentOf(join(dirname(pagePath), image)), 'utf8'),
    );
    for (const name of usedProperties(template)) used.add(drawnName(name));
  }
  const missing = properties
    .filter((property) => undrawn[nameOf(property)] === undefined)
    .flatMap((property) => {
      const name = drawnName(nameOf(property));
      const standard = codeSpans(rowOf(property)?.default ?? '');
      // What is drawn without the property shows its default.
      const choices = property.choices.filter((word) => !standard.includes(word));
      return [name, ...choices.map((word) => drawnName(`${nameOf(property)}=${word}`))];
    })
    .filter((name) => !used.has(name));
  t.same(missing, []);
});

t.test('what no image shows are properties, each with its reason', async (t) => {
  const names = new Set(properties.map(nameOf));
  const unknown = Object.keys(undrawn).filter((name) => !names.has(name));
  t.same(unknown, []);
});

/** The document of a golden case, by its image. */
function documentOf(image: string): string {
  return image.replace(/\.\w+$/, '.json');
}

/** The name under which a property counts as shown: fills and strokes are the same for every layer. */
function drawnName(name: string): string {
  const [, owner = '', path = ''] = /^([^/]+)\/(.+)$/.exec(name) ?? [];
  const paint = paintPath({ owner, path });
  // A style's choice that a layer shows needs no span to show it.
  const style = /^spans\.[^.=]+=/.test(path) ? path.slice('spans.'.length) : path;
  if (path.startsWith('spans.visibleWhen.')) return `layer/${path.slice('spans.'.length)}`;
  return paint === undefined ? `${owner}/${style}` : `paint/${paint}`;
}

t.test('every example is a template, or a layer of one', async (t) => {
  const examples = [...page.matchAll(/```json\n([^]*?)```/g)].map(([, code = '']) => code);
  t.ok(examples.length > 10);
  for (const code of examples) {
    const example = JSON.parse(code) as Record<string, unknown>;
    const names = boundNames(code, new Set());
    if ('visibleWhen' in example) names.push('stars');
    const variables = names.map((name) => aVariable(name, 'text', ''));
    const document = 'format' in example ? example : aTemplate({ layers: [example], variables });
    t.same(problemsOf(document), [], code.slice(0, 40));
  }
});

t.test('every case that the table of complaints names is there', async (t) => {
  const readme = join(import.meta.dirname, 'golden/README.md');
  const links = [...readFileSync(readme, 'utf8').matchAll(/\]\((?!https?:)([^)\s]+)\)/g)];
  const cases = links.map(([, name = '']) => join(dirname(readme), name));
  t.ok(cases.length > 40);
  t.same(
    cases.filter((file) => !existsSync(file) || !existsSync(documentOf(file))),
    [],
  );
});
