/** Bar beside an edited text: the look of the selection, and its replacement by a variable. */
import type { VNode } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { Variable } from '#language/schema/template.ts';
import type { TextLayer } from '#language/schema/text.ts';
import type { Editor } from '../../state/editor.ts';
import { ColorPicker } from '../../panels/fields/color.tsx';
import { isColor } from '../../panels/fields/color-math.ts';
import { FamilyList } from '../../panels/fields/font-picker.tsx';
import { keysText } from '../../wording.ts';
import { lookIn, regularWeight } from './span-style.ts';
import type { SpanLook, TextRange, ToggledStyle } from './span-style.ts';
import { WeightOptions } from './weight.tsx';

/** Bounds and default of a font size, as in the schema, design pixels. */
const [fontSizeMin, fontSizeMax, fontSizeDefault] = [1, 2000, 16];

export interface StyleBarProps {
  editor: Editor;
  layer: TextLayer;
  /** Range of the selection, or of the whole text if nothing is selected. */
  range: TextRange;
  variables: readonly Variable[];
  /** With `entry`, the range follows that entry of the brand kit. */
  style: (look: SpanLook, gesture?: string, entry?: string) => void;
  toggle: (name: ToggledStyle) => void;
  isOn: (name: ToggledStyle) => boolean;
  /** Replaces the selection by a variable, or by a new one without a name. Undefined for a sample value. */
  bind: ((name: string | undefined) => void) | undefined;
  /** Focuses the field with its selection: a field of a popover had taken it. */
  reselect: () => void;
  finish: () => void;
}

export function StyleBar(props: StyleBarProps): VNode {
  const { toggle, isOn, bind, finish } = props;
  const button = (name: ToggledStyle, letter: string, keys: string): VNode => (
    <button
      type="button"
      class={`text-bar-${name}`}
      aria-pressed={isOn(name)}
      aria-label={name}
      title={`${name} (${keysText(keys)})`}
      onPointerDown={(event) => event.preventDefault()}
      onClick={() => toggle(name)}
    >
      {letter}
    </button>
  );
  return (
    <div
      class="text-bar"
      role="toolbar"
      aria-label="Look of the selected text"
      onKeyDown={(event) => {
        // Keeps the keys from the canvas, where they act on layers.
        event.stopPropagation();
        if (event.key === 'Escape') finish();
      }}
    >
      <FamilyButton {...props} />
      <WeightSelect {...props} />
      <SizeInput {...props} />
      {button('bold', 'B', 'Mod+B')}
      {button('italic', 'I', 'Mod+I')}
      {button('underline', 'U', 'Mod+U')}
      <ColorButton {...props} />
      {bind !== undefined && <VariableSelect variables={props.variables} bind={bind} />}
    </div>
  );
}

function SizeInput({ layer, range, style }: StyleBarProps): VNode {
  // Keeps the typed number while frames arrive, until `change` takes it.
  const [typed, setTyped] = useState<string | undefined>(undefined);
  const [size = fontSizeDefault, ...others] = lookIn(layer, range, 'fontSize');
  const take = (next: number): void => {
    setTyped(undefined);
    if (next >= fontSizeMin && next <= fontSizeMax) style({ fontSize: next });
  };
  return (
    <input
      type="number"
      aria-label="Font size"
      min={fontSizeMin}
      max={fontSizeMax}
      placeholder={others.length === 0 ? '' : 'Mixed'}
      value={typed ?? (others.length === 0 ? size : '')}
      onInput={(event) => setTyped(event.currentTarget.value)}
      onChange={(event) => take(event.currentTarget.valueAsNumber)}
    />
  );
}

/** The font family of a range: the first of a list of families. `Mixed` if the range has several. */
function familyOf(layer: TextLayer, range: TextRange): string {
  const families = lookIn(layer, range, 'fontFamily').map((family) =>
    Array.isArray(family) ? family[0] : family,
  );
  return families.length === 1 ? (families[0] ?? 'Inter') : 'Mixed';
}

function FamilyButton({ editor, layer, range, style, reselect }: StyleBarProps): VNode {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const family = familyOf(layer, range);
  return (
    <>
      <button
        ref={anchor}
        type="button"
        class="text-bar-family"
        aria-label={`Font: ${family}`}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {family}
      </button>
      {isOpen && anchor.current !== null && (
        <FamilyList
          service={editor.service}
          anchor={anchor.current}
          current={family}
          choose={(fontFamily) => {
            setOpen(false);
            style({ fontFamily });
          }}
          follow={(entry, fontFamily) => {
            setOpen(false);
            style({ fontFamily }, undefined, entry);
          }}
          close={() => {
            setOpen(false);
            reselect();
          }}
        />
      )}
    </>
  );
}

function WeightSelect({ editor, layer, range, style }: StyleBarProps): VNode {
  const [weight = regularWeight, ...others] = lookIn(layer, range, 'fontWeight');
  return (
    <WeightOptions
      service={editor.service}
      family={familyOf(layer, range)}
      weight={others.length === 0 ? weight : undefined}
      label="Font weight"
      change={(fontWeight) => style({ fontWeight })}
    />
  );
}

function ColorButton({ editor, layer, range, style, reselect }: StyleBarProps): VNode {
  const [isOpen, setOpen] = useState(false);
  const anchor = useRef<HTMLButtonElement>(null);
  const [fill = '#000000', ...others] = lookIn(layer, range, 'fill');
  const color = isColor(fill) && others.length === 0 ? fill : undefined;
  return (
    <>
      <button
        ref={anchor}
        type="button"
        class="p-swatch"
        aria-label={`Text: choose a colour${color === undefined ? '' : `, now ${color}`}`}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <span style={{ background: color ?? 'none' }} />
      </button>
      {isOpen && anchor.current !== null && (
        <ColorPicker
          editor={editor}
          anchor={anchor.current}
          label="Text"
          value={color ?? '#000000'}
          digits={color ?? ''}
          change={(next, gesture) => style({ fill: next }, gesture)}
          follow={(entry, next) => style({ fill: next }, undefined, entry)}
          close={() => {
            setOpen(false);
            reselect();
          }}
        />
      )}
    </>
  );
}

/** Value of the option for a new variable. No variable name contains a brace. */
const newVariable = '{';

interface VariableSelectProps {
  variables: readonly Variable[];
  bind: (name: string | undefined) => void;
}

function VariableSelect({ variables, bind }: VariableSelectProps): VNode {
  return (
    <select
      aria-label="Insert a variable"
      value=""
      onChange={(event) => {
        const { value } = event.currentTarget;
        event.currentTarget.value = '';
        bind(value === newVariable ? undefined : value);
      }}
    >
      <option value="" disabled selected>
        {'{x}'}
      </option>
      <option value={newVariable}>New variable</option>
      {variables
        .filter(({ type }) => type !== 'list')
        .map(({ name }) => (
          <option key={name} value={name}>
            {name}
          </option>
        ))}
    </select>
  );
}
