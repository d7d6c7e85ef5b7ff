/** Controls of plain values: booleans, choices, sets of words, masks, other templates, and JSON for the rest. */
import { behindFrame } from '../behind-frame.ts';
import { parentOf, nameOf } from '../../state/layers.ts';
import type { Target } from '../target.ts';
import type { VNode } from 'preact';
import { hasIcon, icon } from '../../icons.tsx';
import { wordOf } from './labels.ts';
import type { ControlProps } from './number.tsx';
import type { FieldKind } from './schema-fields.ts';

type KindOf<Name extends FieldKind['type']> = Extract<FieldKind, { type: Name }>;

interface ToggleProps {
  id: string;
  isOn: boolean;
  /** Shown as neither on nor off. */
  isMixed?: boolean;
  change: (isOn: boolean) => void;
}

export function Toggle({ id, isOn, isMixed = false, change }: ToggleProps): VNode {
  return (
    <input
      id={id}
      class="p-toggle"
      type="checkbox"
      role="switch"
      checked={isOn}
      indeterminate={isMixed}
      onChange={(event) => change(event.currentTarget.checked)}
    />
  );
}

/** A checkbox. If the layers differ, it is neither on nor off. */
export function BooleanField({
  id,
  value,
  change,
  isMixed,
  standard,
}: ControlProps<KindOf<'boolean'>> & { isMixed: boolean; standard: unknown }): VNode {
  return <Toggle id={id} isOn={Boolean(value ?? standard)} isMixed={isMixed} change={change} />;
}

/** Letters at most that fit into buttons side by side. */
const segmentLettersMax = 22;

/** A choice: buttons side by side if they fit, else a list. */
export function ChoiceField({
  id,
  kind,
  value,
  change,
  isMixed,
  standard,
  name,
  label,
}: ControlProps<KindOf<'choice'>> & {
  isMixed: boolean;
  standard: unknown;
  name: string;
  label: string;
}): VNode {
  const { words } = kind;
  const current = value ?? (isMixed ? undefined : standard);
  const shown = (word: string): string => wordOf(name, word);
  const hasIcons = words.every((word) => hasIcon(`${name}-${word}`));
  // All buttons are as wide as the longest word needs.
  const letters = words.length * Math.max(...words.map((word) => shown(word).length));
  if (!hasIcons && (words.length > 4 || letters > segmentLettersMax)) {
    return (
      <select
        id={id}
        value={words.find((word) => word === current) ?? ''}
        onChange={(event) => change(event.currentTarget.value)}
      >
        {current === undefined ? (
          <option value="" disabled>
            {isMixed ? 'Mixed' : 'Default'}
          </option>
        ) : null}
        {words.map((word) => (
          <option value={word} selected={word === current}>
            {shown(word)}
          </option>
        ))}
      </select>
    );
  }
  return (
    <span class="p-segments" role="radiogroup" aria-label={label}>
      {words.map((word) => (
        <label class="p-segment" title={shown(word)}>
          <input
            type="radio"
            name={id}
            value={word}
            aria-label={shown(word)}
            checked={word === current}
            onChange={() => change(word)}
          />
          <span>{hasIcons ? icon(`${name}-${word}`) : shown(word)}</span>
        </label>
      ))}
    </span>
  );
}

/** A set of words, each on or off. An absent value means the default. */
export function SetField({
  kind,
  value,
  change,
  standard,
  name,
  label,
}: ControlProps<KindOf<'set'>> & { standard: unknown; name: string; label: string }): VNode {
  const current = (value ?? standard ?? []) as readonly unknown[];
  const toggle = (word: string): void => {
    const next = kind.words.filter((each) => current.includes(each) !== (each === word));
    change(JSON.stringify(next) === JSON.stringify(standard) ? undefined : next);
  };
  return (
    <span class="p-segments" role="group" aria-label={label} data-set={name}>
      {kind.words.map((word) => (
        <label class="p-segment" title={wordOf(name, word)}>
          <input
            type="checkbox"
            value={word}
            aria-label={wordOf(name, word)}
            checked={current.includes(word)}
            onChange={() => toggle(word)}
          />
          <span>{wordOf(name, word)}</span>
        </label>
      ))}
    </span>
  );
}

/** Edits a property as JSON, for values that no other control shows. */
export function JsonField({ id, value, change, isInvalid }: ControlProps<FieldKind>): VNode {
  return (
    <textarea
      id={id}
      class="p-code"
      rows={3}
      spellcheck={false}
      aria-invalid={isInvalid}
      value={value === undefined ? '' : JSON.stringify(value, undefined, 1)}
      placeholder="JSON"
      onChange={(event) => {
        const { value: text } = event.currentTarget;
        if (text.trim() === '') change(undefined);
        else change(parseJson(text));
      }}
    />
  );
}

/** Parses JSON. Returns other text unchanged, so that the service reports what it expects. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

// Chooses the layer whose alpha masks another layer.

/** Offers the other layers of the same parent. */
export function MaskField({
  id,
  value,
  change,
  target,
  isMixed,
}: Omit<ControlProps<FieldKind>, 'kind'> & { target: Target; isMixed: boolean }): VNode {
  const document = behindFrame(target.editor).document.value;
  const beside = parentOf(document, target.ids[0] ?? '')?.layers ?? [];
  const others = beside.filter((layer) => !target.ids.includes(layer.id));
  return (
    <select
      id={id}
      value={typeof value === 'string' ? value : ''}
      onChange={(event) => {
        const chosen = event.currentTarget.value;
        change(chosen === '' ? undefined : chosen);
      }}
    >
      <option value="">{isMixed ? 'Mixed' : 'none'}</option>
      {others.map((layer) => (
        <option value={layer.id} selected={layer.id === value}>
          {nameOf(layer)}
        </option>
      ))}
    </select>
  );
}
