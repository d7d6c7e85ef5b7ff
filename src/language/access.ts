/** Access in documents: a new template takes it from its document, and later it is ignored with a warning. */
import { linkOptionNames } from './schema/access.ts';
import type { Access, LinkOption } from './schema/access.ts';
import type { Template } from './schema/template.ts';

type AccessDocument = Pick<Template, 'linkAuth' | 'linkOptions' | 'clock'>;

/** The same options in the order of the schema, without duplicates. */
export function sortedOptions(options: readonly LinkOption[]): LinkOption[] {
  return linkOptionNames.filter((name) => options.includes(name));
}

/**
 * The options that a document names. Documents older than `frames` could name all others only: such a list means all
 * options.
 */
function documentOptions({ linkOptions }: AccessDocument): LinkOption[] {
  if (linkOptions === undefined) return [...linkOptionNames];
  const isAll = linkOptionNames.every((name) => name === 'frames' || linkOptions.includes(name));
  return isAll ? [...linkOptionNames] : sortedOptions(linkOptions);
}

/** The access of a new template with this document. */
export function documentAccess(document: AccessDocument): Access {
  const { linkAuth = 'open', clock } = document;
  return { linkAuth, linkOptions: documentOptions(document), atZero: clock?.atZero ?? 'stay' };
}

/** Whether two accesses say the same, whatever the order of their options. */
export function isSameAccess(one: Access, other: Access): boolean {
  const [first, second] = [one, other].map(({ linkAuth, linkOptions, atZero }) =>
    JSON.stringify([linkAuth, sortedOptions(linkOptions), atZero]),
  );
  return first === second;
}

/** A property of a document that has no effect. */
export interface IgnoredProperty {
  /** Path in the document. */
  path: string;
  /** A sentence: what is in force, and how to change it. */
  detail: string;
}

/** The properties of a document that differ from the access of its template. Absent properties do not differ. */
export function ignoredAccess(
  uid: string,
  document: AccessDocument,
  access: Access,
): IgnoredProperty[] {
  const { linkAuth, linkOptions, clock } = document;
  const { linkOptions: meant } = documentAccess(document);
  const named = [
    ['linkAuth', 'linkAuth', linkAuth],
    ['linkOptions', 'linkOptions', linkOptions && sortedOptions(linkOptions)],
    ['clock.atZero', 'atZero', clock?.atZero],
  ] as const;
  return named.flatMap(([path, property, value]) => {
    const isList = property === 'linkOptions';
    const inForce = JSON.stringify(isList ? sortedOptions(access.linkOptions) : access[property]);
    const given = JSON.stringify(value);
    const isMeant = isList && JSON.stringify(meant) === inForce;
    if (value === undefined || given === inForce || isMeant) return [];
    const detail = `${path} is ${given} in the document and has no effect: the template's ${property} is ${inForce}. Change it with PUT /v1/templates/${uid}/access, or remove it from the document.`;
    return [{ path, detail }];
  });
}

/** The document whose countdown ends as the access says. A document without a countdown stays as it is. */
export function withAtZero<Document extends AccessDocument>(
  document: Document,
  { atZero }: Pick<Access, 'atZero'>,
): Document {
  const { clock } = document;
  if (clock?.until === undefined && clock?.evergreen === undefined) return document;
  if (JSON.stringify(clock.atZero ?? 'stay') === JSON.stringify(atZero)) return document;
  return { ...document, clock: { ...clock, atZero } };
}
