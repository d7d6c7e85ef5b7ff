/** Options of the image in an email: its size, width, link target, version and dark variant. */
import type { VNode } from 'preact';
import { useId } from 'preact/hooks';
import { isPublicAddress } from '../../pages/browser/public-address.ts';
import { emailWidthPx } from '../../pages/browser/email-snippets.ts';
import type { TemplateSize } from '#language/schema/sizes.ts';
import type { Variable } from '#language/schema/template.ts';
import type { Editor } from '../state/editor.ts';
import type { EmailChoice } from './share-links.ts';
import { OperatorNote } from '../panels/operator-note.tsx';
import { LinkValue } from './share-values.tsx';

/** The options that the user has chosen. */
export interface EmailOptions extends Required<Omit<EmailChoice, 'dark'>> {
  isPinned: boolean;
  /** A size of the template; empty for the template's width and height. */
  size: string;
  /** The variable with another value in dark mode; `name` is empty for none. */
  dark: { name: string; value: string };
}

export const initialOptions: EmailOptions = {
  widthPx: emailWidthPx,
  target: '',
  isPinned: false,
  size: '',
  dark: { name: '', value: '' },
};

/** Converts the options to the choice that snippets take. */
export function toChoice({ widthPx, target, dark }: EmailOptions): EmailChoice {
  return { widthPx, target: target.trim(), ...(dark.name === '' ? {} : { dark }) };
}

interface Props {
  editor: Editor;
  options: EmailOptions;
  set: (options: EmailOptions) => void;
  version: number;
  /** Width of the design in the chosen size. */
  widthPxMax: number;
  /** Sizes that links may choose. */
  sizes: readonly TemplateSize[];
  /** The variables in the link. */
  variables: readonly Variable[];
  /** Hides the dark variant: a signature covers only one link. */
  isSigned: boolean;
  /** The reason why the snippet lacks the chosen dark variant; empty if there is none. */
  darkNote: string;
}

export function EmailFields({
  editor,
  options,
  set,
  version,
  widthPxMax,
  sizes,
  variables,
  isSigned,
  darkNote,
}: Props): VNode {
  const { widthPx, target, isPinned } = options;
  return (
    <fieldset class="share-values share-email">
      <legend>In an email</legend>
      <SizeField options={options} set={set} sizes={sizes} />
      <WidthField
        label="Width, px"
        widthPx={widthPx}
        widthPxMax={widthPxMax}
        set={(next) => set({ ...options, widthPx: next })}
      />
      <TargetField target={target} set={(next) => set({ ...options, target: next })} />
      <label class="check">
        <input
          type="checkbox"
          checked={isPinned}
          onChange={() => set({ ...options, isPinned: !isPinned })}
        />
        <span>Stay with version {version} after later changes</span>
      </label>
      {!isSigned && (
        <DarkFields editor={editor} options={options} set={set} variables={variables} />
      )}
      {darkNote !== '' && <p class="soft">{darkNote}</p>}
    </fieldset>
  );
}

const widthPxMin = 20;

interface WidthFieldProps {
  label: string;
  widthPx: number;
  /** The width of the design: the code shows no image wider. */
  widthPxMax: number;
  set: (widthPx: number) => void;
}

/** The width of the image in an email. A width out of bounds stays in the field until it is left. */
export function WidthField({ label, widthPx, widthPxMax, set }: WidthFieldProps): VNode {
  const min = Math.min(widthPxMin, widthPxMax);
  const shown = Math.min(widthPx, widthPxMax);
  return (
    <label class="field">
      {label}
      <input
        type="number"
        min={min}
        max={widthPxMax}
        value={shown}
        onInput={({ currentTarget: { valueAsNumber } }) => {
          if (valueAsNumber >= min && valueAsNumber <= widthPxMax) set(valueAsNumber);
        }}
        onChange={({ currentTarget: field }) => {
          const bounded = Math.max(min, Math.min(field.valueAsNumber || shown, widthPxMax));
          field.value = String(bounded);
          set(bounded);
        }}
      />
    </label>
  );
}

/** The link around the image. */
export function TargetField({
  target,
  set,
}: {
  target: string;
  set: (target: string) => void;
}): VNode {
  return (
    <label class="field">
      A click opens
      <input
        value={target}
        placeholder="https://…"
        onInput={(event) => set(event.currentTarget.value)}
      />
    </label>
  );
}

type FieldProps = Pick<Props, 'options' | 'set'>;

function SizeField({ options, set, sizes }: FieldProps & Pick<Props, 'sizes'>): VNode | null {
  if (sizes.length === 0) return null;
  return (
    <label class="field">
      Size
      <select
        value={options.size}
        onChange={(event) => set({ ...options, size: event.currentTarget.value })}
      >
        <option value="">Of the template</option>
        {sizes.map(({ name, width, height }) => (
          <option value={name}>
            {name}, {width} × {height}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Selects a variable, and its value in dark mode. */
function DarkFields({
  editor,
  options,
  set,
  variables,
}: FieldProps & Pick<Props, 'editor' | 'variables'>): VNode | null {
  const id = useId();
  if (variables.length === 0) return null;
  const { dark } = options;
  const variable = variables.find(({ name }) => name === dark.name);
  return (
    <>
      <label class="field">
        In dark mode
        <select
          value={dark.name}
          onChange={(event) =>
            set({ ...options, dark: { name: event.currentTarget.value, value: '' } })
          }
        >
          <option value="">The same image</option>
          {variables.map(({ name }) => (
            <option value={name}>{name} is</option>
          ))}
        </select>
      </label>
      {variable !== undefined && (
        <div class="field share-control" data-type={variable.type}>
          <label for={id}>Dark value of {dark.name}</label>
          <LinkValue
            id={id}
            editor={editor}
            variable={variable}
            label={`Dark value of ${dark.name}`}
            value={dark.value}
            change={(value) => set({ ...options, dark: { ...dark, value } })}
          />
        </div>
      )}
    </>
  );
}

/** Explains why readers or emails cannot open the links of a template; empty if they can. */
export function AccessHints({
  base,
  linkAuth,
}: {
  base: string;
  linkAuth: string | undefined;
}): VNode {
  return (
    <>
      {!isPublicAddress(base) && (
        <div class="hint">
          Readers elsewhere cannot open these links yet. Ask the people who run this service for a
          public address before you send them.
          <OperatorNote>
            <code>PLATEN_PUBLIC_URL</code> is the public address of the service.
          </OperatorNote>
        </div>
      )}
      {linkAuth === 'key' && (
        <p class="hint">
          An email or a page cannot show these links, because they need an API key. To change this,
          open Share in the editor, and choose who may open links under Access.
        </p>
      )}
    </>
  );
}
