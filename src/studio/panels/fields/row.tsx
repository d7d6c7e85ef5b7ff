/** One property in the inspector: its label, its control, the button that makes it dynamic, and its problem. */
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { WeightField } from '../../canvas/text/weight.tsx';
import { behindFrame } from '../behind-frame.ts';
import { BindButton, BoundControl, toggleBinding } from '../variables/bind-button.tsx';
import { BoundImage } from '../variables/bound-image.tsx';
import { ColorField } from './color.tsx';
import type { Follow } from '../../brand/swatches.tsx';
import { laterControl } from '../later-control.tsx';
import { FillField } from './fill.tsx';
import { FontPicker } from './font-picker.tsx';
import { ImageField } from './image.tsx';
import { useKeptFocus } from './kept-focus.ts';
import type { Path } from './values.ts';
import { dragLabel, NumberField } from './number.tsx';
import { placeholderOf } from './values.ts';
import type { Field, FieldKind } from './schema-fields.ts';
import { AmountField, LayerField, VariantField } from '../animation/fields.tsx';
import { RepeatField } from './repeat.tsx';
import { SizeField } from './size.tsx';
import { BooleanField, ChoiceField, JsonField } from './simple.tsx';
import { MaskField, SetField } from './simple.tsx';
import { ListField, ObjectField, structuredKinds } from './structured.tsx';
import { TupleField } from './structured.tsx';
import type { RowOptions, StructuredProps } from './structured.tsx';
import { TextField } from './text-field.tsx';
import { useRowKeys } from '../row-keys.ts';
import { mixed } from '../target.ts';
import type { Target } from '../target.ts';
import { offeredVariables, wholeBinding } from '../variables/variables.ts';

const ConditionsField = laterControl((code) => code.ConditionsField);
const RecordField = laterControl((code) => code.RecordField);

export interface FieldRowProps extends RowOptions {
  target: Target;
  field: Field;
  path: Path;
}

/** Kinds whose control is below the label, at full width. */
const wideKinds = new Set<FieldKind['type']>([
  'fill',
  'object',
  'variant',
  'list',
  'tuple',
  'record',
  'image',
  'font',
  'conditions',
  'repeat',
  'json',
]);

/** Short labels of fields that are shown side by side. */
const shortLabels: Readonly<Record<string, string>> = { x: 'X', y: 'Y', width: 'W', height: 'H' };

/** A row. A property with parts has nested rows. */
export function FieldRow(props: FieldRowProps): VNode {
  const { target, field, path, makes = false, isHalf = false, isFlat = false } = props;
  const hasButton = field.isBindable && props.isTyped !== true;
  const id = useId();
  const row = useKeptFocus(id);
  const value = target.read(path);
  // A text keeps its field: the user may type text around the binding.
  const isText = field.kind.type === 'text';
  const bound = wholeBinding(value);
  const binding = isText ? undefined : bound;
  const bind = (): void => {
    // The row may be older than the value.
    toggleBinding({ id, target, field, path, name: wholeBinding(target.read(path)) });
  };
  const keys = useRowKeys(props, id, hasButton ? bind : undefined);
  const problem = target.problem(path);
  const change = (next: unknown, gesture?: string): void =>
    target.write(field, path, next, { gesture, makes });
  const { kind, label } = field;
  const isLong = kind.type === 'text' && kind.isLong;
  const isOpen = binding === undefined || kind.type === 'image';
  const isWide = isOpen && (wideKinds.has(kind.type) || isLong);
  const isStructured = isWide && structuredKinds.has(kind.type);
  const body = binding === undefined ? control(props, id, value, change) : null;
  // Structured controls render the heading themselves.
  if (isStructured)
    return (
      <div class="p-structured" ref={row}>
        {body}
        {sizeMark(target, field, path)}
        {problemNote(problem, field, isStructured)}
      </div>
    );
  const number = kind.type === 'size' ? kind.number : kind;
  const canDrag = binding === undefined && number.type === 'number';
  const shown = typeof value === 'symbol' || value === undefined ? field.standard : value;
  return (
    <div
      ref={row}
      {...keys}
      class={`p-row ${isWide ? 'p-wide' : ''} ${isHalf ? 'p-half' : ''} ${hasButton ? '' : 'p-fixed'} ${isFlat && isWide ? 'p-flat' : ''}`}
      data-field={field.name}
    >
      <label
        for={id}
        class={canDrag ? 'p-drag' : ''}
        title={field.hint}
        onPointerDown={canDrag ? dragLabel(number, shown, change) : undefined}
      >
        {isHalf ? (shortLabels[field.name] ?? label) : label}
      </label>
      <div class="p-control">{binding === undefined ? body : boundControl(props, id, binding)}</div>
      {hasButton ? <BindButton field={field} isBound={bound !== undefined} press={bind} /> : null}
      {sizeMark(target, field, path)}
      {problemNote(problem, field, false)}
    </div>
  );
}

