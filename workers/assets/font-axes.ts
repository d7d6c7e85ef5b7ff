/** Bundled families that have a variable form beside their files of one weight each, and when text is drawn in it. */
import type { FontAxis } from '#wire/render-job.ts';
import { ownFamilyForm } from './organization-fonts.ts';

/**
 * A variable font, under a family name of its own that no template uses. The initial values are where the family's
 * files of one weight each stand; of `wght`, the regular one.
 */
interface VariableForm {
  family: string;
  axes: Readonly<Record<string, FontAxis>>;
}

/**
 * The files are in `data/fonts`. Families that share an axis have the same initial value of it, because the paint
 * engine takes one value for all families of a text.
 */
const variableForms: ReadonlyMap<string, VariableForm> = new Map([
  [
    'Inter',
    {
      family: 'Inter Variable',
      axes: {
        opsz: { min: 14, max: 32, initial: 14 },
        wght: { min: 100, max: 900, initial: 400 },
      },
    },
  ],
  [
    'Fraunces',
    {
      family: 'Fraunces Variable',
      axes: {
        opsz: { min: 9, max: 144, initial: 14 },
        wght: { min: 100, max: 900, initial: 400 },
        SOFT: { min: 0, max: 100, initial: 0 },
        WONK: { min: 0, max: 1, initial: 0 },
      },
    },
  ],
]);
const ownNames = new Set(Array.from(variableForms.values(), ({ family }) => family));

/** The files of one weight each have these: 100, 200 … 900. */
const weightStep = 100;

/** The families in which text is looked for, and what the paint engine is told beside them. */
export interface FontChoice {
  families: string[];
  /** A multiple of 100: of the files of one weight each. */
  weight: number;
  /** Values of the variable forms' axes; a font brings them into its range (CSS Fonts 4, 7.2). Empty without forms. */
  axes: Map<string, number>;
}

/** Whether a family is a variable form: only its family's name is for templates. */
export function isVariableForm(family: string): boolean {
  return ownNames.has(family);
}

/**
 * Puts the variable form before each family whose files do not have what is asked for: a weight between theirs, or
 * an axis away from where they stand. `wanted` overrides the weight (CSS Fonts 4, 7.2). The files stay behind it,
 * for the characters that the form lacks.
 */
export function chooseFonts(
  families: readonly string[],
  weight: number,
  wanted: ReadonlyMap<string, number>,
): FontChoice {
  const axes = new Map<string, number>();
  const chosen = families.flatMap((family) => {
    const own = ownFamilyForm(family);
    const form = own === undefined ? variableForms.get(family) : { family, axes: own.axes };
    if (form === undefined || isInFiles(form, weight, wanted, own !== undefined)) return [family];
    for (const [tag, axis] of Object.entries(form.axes)) {
      axes.set(tag, wanted.get(tag) ?? (tag === 'wght' ? weight : axis.initial));
    }
    return own === undefined ? [form.family, family] : [family];
  });
  // The engine thickens a light variable letter when the weight beside it is bold: both say the same.
  const first = familyAxes(families[0] ?? '')['wght'];
  const own = first === undefined ? weight : toRange(wanted.get('wght') ?? weight, first);
  return { families: chosen, weight: toFileWeight(own), axes };
}

/** Whether a family's files of one weight each look as asked for; an own variable font has no such files. */
function isInFiles(
  { axes }: VariableForm,
  weight: number,
  wanted: ReadonlyMap<string, number>,
  isOwn: boolean,
): boolean {
  if (isOwn) return Object.keys(axes).length === 0;
  return Object.entries(axes).every(([tag, axis]) => {
    if (tag === 'wght') return toRange(wanted.get(tag) ?? weight, axis) % weightStep === 0;
    return toRange(wanted.get(tag) ?? axis.initial, axis) === axis.initial;
  });
}

/**
 * The weight of the file that stands in for one between (CSS Fonts 4, 5.2). The engine, asked for 451, takes 400 or
 * 500 as its own scale of weights says, and looks through all families anew for each number: 25 ms.
 */
function toFileWeight(weight: number): number {
  const steps = weight / weightStep;
  const step = weight < 400 ? Math.floor(steps) : Math.ceil(steps);
  return Math.min(Math.max(step, 1), 9) * weightStep;
}

function toRange(value: number, { min, max }: FontAxis): number {
  return Math.min(Math.max(value, min), max);
}

/** The axes of a bundled family or of a known one of an organization's own, by their tags; none for all others. */
export function familyAxes(family: string): Readonly<Record<string, FontAxis>> {
  return ownFamilyForm(family)?.axes ?? variableForms.get(family)?.axes ?? {};
}

/** Says that a family lacks an axis, and which it has; undefined when it has it. */
export function axisProblem(family: string, tag: string): string | undefined {
  const axes = familyAxes(family);
  if (Object.hasOwn(axes, tag)) return undefined;
  const own = Object.entries(axes).map(([name, { min, max }]) => `${name} from ${min} to ${max}`);
  const rest = own.length === 0 ? 'it has none' : `it has ${own.join(', ')}`;
  const shown = ownFamilyForm(family)?.name ?? family;
  return `the font family "${shown}" has no axis ${tag}: ${rest}`;
}
