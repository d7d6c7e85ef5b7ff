import t from 'tap';
import { annotatedSchema } from '#language/schema/document.ts';
import { layerSchemas } from '#language/schema/layers.ts';
import { wordOf } from '../../src/studio/panels/fields/labels.ts';
import { initialValue } from '../../src/studio/panels/fields/values.ts';
import {
  commonFields,
  documentFields,
  layerFields,
  layerTypes,
} from '../../src/studio/panels/fields/schema-fields.ts';
import type { Field } from '../../src/studio/panels/fields/schema-fields.ts';
import { documentSections, layerSections } from '../../src/studio/panels/sections.ts';

const schema = annotatedSchema();

function fieldOf(fields: readonly Field[], name: string): Field {
  const field = fields.find((each) => each.name === name);
  if (field === undefined) throw new Error(`no field ${name}`);
  return field;
}

function namesOf(part: { fields: readonly Field[] } | undefined): string[] | undefined {
  return part?.fields.map(({ name }) => name);
}

t.test('every property of every type of layer has a field and a control of its own', async (t) => {
  t.same(layerTypes(schema).toSorted(), Object.keys(layerSchemas).toSorted());
  const document = documentFields(schema);
  const shown = [{ fields: document, sections: documentSections(document) }];
  for (const [type, layer] of Object.entries(layerSchemas)) {
    const fields = layerFields(schema, type);
    const expected = Object.keys(layer.properties).filter(
      (name) => !['type', 'id', 'brand', 'locked', 'layers', 'bySize'].includes(name),
    );
    t.same(fields.map(({ name }) => name).toSorted(), expected.toSorted(), type);
    // The name stands above the sections.
    const others = fields.filter(({ name }) => name !== 'name');
    shown.push({ fields: others, sections: layerSections(fields) });
  }
  const names = document.map(({ name }) => name);
  t.notOk(['layers', 'variables', 'format'].some((name) => names.includes(name)));
  for (const { fields, sections } of shown) {
    t.equal(sections.flatMap((section) => section.fields).length, fields.length, 'all are shown');
    const json = fields.filter(({ kind }) => kind.type === 'json');
    const later = sections.filter(({ title }) => title === 'More');
    t.same([json, later], [[], []], 'none needs JSON, none is left to the section for new ones');
  }
});

t.test('fields know their kind, unit, bounds, default and whether they can be bound', async (t) => {
  const text = layerFields(schema, 'text');
  t.match(fieldOf(text, 'fontSize'), {
    label: 'Font size',
    standard: 16,
    isBindable: true,
    isRequired: false,
    kind: { type: 'number', min: 1, max: 2000, whole: false, unit: 'px', isPart: false },
  });
  t.match(fieldOf(text, 'opacity').kind, { unit: '%', isPart: true });
  t.match(fieldOf(text, 'rotation').kind, { unit: '°' });
  t.match(fieldOf(text, 'maxLines').kind, { whole: true, unit: '', min: 1, max: 200 });
  t.match(fieldOf(text, 'lineHeight').kind, { min: 0.5, max: 4 });
  t.match(fieldOf(text, 'align').kind, { type: 'choice', words: ['left', 'center'] });
  t.match(fieldOf(text, 'name'), { isBindable: false });
  t.match(fieldOf(text, 'text'), { isBindable: true, kind: { type: 'text', isLong: true } });
  t.match(fieldOf(text, 'shadow').kind, { type: 'list', most: 4, isSingle: true });
  t.match(fieldOf(text, 'cornerRadius').kind, { type: 'tuple', isSingle: true });
  t.match(fieldOf(text, 'fontFeatures').kind, { type: 'record', most: 16 });
  t.match(fieldOf(text, 'fontFamily').kind, { type: 'font', most: 8 });
  t.match(fieldOf(text, 'fill').kind, { type: 'fill', hasImage: false, hasNone: false });
  const rect = fieldOf(layerFields(schema, 'rect'), 'fill').kind;
  t.match(rect, { type: 'fill', hasImage: true });
  const [linear, radial] = rect.type === 'fill' ? rect.gradients : [];
  t.equal(linear?.word, 'linear');
  t.same(namesOf(radial), ['centerX', 'centerY', 'radius']);
  t.match(fieldOf(documentFields(schema), 'background').kind, { hasNone: true });
  t.same(layerFields(schema, 'hologram'), []);
  const numbers = layerTypes(schema)
    .flatMap((type) => [...layerFields(schema, type), ...documentFields(schema)])
    .map(({ kind }) => (kind.type === 'size' ? kind.number : kind))
    .filter(({ type }) => type === 'number');
  const areBounded = numbers.every((kind) => 'min' in kind && 'max' in kind);
  t.ok(areBounded, 'every number has bounds');
});

