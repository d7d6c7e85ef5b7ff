/** Filters of the gallery: by state, folder and tag. */
import type { VNode } from 'preact';
import type { TemplateSummary } from '../../client/platen-client.ts';
import { stateOf } from './card-state.tsx';

/** A filter that is undefined lets all templates through. */
export interface TemplateFilters {
  /** `live` includes `changed`, the live templates with unpublished changes. */
  state: TemplateSummary['state'] | undefined;
  /** Empty for templates in no folder. */
  folder: string | undefined;
  tag: string | undefined;
}

export const noFilters: TemplateFilters = { state: undefined, folder: undefined, tag: undefined };

/** Returns the templates that pass all filters. */
export function filterTemplates(
  templates: readonly TemplateSummary[],
  { state, folder, tag }: TemplateFilters,
): TemplateSummary[] {
  return templates.filter(
    (template) =>
      (state === undefined ||
        stateOf(template) === state ||
        (state === 'live' && template.state === 'changed')) &&
      (folder === undefined || template.folder === folder) &&
      (tag === undefined || template.tags.includes(tag)),
  );
}

interface FiltersProps {
  templates: readonly TemplateSummary[];
  filters: TemplateFilters;
  change: (filters: TemplateFilters) => void;
}

export function StateFilter({ filters, change }: Omit<FiltersProps, 'templates'>): VNode {
  return (
    <select
      aria-label="State"
      value={filters.state ?? ''}
      onChange={({ currentTarget: { value } }) => {
        const state = value === '' ? undefined : (value as TemplateSummary['state']);
        change({ ...filters, state });
      }}
    >
      <option value="">Any state</option>
      <option value="draft">Drafts</option>
      <option value="live">Live</option>
      <option value="changed">Unpublished changes</option>
    </select>
  );
}

/** Buttons for folders and tags; null if the templates have neither. */
export function LabelFilters({ templates, filters, change }: FiltersProps): VNode | null {
  const folders = foldersOf(templates);
  const tags = tagsOf(templates);
  if (folders.length + tags.length === 0) return null;
  const chip = (facts: Partial<TemplateFilters>, name: string): VNode => {
    const isChosen = Object.entries(facts).every(
      ([key, value]) => filters[key as keyof TemplateFilters] === value,
    );
    return (
      <button
        type="button"
        key={name}
        aria-pressed={isChosen}
        onClick={() => change({ ...filters, ...facts })}
      >
        {name}
      </button>
    );
  };
  return (
    <div class="label-filters">
      {folders.length > 0 && (
        <div class="chips" role="group" aria-label="Folder">
          {chip({ folder: undefined }, 'All folders')}
          {folders.map((folder) => chip({ folder }, folder))}
          {chip({ folder: '' }, 'No folder')}
        </div>
      )}
      {tags.length > 0 && (
        <div class="chips" role="group" aria-label="Tag">
          {chip({ tag: undefined }, 'All tags')}
          {tags.map((tag) => chip({ tag }, `#${tag}`))}
        </div>
      )}
    </div>
  );
}

const names = new Intl.Collator(undefined, { numeric: true, sensitivity: 'base' });

/** Returns the folders of the templates, each once, sorted. */
export function foldersOf(templates: readonly TemplateSummary[]): string[] {
  const folders = new Set(templates.map(({ folder }) => folder));
  folders.delete('');
  return [...folders].toSorted(names.compare);
}

/** Returns the tags of the templates, each once, sorted. */
export function tagsOf(templates: readonly TemplateSummary[]): string[] {
  return [...new Set(templates.flatMap(({ tags }) => tags))].toSorted(names.compare);
}
