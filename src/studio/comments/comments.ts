/** Comments of the open template, and the active tab of the left side. */
import { computed, signal } from '@preact/signals';
import type { ReadonlySignal, Signal } from '@preact/signals';
import type { Comment } from '../../client/platen-client.ts';
import type { Editor } from '../state/editor.ts';
import { notifyError } from '../wording.ts';

export const sideTabs = ['Layers', 'Variables', 'Comments'] as const;

/** Whether comments are available. They are not for users of an embedded editor. */
export function hasComments({ service }: Editor): boolean {
  return service.embed === undefined;
}

export interface Comments {
  tab: Signal<(typeof sideTabs)[number]>;
  /** Requests the focus for the field of a new comment when the field appears. */
  isAsked: Signal<boolean>;
  /** Unsent texts by layer id. */
  drafts: Map<string, string>;
  /** Oldest first, resolved ones too. */
  list: ReadonlySignal<readonly Comment[]>;
  /** Number of open comments by layer id. */
  open: ReadonlySignal<ReadonlyMap<string, number>>;
  /** The methods never reject; a notice reports failures. `add` resolves to whether the comment was written. */
  add(layer: string, text: string): Promise<boolean>;
  resolve(comment: Comment, isResolved: boolean): Promise<void>;
  remove(comment: Comment): Promise<void>;
}

const known = new WeakMap<Editor, Comments>();

/** Comments of an editor. The first call requests them from the service. */
export function commentsOf(editor: Editor): Comments {
  let comments = known.get(editor);
  if (comments === undefined) known.set(editor, (comments = createComments(editor)));
  return comments;
}

function createComments(editor: Editor): Comments {
  const { uid } = editor;
  const { client } = editor.service;
  const list = signal<readonly Comment[]>([]);
  const path = { uid };
  const put = (changed: Comment): void => {
    list.value = list.value.map((each) => (each.id === changed.id ? changed : each));
  };
  const read = async (): Promise<void> => {
    list.value = (await client.request('GET /v1/templates/{uid}/comments', { path })).comments;
  };
  if (hasComments(editor)) void trying('The comments were not read', read);
  return {
    tab: signal('Layers'),
    isAsked: signal(false),
    drafts: new Map(),
    list,
    open: computed(() => {
      const counts = new Map<string, number>();
      for (const { layer, resolved_at: resolvedAt } of list.value) {
        if (resolvedAt === null) counts.set(layer, (counts.get(layer) ?? 0) + 1);
      }
      return counts;
    }),
    add: (layer, text) =>
      trying('The comment was not written', async () => {
        const body = { layer, text };
        const added = await client.request('POST /v1/templates/{uid}/comments', { path, body });
        list.value = [...list.value, added];
      }),
    async resolve({ id }, resolved) {
      await trying('The comment was not changed', async () => {
        const request = { path: { uid, id }, body: { resolved } };
        put(await client.request('PATCH /v1/templates/{uid}/comments/{id}', request));
      });
    },
    async remove({ id }) {
      await trying('The comment was not deleted', async () => {
        await client.request('DELETE /v1/templates/{uid}/comments/{id}', { path: { uid, id } });
        list.value = list.value.filter((each) => each.id !== id);
      });
    },
  };
}

/** Runs `work`. Resolves to whether it succeeded; a notice reports a failure. */
async function trying(doing: string, work: () => Promise<void>): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    notifyError(doing, error);
    return false;
  }
}

/** Selects a layer and shows its comments. */
export function showComments(editor: Editor, layer: string): void {
  editor.selection.value = [layer];
  commentsOf(editor).tab.value = 'Comments';
}

/** Shows the comments of a layer, and focuses the field for a new one. */
export function askForComment(editor: Editor, layer: string): void {
  showComments(editor, layer);
  commentsOf(editor).isAsked.value = true;
}

/** `1 comment`, `2 comments`. */
export function countOfComments(count: number): string {
  return count === 1 ? '1 comment' : `${count} comments`;
}
