/** The inspector: every property of the selected layers or of the document, in sections, built from the schema. */
import type { TargetedEvent, VNode } from 'preact';
import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Layer } from '#language/schema/layers.ts';
import { behindFrame } from './behind-frame.ts';
import type { Editor } from '../state/editor.ts';
import { mayHave } from '../state/layer-sizes.ts';
import { findLayer, findPosition, nameOf } from '../state/layers.ts';
import type { LayerPosition } from '../state/layers.ts';
import { RatioRow, sizeModesOf } from './fields/size.tsx';
import { TextStyleRow } from '../brand/text-style-row.tsx';
import { applyBeforeTab } from './fields/kept-focus.ts';
import { FieldRow } from './fields/row.tsx';
import { icon } from '../icons.tsx';
import { kindNames } from './layers/new-layers.ts';
import type { NewLayerKind } from './layers/new-layers.ts';
import { commonFields, documentFields, layerFields } from './fields/schema-fields.ts';
import type { Field } from './fields/schema-fields.ts';
import type { SchemaNode } from './fields/schema-node.ts';
import { documentSections, layerSections } from './sections.ts';
import type { Section } from './sections.ts';
import { createTarget } from './target.ts';
import type { Target } from './target.ts';
import { templateSchema } from './template-schema.ts';
import { textOf, typeInto } from '../canvas/text/editable-text.ts';

/** Shows the properties of the selected layers, or of the document if no layer is selected. */
export function Inspector({ editor }: { editor: Editor }): VNode {
  const schema = templateSchema().value;
  const document = behindFrame(editor).document.value;
  const layers = editor.selection.value.flatMap((id) => findLayer(document, id) ?? []);
  const ids = layers.map(({ id }) => id);
  const key = ids.join(' ');
  const target = useMemo(() => createTarget(editor, ids), [editor, key]);
  const section = useRef<HTMLElement>(null);
  // What was scrolled to may be no property of other layers.
  useLayoutEffect(() => section.current?.parentElement?.scrollTo(0, 0), [key]);
  if (schema === undefined) {
    return <section class="panel p-inspector" aria-label="Properties" aria-busy="true" />;
  }
  return (
    <section
      ref={section}
      class="panel p-inspector"
      aria-label="Properties"
      onKeyDown={applyBeforeTab}
    >
      <Heading layers={layers} />
      <Sections key={key} target={target} schema={schema} layers={layers} />
    </section>
  );
}

/** Names the target: the template, one layer, or the number of layers. */
function Heading({ layers }: { layers: readonly Layer[] }): VNode {
  const [only] = layers;
  if (only === undefined) return <h2 class="p-title">Template</h2>;
  if (layers.length > 1) {
    return (
      <>
        <h2 class="p-title">{layers.length} layers</h2>
        <p class="p-note p-below-title">What is changed here is changed in all of them.</p>
      </>
    );
  }
  return (
    <h2 class="p-title">
      {icon(only.type)}
      <span class="p-title-name" dir="auto" title={nameOf(only)}>
        {nameOf(only)}
      </span>
      <span class="p-note">{kindNames[only.type as NewLayerKind] ?? only.type}</span>
    </h2>
  );
}

interface SectionsProps {
  target: Target;
  schema: SchemaNode;
  layers: readonly Layer[];
}

function Sections({ target, schema, layers }: SectionsProps): VNode {
  const types = layers.map(({ type }) => type).join(' ');
  const sections = useMemo(() => sectionsOf(schema, layers), [schema, types]);
  const [only] = layers;
  const isOneText = layers.length === 1 && only?.type === 'text';
  const positions = target.ids.flatMap(
    (id) => findPosition(behindFrame(target.editor).document.value, id) ?? [],
  );
  const shown = sections
    .map((section) => ({ ...section, fields: section.fields.filter(isOffered(positions)) }))
    .filter(({ fields }) => fields.length > 0);
  return (
    <>
      {shown.map((section) => (
        <SectionView key={section.title} section={section} target={target} isOneText={isOneText} />
      ))}
    </>
  );
}

/** Returns a filter of fields whose property all of the layers may have. */
function isOffered(positions: readonly LayerPosition[]): (field: Field) => boolean {
  return ({ name }) => positions.every(({ layer, group }) => mayHave(layer, group, name));
}

/** Returns the sections of the fields that all layers share, or of the document without layers. */
function sectionsOf(schema: SchemaNode, layers: readonly Layer[]): Section[] {
  if (layers.length === 0) return documentSections(documentFields(schema));
  const types = new Set(layers.map(({ type }) => type));
  const lists = [...types].map((type) => layerFields(schema, type));
  return layerSections(commonFields(lists));
}