function boundControl({ target, field, path }: FieldRowProps, id: string, name: string): VNode {
  const Control = field.kind.type === 'image' ? BoundImage : BoundControl;
  return <Control id={id} name={name} field={field} target={target} path={path} />;
}

/** Marks a property that differs in the current size. A press resets it to the base value. */
function sizeMark(target: Target, field: Field, path: Path): VNode | null {
  const size = path.length === 1 ? target.overridingSize(path) : undefined;
  if (size === undefined) return null;
  return (
    <button
      type="button"
      class="p-override"
      title={`${field.label} differs in the size ${size}; back to that of the base`}
      aria-label={`Reset ${field.label.toLowerCase()}, which differs in the size ${size}`}
      onClick={() => target.reset(field, path)}
    >
      Reset
    </button>
  );
}

/** Joins the field's label and the service's message. Adds the bounds if the field shows percent. */
function problemWords(problem: string, { label, kind }: Field): string {
  const sentence = `${label} ${problem}.`;
  return kind.type === 'number' && kind.isPart ? `${sentence} Here: 0 to 100 %.` : sentence;
}

function problemNote(problem: string | undefined, field: Field, isInner: boolean): VNode | null {
  if (problem === undefined || isInner) return null;
  return (
    <p class="p-problem" role="alert">
      {problemWords(problem, field)}
    </p>
  );
}

type Change = (value: unknown, gesture?: string) => void;

function control(props: FieldRowProps, id: string, read: unknown, change: Change): VNode {
  const { target, field, path } = props;
  const { kind, label, standard, name, isRequired } = field;
  const isMixed = read === mixed;
  const value = isMixed ? undefined : read;
  const isInvalid = target.problem(path) !== undefined;
  const placeholder = isMixed ? 'Mixed' : placeholderOf(field);
  const known = { id, label, name, standard, isRequired };
  const shared = { ...known, value, placeholder, isInvalid, isMixed, change };
  const { editor } = target;
  const follow: Follow = (entry, chosen) => target.follow(field, path, entry, chosen);
  const offering = { editor, follow };
  const variables = offeredVariables(behindFrame(editor).document.value, target.ids, path);
  switch (kind.type) {
    case 'number':
      if (name === 'fontWeight') return <WeightField target={target} path={path} {...shared} />;
      return <NumberField kind={kind} {...shared} />;
    case 'size':
      return <SizeField kind={kind} target={target} {...shared} />;
    case 'boolean':
      return <BooleanField kind={kind} {...shared} />;
    case 'choice':
      return <ChoiceField kind={kind} {...shared} />;
    case 'set':
      return <SetField kind={kind} {...shared} />;
    case 'text':
      return (
        <TextField
          editor={editor}
          kind={kind}
          {...shared}
          variables={field.isBindable ? variables : []}
          isCode={name === 'svg' || name === 'path'}
        />
      );
    case 'color':
      return <ColorField {...offering} {...shared} isOptional={!isRequired} />;
    case 'font':
      return <FontPicker {...offering} kind={kind} {...shared} />;
    case 'image':
      return <ImageField editor={editor} target={target} path={path} {...shared} />;
    case 'mask':
      return <MaskField target={target} {...shared} />;
    case 'layer':
      return <LayerField target={target} {...shared} />;
    case 'amount':
      return <AmountField {...shared} />;
    case 'conditions':
      return <ConditionsField kind={kind} {...shared} variables={variables} />;
    case 'json':
      return <JsonField kind={kind} {...shared} />;
    default:
      return structured(props, kind, id, change);
  }
}

function structured(props: FieldRowProps, kind: FieldKind, id: string, change: Change): VNode {
  const { target, field, path } = props;
  const row: StructuredProps['row'] = (inner, innerPath, options = {}) => (
    <FieldRow
      key={innerPath.join('/')}
      target={target}
      field={inner}
      path={innerPath}
      {...options}
    />
  );
  const shared = { target, field, path, id, change, row };
  switch (kind.type) {
    case 'fill':
      return <FillField kind={kind} {...shared} />;
    case 'object':
      return <ObjectField kind={kind} isFlat={props.isFlat ?? false} {...shared} />;
    case 'variant':
      return <VariantField kind={kind} {...shared} />;
    case 'list':
      return <ListField kind={kind} {...shared} />;
    case 'tuple':
      return <TupleField kind={kind} {...shared} />;
    case 'repeat':
      return <RepeatField kind={kind} {...shared} />;
    case 'record':
      return <RecordField kind={kind} {...shared} />;
    default:
      throw new Error(`No control shows ${kind.type}`);
  }
}
