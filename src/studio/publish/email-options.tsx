/** How an email shows the image: its width, what a click opens, its version and its dark variant. */
import type { VNode } from 'preact';
import { emailWidthPx } from '../../pages/snippets.ts';
import type { EmailChoice } from './share-links.ts';

/** What somebody has chosen. */
export interface EmailOptions extends Required<Omit<EmailChoice, 'dark'>> {
  isPinned: boolean;
  /** The variable with another value in dark mode; its name is empty for none. */
  dark: { name: string; value: string };
}

export const initialOptions: EmailOptions = {
  widthPx: emailWidthPx,
  target: 'https://example.com/',
  isPinned: false,
  dark: { name: '', value: '' },
};

/** The options as snippets take them. */
export function toChoice({ widthPx, target, dark }: EmailOptions): EmailChoice {
  return { widthPx, target: target.trim(), ...(dark.name === '' ? {} : { dark }) };
}

interface Props {
  options: EmailOptions;
  set: (options: EmailOptions) => void;
  version: number;
  names: readonly string[];
  /** A signature covers one link, so that a signed image has no dark variant. */
  isSigned: boolean;
  /** Why the chosen dark variant is not in the snippet. */
  darkNote: string;
}

/** The fields. */
export function EmailFields({ options, set, version, names, isSigned, darkNote }: Props): VNode {
  const { widthPx, target, isPinned, dark } = options;
  return (
    <fieldset class="share-values share-email">
      <legend>In an email</legend>
      <label class="field">
        Width, px
        <input
          type="number"
          min="20"
          max="4096"
          value={widthPx}
          onInput={({ currentTarget: { valueAsNumber } }) =>
            set({ ...options, widthPx: valueAsNumber >= 20 ? valueAsNumber : emailWidthPx })
          }
        />
      </label>
      <label class="field">
        A click opens
        <input
          value={target}
          placeholder="nothing"
          onInput={(event) => set({ ...options, target: event.currentTarget.value })}
        />
      </label>
      <label class="check">
        <input
          type="checkbox"
          checked={isPinned}
          onChange={() => set({ ...options, isPinned: !isPinned })}
        />
        <span>keep version {version}</span>
      </label>
      {!isSigned && names.length > 0 && (
        <label class="field">
          In dark mode
          <select
            value={dark.name}
            onChange={(event) =>
              set({ ...options, dark: { ...dark, name: event.currentTarget.value } })
            }
          >
            <option value="">the same image</option>
            {names.map((name) => (
              <option value={name}>{name} is</option>
            ))}
          </select>
        </label>
      )}
      {!isSigned && dark.name !== '' && (
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
      {darkNote !== '' && <p class="soft">{darkNote}</p>}
    </fieldset>
  );
}
