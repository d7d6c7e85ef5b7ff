/** What a push would do with each template of a folder, and how that is shown. */
import { checkTemplate } from '#shared/template.ts';
import { documentText } from './document-text.ts';
import type { HomeOptions } from './open-templates.ts';
import { coloredDiff, templateDiff } from './template-diff.ts';
import { assetIds, contentOf, fileText } from './template-folder.ts';
import type { FolderTemplate, LockEntry } from './template-folder.ts';
import type { TemplateHome } from './template-home.ts';
import { colored } from './terminal.ts';

export interface PushOptions extends HomeOptions {
  dir: string;
  yes?: boolean;
  dryRun?: boolean;
  force?: boolean;
  publish?: boolean;
  message?: string;
}

/**
 * What is to be done with one template. `publish`: its draft is stored as it is in the file, and not published yet. `behind`:
 * somebody else has changed it, and here it is as it was pulled.
 */
export type PushChange = 'create' | 'update' | 'publish' | 'none' | 'behind' | 'conflict';

const changeWords: Readonly<Record<PushChange, string>> = {
  create: 'new',
  update: 'changed',
  publish: 'not published yet',
  none: 'unchanged',
  behind: 'changed by somebody else, and not here: pull it',
  conflict: 'conflict',
};

/** What a push would do with one template. */
export interface PlannedPush {
  template: FolderTemplate;
  change: PushChange;
  /** The draft that it replaces. */
  knownCid: string | undefined;
  /** Assets that are stored already. */
  knownAssets: ReadonlySet<string>;
  diff: string;
}

/** Compares a file with the stored draft. */
export async function planPush(
  home: TemplateHome,
  template: FolderTemplate,
  lock: ReadonlyMap<string, LockEntry>,
  { force = false, publish = false }: PushOptions,
): Promise<PlannedPush> {
  const { uid } = template;
  const after = documentText(template.document);
  const draft = await home.read(uid);
  if (draft === undefined) {
    const diff = templateDiff(uid, undefined, after);
    return { template, change: 'create', knownCid: undefined, knownAssets: new Set(), diff };
  }
  const checked = checkTemplate(draft.document);
  const stored = checked.ok ? checked.template : undefined;
  const knownCid = draft.cid;
  const knownAssets = new Set(stored === undefined ? [] : assetIds(stored));
  const content = stored === undefined ? undefined : contentOf(stored);
  if (content === template.content) {
    const isWaiting = publish && (await home.publishedCid(uid)) !== knownCid;
    const change = isWaiting ? 'publish' : 'none';
    return { template, change, knownCid, knownAssets, diff: '' };
  }
  const references = new Map([...template.pictures].map(([id, { reference }]) => [id, reference]));
  const before =
    stored === undefined ? JSON.stringify(draft.document) : fileText(stored, references);
  const base = lock.get(uid);
  const isTheirs = base === undefined || (base.cid !== draft.cid && base.content !== content);
  if (isTheirs && !force && base?.content === template.content) {
    return { template, change: 'behind', knownCid, knownAssets, diff: '' };
  }
  return {
    template,
    change: isTheirs && !force ? 'conflict' : 'update',
    knownCid,
    knownAssets,
    diff: templateDiff(uid, before, after),
  };
}

/** Whether a push changes anything for it. */
export function isDone(change: PushChange): boolean {
  return change === 'create' || change === 'update' || change === 'publish';
}

/** Shows what a push would do, on standard output. */
export function showPlans(plans: readonly PlannedPush[], home: TemplateHome): void {
  for (const { template, change, diff } of plans) {
    if (change === 'none') continue;
    const word = colored(change === 'conflict' ? 'red' : 'bold', changeWords[change]);
    process.stdout.write(
      `${template.uid}  ${word}\n${diff === '' ? '' : `${coloredDiff(diff)}\n`}`,
    );
  }
  if (plans.every(({ change }) => !isDone(change) && change !== 'conflict')) {
    process.stdout.write(`Nothing to push to ${home.name}.\n`);
  }
}
