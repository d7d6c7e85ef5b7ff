/** Finds the change that a push would make to each template of a folder, and its diff. */
import { ignoredAccess } from '#language/access.ts';
import type { IgnoredProperty } from '#language/access.ts';
import { checkTemplate } from '#language/template.ts';
import { documentText } from './json-document.ts';
import type { HomeOptions } from './open.ts';
import { assetIds, contentOf, fileText } from './folder.ts';
import type { FolderTemplate, LockEntry } from './folder.ts';
import type { TemplateHome } from './home.ts';
import { colored } from '../terminal.ts';
import { createTwoFilesPatch } from 'diff';

export interface PushOptions extends HomeOptions {
  dir: string;
  yes?: boolean;
  dryRun?: boolean;
  force?: boolean;
  publish?: boolean;
  message?: string;
}

/**
 * The change of one template. `publish`: its uid was given, and its draft equals the file and is not published.
 * `behind`: the draft has changed, the file has not. `rolledBack`: the draft was published, and then an older version
 * again. `archived`: the uid is that of an archived template.
 */
export type PushChange =
  | 'create'
  | 'update'
  | 'publish'
  | 'none'
  | 'behind'
  | 'conflict'
  | 'rolledBack'
  | 'archived';

const changeWords: Readonly<Record<PushChange, string>> = {
  create: 'new',
  update: 'changed',
  publish: 'not published yet',
  none: 'unchanged',
  behind: 'changed by somebody else, and not here: pull it',
  conflict: 'conflict',
  rolledBack: 'rolled back since: publishing would undo that',
  archived: 'archived: restore it first',
};

/** The change of one template, with its diff. */
export interface PendingPush {
  template: FolderTemplate;
  change: PushChange;
  /** Content id of the draft that the push replaces; undefined for a new template. */
  knownCid: string | undefined;
  /** Ids of assets that are stored already. */
  knownAssets: ReadonlySet<string>;
  diff: string;
  /** Properties of the file that a push does not change, because they are not part of a version. */
  ignored: readonly IgnoredProperty[];
}

/** The inputs besides the file and the draft. */
export interface PushContext {
  lock: ReadonlyMap<string, LockEntry>;
  /** The uids in the command's arguments. */
  named: ReadonlySet<string>;
  archived: ReadonlySet<string>;
}

/** Compares a file with the stored draft. The diff of `publish` is against the published version. */
export async function readPendingPush(
  home: TemplateHome,
  template: FolderTemplate,
  { lock, named, archived }: PushContext,
  { force = false, publish = false }: PushOptions,
): Promise<PendingPush> {
  const { uid } = template;
  const after = documentText(template.document);
  const draft = await home.read(uid);
  if (draft === undefined) {
    const diff = templateDiff(uid, undefined, after);
    const change = archived.has(uid) ? 'archived' : 'create';
    return { template, change, knownCid: undefined, knownAssets: new Set(), diff, ignored: [] };
  }
  const checked = checkTemplate(draft.document);
  const stored = checked.ok ? checked.template : undefined;
  const knownCid = draft.cid;
  const knownAssets = new Set(stored === undefined ? [] : assetIds(stored));
  const content = stored === undefined ? undefined : contentOf(stored);
  const { access } = draft;
  const ignored = access === undefined ? [] : ignoredAccess(uid, template.document, access);
  const facts = { template, knownCid, knownAssets, ignored };
  const cids = publish ? await home.versionCids(uid) : [];
  const isRolledBack = !force && cids[0] !== knownCid && cids.includes(knownCid);
  const isPublic = publish && draft.version !== null;
  const shown = isPublic ? await home.readPublished(uid, draft.version ?? 0) : draft.document;
  const diff = templateDiff(uid, textOf(shown, template), after);
  if (content === template.content) {
    if (!publish || cids[0] === knownCid || !named.has(uid))
      return { ...facts, change: 'none', diff: '' };
    return { ...facts, change: isRolledBack ? 'rolledBack' : 'publish', diff };
  }
  const base = lock.get(uid);
  const isTheirs = base === undefined || (base.cid !== draft.cid && base.content !== content);
  if (isTheirs && !force && base?.content === template.content) {
    return { ...facts, change: 'behind', diff: '' };
  }
  if (isTheirs && !force) return { ...facts, change: 'conflict', diff };
  return { ...facts, change: isRolledBack ? 'rolledBack' : 'update', diff };
}

/** A stored document as the text of a file, with the image names of `template`. */
function textOf(stored: unknown, template: FolderTemplate): string {
  const checked = checkTemplate(stored);
  if (!checked.ok) return JSON.stringify(stored);
  const references = new Map([...template.images].map(([id, { reference }]) => [id, reference]));
  return fileText(checked.template, references);
}

/** Whether a template prevents the whole push. */
export function isRefused(change: PushChange): boolean {
  return change === 'conflict' || change === 'rolledBack' || change === 'archived';
}

/** Whether a push changes the template. */
export function isDone(change: PushChange): boolean {
  return change === 'create' || change === 'update' || change === 'publish';
}

/** Prints the changes of a push on standard output. */
export function showPending(pending: readonly PendingPush[], home: TemplateHome): void {
  for (const { template, change, diff } of pending) {
    if (change === 'none') continue;
    const word = colored(isRefused(change) ? 'red' : 'bold', changeWords[change]);
    process.stdout.write(
      `${template.uid}  ${word}\n${diff === '' ? '' : `${coloredDiff(diff)}\n`}`,
    );
  }
  if (pending.every(({ change }) => !isDone(change) && !isRefused(change))) {
    process.stdout.write(`Nothing to push to ${home.name}.\n`);
  }
}

// The unified diff of a change.

/** Unchanged lines around a change, enough to show the layer's id. */
const contextLines = 4;

/** The unified diff between two texts of a template; empty for equal texts, only additions for a new template. */
function templateDiff(uid: string, before: string | undefined, after: string): string {
  if (before === after) return '';
  return createTwoFilesPatch(
    before === undefined ? '/dev/null' : `a/${uid}.json`,
    `b/${uid}.json`,
    before ?? '',
    after,
    undefined,
    undefined,
    { context: contextLines },
  )
    .replace(/^=+\n/, '')
    .trimEnd();
}

/** The diff in colours, if the terminal supports them. */
function coloredDiff(diff: string): string {
  return diff
    .split('\n')
    .map((line) => {
      if (/^(---|\+\+\+)/.test(line)) return colored('bold', line);
      if (line.startsWith('@@')) return colored('cyan', line);
      if (line.startsWith('+')) return colored('green', line);
      return line.startsWith('-') ? colored('red', line) : line;
    })
    .join('\n');
}
