/** Edits a text on the canvas: a field with the same font over the rendered letters. */
import type { VNode } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { Variable } from '#language/schema/template.ts';
import type { TextLayer } from '#language/schema/text.ts';
import type { Editor } from '../../state/editor.ts';
import { useTextCaret } from '../../panels/caret/use-text-caret.ts';
import type { ShownCaret } from '../../panels/caret/use-text-caret.ts';
import { useCompletion } from '../../panels/variables/completion-list.tsx';
import type { CompletionList } from '../../panels/variables/completion-list.tsx';
import { ChipFormats } from '../../panels/variables/chip-formats.tsx';
import { focusCanvas } from '../../panels/parts.ts';
import { offeredVariables } from '../../panels/variables/variables.ts';
import type { CanvasState, View } from '../canvas-state.ts';
import { fallbacksOf, isEditedAside, readTarget, sizeRatio, spansToEdit } from './editable-text.ts';
import { textTarget } from './editable-text.ts';
import type { TextTarget } from './editable-text.ts';
import type { LayerGeometry } from '../layer-geometry.ts';
import { useEditedBounds } from './field-bounds.ts';
import { PlainField } from './plain-field.tsx';
import { SpanField } from './span-field.tsx';
import type { TextRange } from './span-style.ts';
import { useTextEdits } from './text-edits.ts';
import type { TextEdits } from './text-edits.ts';
import { toScreen } from '../canvas-state.ts';
import { Beside, screenBounds } from '../tools/beside.tsx';
import { later } from '../../later-part.tsx';

const StyleBar = later((code) => code.StyleBar);

/** Field for the edited layer. Renders nothing if no text is edited. */
export function TextEditor({ state }: { state: CanvasState }): VNode | null {
  const { editing, positions, editor } = state;
  const position = positions.value.find(({ id }) => id === editing.value?.id);
  if (position?.layer.type !== 'text') return null;
  const isText = editing.value?.isText === true;
  const values = editor.values.peek();
  const target = textTarget(editor.document.value, position.layer, isText, values);
  return (
    <TextField
      key={`${position.id} ${isText}`}
      state={state}
      position={position}
      layer={position.layer}
      target={target}
    />
  );
}

interface TextFieldProps {
  state: CanvasState;
  position: LayerGeometry;
  layer: TextLayer;
  target: TextTarget;
}

function TextField({ state, position, layer, target }: TextFieldProps): VNode {
  const { editor, editing, view, window } = state;
  // Typing may turn a single binding into other text. The target of the field stays the same.
  const { current: first } = useRef(target);
  useEffect(() => () => editor.endGesture(), []);
  // A replaced field also loses the focus. It must not end the edit of the new field.
  const { current: edited } = useRef(editing.value);
  const leave = (): void => {
    if (editing.value === edited) editing.value = undefined;
  };
  const reported = state.shown.value?.report.layers.find(({ id }) => id === position.id)?.text;
  const isAside = isEditedAside(layer);
  const caret = useTextCaret(() => editor.endGesture(), isAside);
  const typed = readTarget(editor, layer, first);
  const { selected, select, ...edits } = useTextEdits(editor, position.id, first, typed);
  const isText = first.kind === 'text';
  const variables = isText ? offeredVariables(editor.document.value, [position.id], ['text']) : [];
  const completion = useCompletion({
    id: useId(),
    variables,
    take: ({ text, selection }) => edits.write(text, selection),
  });
  const shared = {
    ...edits,
    editor,
    label: first.name === undefined ? 'Text' : `${valueWords(first)} of ${first.name}`,
    completion,
    caret,
    finish: () => {
      leave();
      focusCanvas();
    },
    layer,
    select,
  };
  const scale = sizeRatio(layer, reported) * view.value.zoom;
  const [reference, bounds] = useEditedBounds(screenBounds(position, view.value));
  return (
    <div class="text-editor" ref={reference} data-over={!isAside} onFocusOut={leaves(leave)}>
      <div class="text-box" style={boxStyle(position, view.value)}>
        {!isAside && (
          <SpanField
            {...shared}
            spans={spansToEdit(layer, first, typed)}
            scale={scale}
            fallbacks={fallbacksOf(editor.document.value, layer, reported)}
          />
        )}
      </div>
      <Beside className="text-aside" box={bounds} window={window.value}>
        {isAside && <PlainField {...shared} value={typed} />}
        <TextTools {...shared} {...{ variables, typed, isText }} selected={selected} />
        <ValueNote
          target={first}
          editText={() => (editing.value = { id: position.id, isText: true })}
        />
      </Beside>
    </div>
  );
}

