/** Messages of the gallery when it has no cards or cannot load the list. */
import type { VNode } from 'preact';
import type { TemplateList } from './template-list.ts';

interface MessagesProps {
  list: TemplateList;
  found: number;
  search: string;
  tab: 'used' | 'archived';
  /** Opens the dialog for a new template. */
  begin: () => void;
}

/** Explains why no cards are shown, and offers a next step. */
export function Messages({ list, found, search, tab, begin }: MessagesProps): VNode | null {
  const { state, problem, templates } = list;
  if (state.value === 'failed') {
    return (
      <p class="problem" role="alert">
        The templates cannot be listed. {problem.value}
        <button type="button" onClick={() => void list.load()}>
          Try again
        </button>
      </p>
    );
  }
  if (found > 0) return null;
  if (state.value === 'loading')
    return (
      <p class="gallery-empty" role="status">
        Loading …
      </p>
    );
  if (templates.value.length > 0) {
    return (
      <p class="gallery-empty" role="status">
        {search === '' ? 'No template is like that.' : `No template is called “${search}”.`}
      </p>
    );
  }
  if (tab === 'archived') {
    return (
      <p class="gallery-empty" role="status">
        Nothing is archived. What you archive stays here, and can be restored with its links.
      </p>
    );
  }
  return (
    <div class="gallery-empty">
      <p role="status">No templates yet. Begin with a sample, a blank one, or an image.</p>
      <button type="button" class="primary" onClick={begin}>
        Begin your first template
      </button>
    </div>
  );
}