/** Whether the user opened or closed a section, by title, for all layers, until the page is closed. */
const opened = new Map<string, boolean>();

interface SectionProps {
  section: Section;
  target: Target;
  isOneText: boolean;
}

function SectionView({ section, target, isOneText }: SectionProps): VNode {
  const { title, fields } = section;
  const [isOpen, setOpen] = useState(opened.get(title) ?? section.isOpen);
  const toggle = (event: TargetedEvent<HTMLDetailsElement>): void => {
    const now = event.currentTarget.open;
    opened.set(title, now);
    setOpen(now);
  };
  const isFilled = fields.some(({ name }) => target.read([name]) !== undefined);
  return (
    <details class="p-section" open={isOpen} onToggle={toggle}>
      <summary>
        {title}
        {!isOpen && isFilled ? <i class="p-dot" /> : null}
      </summary>
      {isOpen ? (
        <div class="p-rows">
          {fields.some(({ name }) => name === 'fontFamily') ? (
            <TextStyleRow target={target} />
          ) : null}
          {rowsOf(section, target, isOneText)}
        </div>
      ) : null}
    </details>
  );
}

/** Numbers that are shown side by side. */
const halfNames = new Set(['x', 'y', 'width', 'height', 'focusX', 'focusY']);

/** Whether a size has a choice of modes, so that it does not fit beside another. */
function isLongSize({ kind }: Field, target: Target): boolean {
  return kind.type === 'size' && sizeModesOf(target).length > 1;
}

function rowsOf({ title, fields }: Section, target: Target, isOneText: boolean): VNode[] {
  return fields.flatMap((field) => {
    if (isOneText && field.name === 'spans') return [];
    if (isOneText && field.name === 'text') {
      const spans = fields.find(({ name }) => name === 'spans');
      return [<TextBody key="text" target={target} text={field} spans={spans} />];
    }
    return [
      <FieldRow
        key={field.name}
        target={target}
        field={field}
        path={[field.name]}
        isHalf={halfNames.has(field.name) && !isLongSize(field, target)}
        isFlat={title === field.label}
      />,
      ...(field.name === 'height' && target.ids.length > 0
        ? [<RatioRow key="ratio" target={target} />]
        : []),
    ];
  });
}

// The text of a text layer: one string, or spans with styles, and the conversion between the two.

interface TextBodyProps {
  target: Target;
  text: Field;
  spans: Field | undefined;
}

/** The text as one field, whether or not parts of it are styled, and the list of these parts. */
function TextBody({ target, text, spans }: TextBodyProps): VNode {
  const [id = ''] = target.ids;
  const [isOpen, setOpen] = useState(false);
  const hasSpans = target.read(['spans']) !== undefined;
  const split = (): void =>
    target.editor.change('Style parts of a text', (draft) => {
      const layer = findLayer(draft, id);
      if (layer?.type !== 'text') return;
      layer.spans = [{ text: layer.text ?? '' }];
      delete layer.text;
    });
  const join = (): void =>
    target.editor.change('Make one text', (draft) => {
      const layer = findLayer(draft, id);
      if (layer?.type !== 'text') return;
      layer.text = textOf(layer);
      delete layer.spans;
    });
  return (
    <>
      <FieldRow
        target={hasSpans ? joinedText(target, id) : target}
        field={text}
        path={['text']}
        isTyped={hasSpans}
      />
      {spans !== undefined && (
        <details class="p-free" onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>Styled parts</summary>
          {isOpen && hasSpans && <FieldRow target={target} field={spans} path={['spans']} />}
          <button type="button" class="p-link" onClick={hasSpans ? join : split}>
            {hasSpans ? 'Make it one text again' : 'Style parts of it differently'}
          </button>
        </details>
      )}
    </>
  );
}

/** A target whose `text` is that of all spans: typed letters take the look of those beside them. */
function joinedText(target: Target, id: string): Target {
  const layer = findLayer(behindFrame(target.editor).document.value, id);
  if (layer?.type !== 'text') return target;
  const { spans = [] } = layer;
  return {
    ...target,
    read: () => textOf(layer),
    write: (_field, _path, value, { gesture } = {}) =>
      target.editor.change(
        'Change text',
        (draft) => {
          const edited = findLayer(draft, id);
          if (edited?.type === 'text' && typeof value === 'string') typeInto(edited, value);
        },
        gesture,
      ),
    problem: () =>
      spans
        .map((_, index) => target.problem(['spans', index, 'text']))
        .find((each) => each !== undefined),
  };
}