interface TextToolsProps extends Pick<
  TextEdits,
  'write' | 'style' | 'styledRange' | 'toggle' | 'isOn' | 'bind' | 'select' | 'reselect'
> {
  editor: Editor;
  layer: TextLayer;
  completion: CompletionList;
  caret: ShownCaret;
  finish: () => void;
  variables: readonly Variable[];
  typed: string;
  /** True if the text is edited, false if a sample value is. */
  isText: boolean;
  /** Reads the current selection, which may be newer than the last render. */
  selected: () => TextRange;
}

/** Style bar, completion list of variables, and formats of the selected binding. */
function TextTools(props: TextToolsProps): VNode {
  const { editor, layer, variables, typed, isText, selected, styledRange } = props;
  const { completion, caret, finish, write, style, toggle, isOn, bind, reselect } = props;
  const insert = (variable: string | undefined): void => {
    const [from, to] = selected();
    if (variable !== undefined || to > from) return bind([from, to], variable);
    // Without words to name a variable after, its name is typed.
    const text = `${typed.slice(0, from)}{{${typed.slice(from)}`;
    write(text, [from + 2, from + 2]);
    completion.look(text, from + 2);
  };
  return (
    <>
      <StyleBar
        {...{ editor, layer, variables, style, toggle, isOn, reselect }}
        range={styledRange()}
        bind={isText ? insert : undefined}
        finish={finish}
      />
      {completion.list}
      {isText && completion.list === null && (
        <ChipFormats
          {...{ editor, variables }}
          text={typed}
          selected={caret.touched(selected())}
          write={(text, after) => {
            write(text, [after, after]);
            caret.touch({ caret: after, inside: after - 1 });
          }}
          edit={(letters) => {
            props.select(letters);
            reselect();
          }}
        />
      )}
    </>
  );
}

/** Ends the edit when the focus leaves the field and its tools. */
function leaves(finish: () => void): (event: FocusEvent) => void {
  return ({ currentTarget, relatedTarget }) => {
    const isInside = (node: EventTarget | null): boolean =>
      node instanceof Node && currentTarget instanceof Node && currentTarget.contains(node);
    if (isInside(relatedTarget)) return;
    if (relatedTarget !== null) finish();
    // A closing list drops the focus for a moment. Another window does not change the active element.
    else setTimeout(() => isInside(document.activeElement) || finish(), 0);
  };
}

function boxStyle({ seen }: LayerGeometry, view: View): Record<string, string> {
  const at = toScreen(view, seen);
  return {
    transform: `translate(${at.x}px, ${at.y}px) rotate(${seen.rotation}deg)`,
    width: `${seen.width * view.zoom}px`,
    height: `${seen.height * view.zoom}px`,
  };
}

function valueWords({ kind }: TextTarget): string {
  return kind === 'sample' ? 'Sample value' : 'Default';
}

/** Names the value that is edited in place of the text. */
function ValueNote(props: { target: TextTarget; editText: () => void }): VNode | null {
  const { target, editText } = props;
  if (target.name === undefined) return null;
  return (
    <p class="text-note">
      <span>
        {valueWords(target)} of <code>{target.name}</code>:{' '}
        {target.kind === 'sample'
          ? 'only this preview shows it'
          : 'each link shows it, unless it brings another'}
      </span>
      <button type="button" onMouseDown={(event) => event.preventDefault()} onClick={editText}>
        Edit the text
      </button>
    </p>
  );
}
