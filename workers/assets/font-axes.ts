/** Bundled families that have a variable font beside their static files, and the rule for its use. */
import type { FontAxis } from '#wire/font-facts.ts';
import { organizationFamilyForm } from './organization-fonts.ts';

/**
 * A variable font, under a family name that no template uses. The initial values of its axes are those of the family's
 * static files; the initial `wght` is the regular weight.
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
const variableNames = new Set(Array.from(variableForms.values(), ({ family }) => family));

/** Static files have the weights 100, 200 … 900. */
const weightStep = 100;

/** The families in which the engine searches glyphs, and the parameters that it gets with them. */
export interface FontChoice {
  families: string[];
  /** Weight of the static files, a multiple of 100. */
  weight: number;
  /**
   * Values of the axes of variable fonts; a font clamps them to its range (CSS Fonts 4, 7.2). Empty without variable
   * fonts.
   */
  axes: Map<string, number>;
}

/** Whether a name is that of a variable font. Templates may not use this name: they name the family. */
export function isVariableForm(family: string): boolean {
  return variableNames.has(family);
}

/**
 * Inserts the variable font before each family whose static files cannot show the request: a weight between theirs, or
 * an axis value other than their initial one. `wanted` overrides the weight (CSS Fonts 4, 7.2). The static files follow
 * the variable font, for the characters that it lacks.
 */
export function chooseFonts(
  families: readonly string[],
  weight: number,
  wanted: ReadonlyMap<string, number>,
): FontChoice {
  const axes = new Map<string, number>();
  const chosen = families.flatMap((family) => {
    const uploaded = organizationFamilyForm(family);
    const form =
      uploaded === undefined ? variableForms.get(family) : { family, axes: uploaded.axes };
    if (form === undefined || isInFiles(form, weight, wanted, uploaded !== undefined))
      return [family];
    for (const [tag, axis] of Object.entries(form.axes)) {
      axes.set(tag, wanted.get(tag) ?? (tag === 'wght' ? weight : axis.initial));
    }
    return uploaded === undefined ? [form.family, family] : [family];
  });
  // The engine emboldens a light variable letter if the requested weight is bold, so both have the same value.
  const first = familyAxes(families[0] ?? '')['wght'];
  const uploaded = first === undefined ? weight : toRange(wanted.get('wght') ?? weight, first);
  return { families: chosen, weight: toFileWeight(uploaded), axes };
}

/** Whether static files of a family look as requested; a variable font of an organization has none. */
function isInFiles(
  { axes }: VariableForm,
  weight: number,
  wanted: ReadonlyMap<string, number>,
  isSaved: boolean,
): boolean {
  if (isSaved) return Object.keys(axes).length === 0;
  return Object.entries(axes).every(([tag, axis]) => {
    if (tag === 'wght') return toRange(wanted.get(tag) ?? weight, axis) % weightStep === 0;
    return toRange(wanted.get(tag) ?? axis.initial, axis) === axis.initial;
  });
}

/**
 * Returns the weight of the static file that replaces a weight in between (CSS Fonts 4, 5.2). The engine would choose
 * 400 or 500 for 451 by a rule of its own. It would also search all families again for each new number: 25 ms.
 */
function toFileWeight(weight: number): number {
  const steps = weight / weightStep;
  const step = weight < 400 ? Math.floor(steps) : Math.ceil(steps);
  return Math.min(Math.max(step, 1), 9) * weightStep;
}

function toRange(value: number, { min, max }: FontAxis): number {
  return Math.min(Math.max(value, min), max);
}

/**
 * Returns the axes of a bundled family, or of a registered one of an organization, by their tags; none for all others.
 */
export function familyAxes(family: string): Readonly<Record<string, FontAxis>> {
  return organizationFamilyForm(family)?.axes ?? variableForms.get(family)?.axes ?? {};
}

/** Returns a message that the family lacks an axis, with the axes that it has; undefined if it has this axis. */
export function axisProblem(family: string, tag: string): string | undefined {
  const axes = familyAxes(family);
  if (Object.hasOwn(axes, tag)) return undefined;
  const uploaded = Object.entries(axes).map(
    ([name, { min, max }]) => `${name} from ${min} to ${max}`,
  );
  const rest = uploaded.length === 0 ? 'it has none' : `it has ${uploaded.join(', ')}`;
  const shown = organizationFamilyForm(family)?.name ?? family;
  return `the font family "${shown}" has no axis ${tag}: ${rest}`;
}
