/** The font families of organizations' own that this thread knows: their files, and their axes. */
import type { FontAxis, OwnFontFamily, OwnFontFile } from '#wire/render-job.ts';

/** By their aliases; `lend-fonts.ts` fills it. */
const known = new Map<string, OwnFontFamily>();

/** No own families. */
export const noOwnFamilies: ReadonlyMap<string, string> = new Map();

/** Makes a family known to whoever looks for files. */
export function knowFamily(family: OwnFontFamily): void {
  known.set(family.alias, family);
}

export function isKnownFamily(alias: string): boolean {
  return known.has(alias);
}

/** Families that are known. */
export function knownFamilies(): number {
  return known.size;
}

export function forgetFamilies(): void {
  known.clear();
}

/** The file of an own family whose weight is nearest, in its italic form when there is one and it is wanted. */
export function findOwnFontFile(
  alias: string,
  weight: number,
  italic: boolean,
): OwnFontFile | undefined {
  const files = known.get(alias)?.files ?? [];
  const styled = files.filter((file) => file.italic === italic);
  const candidates = styled.length > 0 ? styled : files;
  const distance = (file: OwnFontFile): number => Math.abs(file.weight - weight);
  return candidates.toSorted((a, b) => distance(a) - distance(b))[0];
}

/** The axes that all files of an own family have, and its name for people; undefined for any other family. */
export function ownFamilyForm(
  alias: string,
): { name: string; axes: Readonly<Record<string, FontAxis>> } | undefined {
  const family = known.get(alias);
  if (family === undefined) return undefined;
  const [first, ...others] = family.files.map(({ axes }) => axes);
  const shared = Object.entries(first ?? {}).filter(([tag]) =>
    others.every((axes) => Object.hasOwn(axes, tag)),
  );
  return { name: family.name, axes: Object.fromEntries(shared) };
}