t.test('a property that is new in the schema appears by itself, with a control', async (t) => {
  const newer = structuredClone(schema) as {
    $defs: Record<string, { properties: Record<string, unknown> }>;
  };
  Object.assign(newer.$defs['text']?.properties ?? {}, {
    glow: { type: 'number', minimum: 0, maximum: 50, description: 'a glow', unit: 'px' },
    mood: { enum: ['calm', 'loud'], description: 'calm or loud' },
    riddle: { anyOf: [{ type: 'number' }, { type: 'boolean' }] },
  });
  const fields = layerFields(newer, 'text');
  t.match(fieldOf(fields, 'glow'), { label: 'Glow', kind: { type: 'number', unit: 'px' } });
  t.match(fieldOf(fields, 'mood').kind, { type: 'choice', words: ['calm', 'loud'] });
  t.match(fieldOf(fields, 'riddle').kind, { type: 'json' }, 'what no control shows is JSON');
  const more = layerSections(fields).find(({ title }) => title === 'More');
  t.same(namesOf(more), ['glow', 'mood', 'riddle']);
});

t.test('layers of several types share what means the same in all of them', async (t) => {
  const lists = ['text', 'rect', 'image'].map((type) => layerFields(schema, type));
  const names = commonFields(lists).map(({ name }) => name);
  t.ok(['x', 'opacity', 'shadow', 'cornerRadius'].every((name) => names.includes(name)));
  t.notOk(names.includes('fill') || names.includes('src') || names.includes('text'));
  t.same(commonFields([]), []);
});

t.test('what is added begins with what the schema asks for', async (t) => {
  for (const type of Object.keys(layerSchemas)) {
    for (const field of layerFields(schema, type)) {
      const { kind } = field;
      if (kind.type !== 'object') continue;
      const value = initialValue(field) as Record<string, unknown>;
      for (const { name, isRequired } of kind.fields) {
        if (isRequired) t.not(value[name], undefined, `${type}.${field.name}.${name}`);
      }
    }
  }
});

/** Names, paths and syntax of the format: `linkAuth`, `layers[1].text`, `asset:…`, `json|image`, `_version`, `"stay"`. */
const schemaWords = /\b[a-z]+[A-Z]|[a-z\]]\.[a-z]|[[\]"]|\basset:|\w\|\w|\b_[a-z]|#r+gb/;

/** All texts that the fields of a value show, also those of its parts, by the name of the field. */
function textsIn(value: unknown, name: string): Array<[name: string, text: string]> {
  if (typeof value !== 'object' || value === null) return [];
  const field = 'name' in value && typeof value.name === 'string' ? value.name || name : name;
  return Object.entries(value).flatMap(([key, each]) => {
    if (['label', 'hint', 'absent'].includes(key) && typeof each === 'string')
      return [[field, each]];
    if (key === 'hints') return Object.values(each as object).map((hint) => [field, String(hint)]);
    if (key === 'words' && Array.isArray(each)) {
      return each.map((word) => [field, wordOf(field, String(word))]);
    }
    return textsIn(each, field);
  });
}

t.test('labels, choices and hints name nothing as the format does', async (t) => {
  const fields = [
    ...documentFields(schema),
    ...layerTypes(schema).flatMap((type) => layerFields(schema, type)),
  ];
  const texts = textsIn(fields, '');
  t.ok(texts.length > 1000, `${texts.length} texts`);
  const found = texts.filter(([, text]) => schemaWords.test(text));
  t.same(found, []);
});
