/** The values of a link: a control for each variable, by its type, and the reason why the link lacks a typed one. */
import type { RefObject, VNode } from 'preact';
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { SnippetValue } from '../../pages/browser/email-snippets.ts';
import type { Template, Variable } from '#language/schema/template.ts';
import { ValueItems } from '../panels/variables/item-table.tsx';
import { limitProblem, limitWords } from '../panels/variables/taken-values.ts';
import { valueControl } from '../panels/variables/value-control.tsx';
import { defaultWords, linkText } from '../panels/variables/variables.ts';
import type { Editor } from '../state/editor.ts';

interface ShareValuesProps {
  editor: Editor;
  published: Template;
  values: readonly SnippetValue[];
  set: (values: SnippetValue[]) => void;
  hasEmailService: boolean;
}

export function ShareValues({
  editor,
  published,
  values,
  set,
  hasEmailService,
}: ShareValuesProps): VNode | null {
  if (values.length === 0) return null;
  const change = (name: string, facts: Partial<SnippetValue>): void =>
    set(values.map((each) => (each.name === name ? { ...each, ...facts } : each)));
  return (
    <fieldset class="share-values">
      <legend>Values in the link. An empty one shows the default.</legend>
      {values.map((given) => {
        const variable = published.variables.find(({ name }) => name === given.name);
        return variable === undefined ? null : (
          <ShareValue
            key={given.name}
            editor={editor}
            variable={variable}
            given={given}
            change={(facts) => change(given.name, facts)}
            isFixed={hasEmailService && given.isPersonal}
          />
        );
      })}
    </fieldset>
  );
}

interface ShareValueProps {
  editor: Editor;
  variable: Variable;
  given: SnippetValue;
  change: (facts: Partial<SnippetValue>) => void;
  /** Whether the email service gives the value. */
  isFixed: boolean;
}

function ShareValue({ editor, variable, given, change, isFixed }: ShareValueProps): VNode {
  const id = useId();
  const { name, value, isPersonal } = given;
  const limits = limitWords(variable);
  return (
    <div class="share-value" data-type={variable.type}>
      <div class="share-value-head">
        <div class="share-value-name">
          <label for={id} title={name}>
            {name}
          </label>
          {/* One in place of the other: a line of its own for the button would move the fields below. */}
          {value === '' || isFixed ? (
            <span class="soft">{limits}</span>
          ) : (
            <button
              type="button"
              class="share-default"
              aria-label={`Use the default of ${name}`}
              onClick={() => change({ value: '' })}
            >
              Use the default
            </button>
          )}
        </div>
        <label class="check" title="The email service fills it in for each contact">
          <input
            type="checkbox"
            checked={isPersonal}
            onChange={() => change({ isPersonal: !isPersonal })}
          />
          <span>from contact</span>
        </label>
      </div>
      <fieldset class="share-control" disabled={isFixed} aria-label={`Value of ${name}`}>
        <LinkValue
          id={id}
          editor={editor}
          variable={variable}
          label={name}
          value={value}
          change={(next) => change({ value: next })}
        />
      </fieldset>
    </div>
  );
}

interface LinkValueProps {
  id: string;
  editor: Editor;
  variable: Variable;
  label: string;
  /** Empty for the default. */
  value: string;
  change: (value: string) => void;
}

/** The control of a value. One that shows no placeholder shows the default itself. */
export function LinkValue({ value, variable, ...rest }: LinkValueProps): VNode {
  if (variable.type === 'list') return <ValueItems {...rest} variable={variable} value={value} />;
  const isTyped = variable.type === 'text' || variable.type === 'number';
  return valueControl({
    ...rest,
    variable,
    value: value === '' && !isTyped ? linkText(variable) : value,
    placeholder: isTyped ? defaultWords(variable) : '',
    limit: (typed) => limitProblem(variable, typed),
  });
}

/** A field whose text is not the value. `data-refused` marks one that shows its problem only when it is left. */
const refusedField = '[aria-invalid="true"], [data-refused="true"]';
const refusalMarks = ['aria-invalid', 'data-refused', 'aria-describedby'];

interface Refusal {
  /** The element of all fields. */
  fields: RefObject<HTMLDivElement | null>;
  /** Why the link lacks the text of a field, as sentences; undefined if it lacks none. */
  refusal: string | undefined;
  /** Id for the element that shows it. */
  refusalId: string;
  /** This id while there is a refusal. */
  offBecause: string | undefined;
}

/** Follows the marks of fields, which keep a refused text to themselves, also those in cells of a list. */
export function useRefusal(): Refusal {
  const fields = useRef<HTMLDivElement>(null);
  const refusalId = useId();
  const [refusal, setRefusal] = useState<string | undefined>(undefined);
  useLayoutEffect(() => {
    const { current } = fields;
    if (current === null) return undefined;
    const follow = (): void => setRefusal(refusalIn(current));
    const observer = new MutationObserver(follow);
    observer.observe(current, { subtree: true, childList: true, attributeFilter: refusalMarks });
    follow();
    return () => observer.disconnect();
  }, []);
  return { fields, refusal, refusalId, offBecause: refusal === undefined ? undefined : refusalId };
}

function refusalIn(host: HTMLElement): string | undefined {
  const field = host.querySelector<HTMLInputElement>(refusedField);
  if (field === null) return undefined;
  const name = field.ariaLabel ?? field.labels?.[0]?.textContent ?? 'value';
  const note = document.querySelector(`[id="${field.getAttribute('aria-describedby') ?? ''}"]`);
  return `The link is without the typed ${name}. ${note?.textContent ?? ''}`.trim();
}
