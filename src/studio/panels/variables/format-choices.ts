/** The formats of a variable as a person chooses them: by what they make of its sample value. */
import { formatContext } from '#language/bind/binder.ts';
import type { Template, VariableType } from '#language/schema/template.ts';
import { formatValue } from '#language/values/formatted-binding.ts';
import { splitBinding } from './variables.ts';
import type { PlacedBinding } from './variables.ts';

/** Formats, and what they write; those of the empty text write the value as it is. */
export interface FormatChoice {
  formats: string;
  shown: string;
  isChosen: boolean;
}

type Kind = 'number' | 'date' | 'text';

const usual: Readonly<Record<Kind, readonly string[]>> = {
  number: [
    'number',
    'number:2',
    'number:0',
    'currency:EUR',
    'currency:USD',
    'currency:GBP',
    'currency:EUR,0',
    'percent',
    'pad:2',
  ],
  date: [
    'date:short',
    'date:medium',
    'date:long',
    'date:full',
    'date:day,month',
    'date:weekday,day,month',
    'time',
    'time:24',
    'relative',
  ],
  text: ['upper', 'lower', 'title', 'name', 'initials', 'truncate:20'],
};

/** What an empty sample value is shown with. */
const standIns: Readonly<Record<Kind, string>> = {
  number: '1299.5',
  date: '2026-11-27',
  text: 'Amanda Smith',
};

/** A variable with the value of its sample. */
export interface Sampled {
  type: VariableType;
  value: string;
}

/** Formats that each write something else, the value as it is first; `formats` are those of the binding now. */
export function formatChoices(
  document: Template,
  { type, value }: Sampled,
  formats: string,
): FormatChoice[] {
  const context = { ...formatContext(document, {}), timeMs: Date.now() };
  const write = (text: string, each: string): string | undefined => {
    const problems: string[] = [];
    const values = new Map([['value', text]]);
    const shown = formatValue(each === '' ? 'value' : `value | ${each}`, values, {
      ...context,
      problems,
    });
    return problems.length === 0 ? shown : undefined;
  };
  const kind = kindOf(type, value, (each) => write(value, each) !== undefined);
  const text = value === '' ? standIns[kind] : value;
  const { chosen } = partsOf(formats);
  const choices = new Map<string, FormatChoice>();
  const written = ['', ...usual[kind]].includes(chosen) ? [] : [chosen];
  for (const each of ['', ...written, ...usual[kind]]) {
    const shown = write(text, each);
    if (shown === undefined) continue;
    const isChosen = each === chosen;
    if (isChosen || !choices.has(shown)) choices.set(shown, { formats: each, shown, isChosen });
  }
  return [...choices.values()];
}

/** Texts of links are often numbers or dates. */
function kindOf(type: VariableType, value: string, takes: (format: string) => boolean): Kind {
  if (type === 'number' || type === 'date') return type;
  if (!/\d/.test(value)) return 'text';
  if (takes('number')) return 'number';
  return takes('date') ? 'date' : 'text';
}

/** What is chosen of formats, and the value in place of an empty one, which stays. */
function partsOf(formats: string): { chosen: string; kept: string[] } {
  const parts = formats
    .split('|')
    .map((part) => part.trim())
    .filter((part) => part !== '');
  return {
    chosen: parts.filter((part) => !part.startsWith('default:')).join(' | '),
    kept: parts.filter((part) => part.startsWith('default:')),
  };
}

/** A binding, without its brackets, with a choice in place of its formats; its default stays. */
export function withFormats(source: string, chosen: string): string {
  const { name, formats } = splitBinding(source);
  return [name, chosen, ...partsOf(formats).kept].filter((part) => part !== '').join(' | ');
}

/** The text where a binding has a choice in place of its formats, and the index before its closing brackets. */
export function withFormat(
  text: string,
  { source, from, to }: PlacedBinding,
  chosen: string,
): [text: string, caret: number] {
  const formatted = withFormats(source, chosen);
  return [`${text.slice(0, from)}{{${formatted}}}${text.slice(to)}`, from + 2 + formatted.length];
}
