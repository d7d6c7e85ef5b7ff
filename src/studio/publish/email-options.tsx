/** Options of the image in an email: its size, width, link target, version and dark variant. */
import type { VNode } from 'preact';
import { isPublicAddress } from '../../pages/public-address.ts';
import { emailWidthPx } from '../../pages/snippets.ts';
import type { TemplateSize } from '#language/schema/sizes.ts';
import type { EmailChoice } from './share-links.ts';

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
  options: EmailOptions;
  set: (options: EmailOptions) => void;
  version: number;
  /** Sizes that links may choose. */
  sizes: readonly TemplateSize[];
  names: readonly string[];
  /** Hides the dark variant: a signature covers only one link. */
  isSigned: boolean;
  /** The reason why the snippet lacks the chosen dark variant; empty if there is none. */
  darkNote: string;
}

export function EmailFields({
  options,
  set,
  version,
  sizes,
  names,
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
      {!isSigned && <DarkFields options={options} set={set} names={names} />}
      {darkNote !== '' && <p class="soft">{darkNote}</p>}
    </fieldset>
  );
}

const widthPxMin = 20;

interface WidthFieldProps {
  label: string;
  widthPx: number;
  set: (widthPx: number) => void;
}

/** The width of the image in an email. */
export function WidthField({ label, widthPx, set }: WidthFieldProps): VNode {
  return (
    <label class="field">
      {label}
      <input
        type="number"
        min={widthPxMin}
        max="4096"
        value={widthPx}
        onInput={({ currentTarget: { valueAsNumber } }) =>
          set(valueAsNumber >= widthPxMin ? valueAsNumber : emailWidthPx)
        }
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
function DarkFields({ options, set, names }: FieldProps & Pick<Props, 'names'>): VNode | null {
  if (names.length === 0) return null;
  const { dark } = options;
  return (
    <>
      <label class="field">
        In dark mode
        <select
          value={dark.name}
          onChange={(event) =>
            set({ ...options, dark: { ...dark, name: event.currentTarget.value } })
          }
        >
          <option value="">The same image</option>
          {names.map((name) => (
            <option value={name}>{name} is</option>
          ))}
        </select>
      </label>
      {dark.name !== '' && (
        <label class="field">
          Dark value of {dark.name}
          <input
            value={dark.value}
            onInput={(event) =>
              set({ ...options, dark: { ...dark, value: event.currentTarget.value } })
            }
          />
        </label>
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
        <p class="hint">
          Readers elsewhere cannot open the links, because their address is not public: the operator
          sets <code>PLATEN_PUBLIC_URL</code> to the public address of the service.
        </p>
      )}
      {linkAuth === 'key' && (
        <p class="hint">
          This template answers only requests with an API key in <code>X-API-Key</code>: an email or
          a page cannot show its links.
        </p>
      )}
    </>
  );
}
