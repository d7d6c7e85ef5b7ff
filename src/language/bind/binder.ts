/** Collects the values that a render binds to a template: values, types, and the context of value formats. */
import type { Template, VariableType } from '../schema/template.ts';
import { clockUseOf, unitTimeMs } from '../clock/clock-use.ts';
import { deadlineOf } from '../clock/deadline.ts';
import { liveValue, liveVariables } from '../clock/live-values.ts';
import type { RenderMoment } from '#wire/render-moment.ts';
import { variableOf } from '../values/formatted-binding.ts';
import { defaultText, itemPrefix } from '../values/list-value.ts';
import type { FormatContext } from '../values/value-formats.ts';
import { bindingsIn, boundValue } from './bindings.ts';

/** The values that a template's properties are bound to. */
export interface Binder {
  values: ReadonlyMap<string, string>;
  defaults: ReadonlyMap<string, string>;
  types: ReadonlyMap<string, VariableType>;
  /** The context of value formats. */
  context: FormatContext;
  /** The live values of a countdown without a deadline. A layer that draws one is left out. */
  uncounted?: ReadonlySet<string> | undefined;
}

/** Values over those of another map, which stays as it is and is not copied. An iteration has the upper values only. */
export class LayeredValues extends Map<string, string> {
  readonly #lower: ReadonlyMap<string, string>;

  constructor(lower: ReadonlyMap<string, string>) {
    super();
    this.#lower = lower;
  }

  override get(name: string): string | undefined {
    return super.get(name) ?? this.#lower.get(name);
  }

  override has(name: string): boolean {
    return super.has(name) || this.#lower.has(name);
  }
}

/** The parameters of a render besides its values. */
export interface RenderLocale extends RenderMoment {
  /** Overrides the document's language. */
  lang?: string | undefined;
  /** Milliseconds since the start of the template's motion; absent for an image that does not move. */
  motionMs?: number | undefined;
}

const textNames = new WeakMap<Template['variables'], ReadonlySet<string>>();

/**
 * Names of the variables of the type text, and of the fields that are texts in all lists, such as `item.title`. Programs
 * fill tables, so variables with a table are left out.
 */
function textNamesOf({ variables }: Template): ReadonlySet<string> {
  let names = textNames.get(variables);
  if (names === undefined) {
    const all = variables.flatMap((variable): [name: string, isText: boolean][] => {
      const isGiven = variable.from === undefined;
      return variable.type === 'list'
        ? variable.fields.map(({ name, type }) => [itemPrefix + name, isGiven && type === 'text'])
        : [[variable.name, isGiven && variable.type === 'text']];
    });
    const others = new Set(all.filter(([, isText]) => !isText).map(([name]) => name));
    names = new Set(all.map(([name]) => name).filter((name) => !others.has(name)));
    textNames.set(variables, names);
  }
  return names;
}

/** The context of a template's value formats. Without a time, it is 0 (1970). */
export function formatContext(
  template: Template,
  { lang = template.lang ?? 'en', timeMs = 0 }: RenderLocale,
): FormatContext {
  return {
    lang,
    documentLang: template.lang,
    timeMs: unitTimeMs(template, timeMs) ?? 0,
    zone: template.clock?.zone,
    problems: [],
    textNames: textNamesOf(template),
  };
}

/** Values and defaults of a template's variables and its live values, ready to bind. */
export function createBinder(
  template: Template,
  values: ReadonlyMap<string, string>,
  locale: RenderLocale = {},
): Binder {
  const { variables } = template;
  const binder = {
    context: formatContext(template, locale),
    values,
    defaults: new Map(variables.map((variable) => [variable.name, defaultText(variable)])),
    types: new Map(variables.map(({ name, type }) => [name, type])),
  };
  return locale.timeMs === undefined ? binder : withLiveValues(binder, template, locale);
}

/** The binder with the live values that the template reads. */
function withLiveValues(
  binder: Binder & { defaults: Map<string, string>; types: Map<string, VariableType> },
  template: Template,
  locale: RenderLocale,
): Binder {
  const { names } = clockUseOf(template);
  if (names.size === 0) return binder;
  const { timeMs = 0 } = locale;
  const moment: RenderMoment =
    locale.untilMs === undefined
      ? { ...locale, ...deadlineOf(template, { ...binder, timeMs }) }
      : locale;
  const values = new LayeredValues(binder.values);
  const liveNumbers = new Set<string>();
  const uncounted = new Set<string>();
  for (const { name, type, value } of liveVariables(template)) {
    if (!names.has(name)) continue;
    binder.defaults.set(name, value);
    binder.types.set(name, type);
    if (type === 'number') liveNumbers.add(name);
    const text = liveValue(name, moment, template.clock?.zone) ?? value;
    values.set(name, text);
    if (text === '') uncounted.add(name);
  }
  return { ...binder, values, uncounted, context: { ...binder.context, liveNumbers } };
}

/** Whether a text binds what is left of a countdown without a deadline, and no format gives it another text. */
export function bindsUncounted(
  text: string,
  { uncounted, values, types, context }: Binder,
): boolean {
  if (uncounted === undefined || uncounted.size === 0) return false;
  return bindingsIn(text).some(
    (source) =>
      uncounted.has(variableOf(source, types)) && boundValue(source, values, context) === '',
  );
}
