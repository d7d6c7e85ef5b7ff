/** Lists formats for a variable, each with its result for the sample value. */
import { formatContext } from '#language/bind/binder.ts';
import type { Template, VariableType } from '#language/schema/template.ts';
import { formatValue } from '#language/values/formatted-binding.ts';
import { splitBinding } from './variables.ts';
import type { PlacedBinding } from './variables.ts';

/** Formats and their result. Empty `formats` give the value unchanged. */
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

/** Example values for an empty sample value. */
const standIns: Readonly<Record<Kind, string>> = {
  number: '1299.5',
  date: '2026-11-27',
  text: 'Amanda Smith',
};

/** The type of a variable and its sample value. */
export interface Sampled {
  type: VariableType;
  value: string;
}

/** Returns formats with distinct results, the unchanged value first. `formats` are the current ones of the binding. */
export function formatChoices(
  document: Template,
  { type, value }: Sampled,
  formats: string,
): FormatChoice[] {
  const context = {
    ...formatContext(document, {}),
    timeMs: Date.now(),
    textNames: new Set(type === 'text' ? ['value'] : []),
  };
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

/** Returns the kind of formats for a value. Texts of links are often numbers or dates. */
function kindOf(type: VariableType, value: string, takes: (format: string) => boolean): Kind {
  if (type === 'number' || type === 'date') return type;
  if (!/\d/.test(value)) return 'text';
  if (takes('number')) return 'number';
  return takes('date') ? 'date' : 'text';
}

/** Splits formats into the chosen ones and `default:`, which a new choice keeps. */
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

/** Replaces the formats of a binding, given without its brackets. Keeps its `default:`. */
export function withFormats(source: string, chosen: string): string {
  const { name, formats } = splitBinding(source);
  return [name, chosen, ...partsOf(formats).kept].filter((part) => part !== '').join(' | ');
}

/** Replaces the formats of a binding in a text. Returns the text and the index behind the binding. */
export function withFormat(
  text: string,
  { source, from, to }: PlacedBinding,
  chosen: string,
): [text: string, caret: number] {
  const formatted = withFormats(source, chosen);
  return [`${text.slice(0, from)}{{${formatted}}}${text.slice(to)}`, from + formatted.length + 4];
}
