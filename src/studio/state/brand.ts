/** The brand kit in the studio: its entries, its unsaved edits, and the properties that follow it. */
import { signal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import {
  brandValues,
  emptyBrand,
  textStyleLink,
  textStyleProperties,
  valueAt,
} from '#language/brand.ts';
import type { Brand, BrandFollower } from '#language/brand.ts';
import type { BrandLink } from '#language/schema/brand.ts';
import type { Template } from '#language/schema/template.ts';
import { flattenLayers } from './layers.ts';
import type { Service } from './service.ts';

const kits = new WeakMap<Service, Signal<Brand>>();

/** Returns the kit of the organization, empty until it is loaded. Requests it once per service. */
export function brandOf(service: Service): Signal<Brand> {
  const known = kits.get(service);
  if (known !== undefined) return known;
  const kit = signal(emptyBrand);
  kits.set(service, kit);
  void loadBrand(service).catch(() => {
    // Pickers then offer no entries of the kit; its page shows the error.
  });
  return kit;
}

/** Reads the kit again. Rejects like the client. */
export async function loadBrand(service: Service): Promise<Brand> {
  const { brand } = await service.client.request('GET /v1/brand');
  brandOf(service).value = brand;
  return brand;
}

/** Replaces the kit; rejects like the client. */
export async function saveBrand(service: Service, brand: Brand): Promise<void> {
  const answer = await service.client.request('PUT /v1/brand', { body: brand });
  brandOf(service).value = answer.brand;
}

/** Unsaved kits of the brand page. */
const edited = new WeakMap<Service, Brand>();

/** Returns the kit with unsaved edits; undefined without edits. */
export function editedBrand(service: Service): Brand | undefined {
  return edited.get(service);
}

/** Keeps unsaved edits for the next visit of the page; undefined discards them. */
export function keepEditedBrand(service: Service, brand: Brand | undefined): void {
  if (brand === undefined) edited.delete(service);
  else edited.set(service, brand);
}

/** Returns the entry that a property follows; undefined if there is none. */
export function followedEntry(object: BrandFollower, property: string): string | undefined {
  return object.brand?.find((link) => link.property === property)?.entry;
}

/** Links of an object at most. */
export const linksMax = 16;

/** Makes a property follow an entry of the kit, unless the object has `linksMax` links. */
export function followEntry(object: BrandFollower, property: string, entry: string): void {
  const others = (object.brand ?? []).filter((link) => link.property !== property);
  if (others.length < linksMax) object.brand = [...others, { property, entry }];
}

/**
 * Moves links with their objects when the value at `path` is replaced: items of a list that are the same objects may have
 * another index. Other links stay, unless a moved link has their property.
 */
export function moveLinks(
  object: BrandFollower,
  path: string,
  before: unknown,
  after: unknown,
): void {
  if (object.brand === undefined) return;
  const [old, paths] = [objectsIn(path, before), new Map(objectsIn(path, after))];
  const links = object.brand.map((link) => {
    const end = link.property.lastIndexOf('.');
    const [parent] = old.find(([, at]) => at === link.property.slice(0, Math.max(0, end))) ?? [];
    const to = parent && paths.get(parent);
    return { link, property: to === undefined ? undefined : to + link.property.slice(end) };
  });
  const taken = new Set(links.map(({ property }) => property));
  object.brand = links
    .filter(({ link, property }) => property !== undefined || !taken.has(link.property))
    .map(({ link, property = link.property }) => ({ ...link, property }));
}

/** The objects of a value with their paths. */
function objectsIn(path: string, value: unknown): Array<[object, string]> {
  if (typeof value !== 'object' || value === null) return [];
  const inner = Object.entries(value).flatMap(([key, each]) => objectsIn(`${path}.${key}`, each));
  return [[value, path], ...inner];
}

/** Ends the links of properties that an edit has set to values other than the kit's. */
export function settleLinks(document: Template, before: Template, service: Service): void {
  const brand = brandOf(service).peek();
  const old = new Map<string, BrandFollower>(
    flattenLayers(before).map(({ layer }) => [layer.id, layer]),
  );
  settle(document, before, brand);
  for (const { layer } of flattenLayers(document)) settle(layer, old.get(layer.id), brand);
}

function settle(object: BrandFollower, before: BrandFollower | undefined, brand: Brand): void {
  const links = object.brand;
  if (links === undefined || before === undefined) return;
  const kept = links.filter((link) => isKept(link, object, before, brand));
  if (kept.length === links.length) return;
  if (kept.length > 0) object.brand = kept;
  else delete object.brand;
}

function isKept(
  link: BrandLink,
  object: BrandFollower,
  before: BrandFollower,
  brand: Brand,
): boolean {
  const paths = link.property === textStyleLink ? textStyleProperties : [link.property];
  const isSame = (path: string): boolean =>
    JSON.stringify(valueAt(object, path)) === JSON.stringify(valueAt(before, path));
  if (paths.every(isSame) || isMoved(link, object, before)) return true;
  const values = brandValues(object, link, brand);
  return values.length > 0 && values.every(({ path, value }) => valueAt(object, path) === value);
}

/** Whether a link continues one at another path: an edit of a text moves its spans. */
function isMoved(link: BrandLink, object: BrandFollower, before: BrandFollower): boolean {
  const value = valueAt(object, link.property);
  const isSource = ({ property, entry }: BrandLink): boolean =>
    entry === link.entry && valueAt(before, property) === value;
  return value !== undefined && (before.brand ?? []).some(isSource);
}
