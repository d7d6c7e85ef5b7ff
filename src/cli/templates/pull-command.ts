/** `platen templates pull`: writes drafts as files for editors and git. */
import { join, resolve } from 'node:path';
import { documentAccess, isSameAccess } from '#language/access.ts';
import { checkTemplate } from '#language/template.ts';
import { isUid } from '#language/uid.ts';
import type { Template } from '#language/schema/template.ts';
import type { Invocation } from '../terminal.ts';
import { CommandError, exitCodes } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';
import { openTemplates } from './open.ts';
import type { HomeOptions } from './open.ts';
import { startProgress } from '../progress.ts';
import {
  assetIds,
  contentOf,
  fileText,
  listFolder,
  readFolderTemplate,
  readLock,
  writeIfNew,
  writeLock,
  writeImage,
} from './folder.ts';
import type { LockEntry } from './folder.ts';
import type { TemplateHome } from './home.ts';
import { counted } from '../terminal.ts';

export interface PullOptions extends HomeOptions {
  dir: string;
  force?: boolean;
}

/** The result for one template. */
interface Pulled {
  uid: string;
  /** `edited`: only the file has changed since the last pull. `kept`: the file and the draft have changed. */
  change: 'written' | 'unchanged' | 'edited' | 'kept';
  /** The new lock entry; present if the file equals the draft. */
  lock?: LockEntry;
  /** Whether a template that is created from the file has the access of this one. */
  hasAccess: boolean;
}

/**
 * Writes the drafts of `uids`, or of all templates, to the folder. A file with changes that were never pushed is kept,
 * except with `--force`. JSON: `{"templates":[{"uid","change":"written"|"unchanged"|"edited"|"kept"}]}`. Exit code 1 if
 * a file was kept or a template is missing.
 */
export async function pull(
  uids: readonly string[],
  options: PullOptions,
  { terminal, startDirectory }: Invocation,
): Promise<ExitCode> {
  const directory = resolve(startDirectory, options.dir);
  const home = await openTemplates(options);
  try {
    const wanted = uids.length > 0 ? uids : (await home.list()).map(({ uid }) => uid).toSorted();
    checkUids(wanted, home);
    const lock = readLock(directory);
    const results: Pulled[] = [];
    const bar = startProgress('Pulling', wanted.length, terminal.isJson);
    try {
      for (const uid of wanted) {
        const pulled = await pullTemplate(home, directory, uid, lock, options.force === true);
        if (pulled.lock !== undefined) lock.set(uid, pulled.lock);
        results.push(pulled);
        bar.update(results.length);
      }
    } finally {
      bar.close();
      // Also after an error, the lock file records the files that were written.
      if (results.length > 0) writeLock(directory, lock);
    }
    const kept = results.filter(({ change }) => change === 'kept').map(({ uid }) => uid);
    for (const uid of kept) {
      terminal.warn(
        `${uid}.json has changes that were not pushed, and the stored draft has changed too. The file was left as it is: commit it, pull with --force, and bring your changes in again.`,
      );
    }
    const others = results.filter(({ hasAccess }) => !hasAccess).map(({ uid }) => uid);
    if (others.length > 0) {
      terminal.warn(
        `Files do not hold who may open links: where push creates ${others.join(', ')}, set it with PUT /v1/templates/{uid}/access.`,
      );
    }
    warnOfStrangers(directory, uids.length === 0 ? wanted : undefined, home, terminal);
    const count = (wantedChange: Pulled['change']): number =>
      results.filter(({ change }) => change === wantedChange).length;
    terminal.result(
      { templates: results.map(({ uid, change }) => ({ uid, change })) },
      `${counted(count('written'), 'template')} written to ${directory}, ${count('unchanged')} unchanged, ${count('edited')} with changes that are not pushed`,
    );
    return kept.length > 0 ? exitCodes.problems : exitCodes.ok;
  } finally {
    await home.close();
  }
}

/** Refuses names of files that a service could lead out of the folder. Throws a `CommandError`. */
function checkUids(uids: readonly string[], home: TemplateHome): void {
  const wrong = uids.find((uid) => !isUid(uid));
  if (wrong === undefined) return;
  throw new CommandError(
    exitCodes.problems,
    `${JSON.stringify(wrong)} is not the uid of a template: expected 1 to 64 letters, digits, - or _. Nothing of ${home.name} was written.`,
  );
}

async function pullTemplate(
  home: TemplateHome,
  directory: string,
  uid: string,
  lock: ReadonlyMap<string, LockEntry>,
  isForced: boolean,
): Promise<Pulled> {
  const draft = await home.read(uid);
  if (draft === undefined) {
    throw new CommandError(exitCodes.problems, `There is no template ${uid}: ${home.name}.`);
  }
  const checked = checkTemplate(draft.document);
  // A document of a newer service may contain unknown properties. Writing only a part of it would lose them.
  if (!checked.ok) {
    const [problem] = checked.problems;
    throw new CommandError(
      exitCodes.problems,
      `${uid} cannot be pulled by this version of Platen: ${problem?.path} ${problem?.message}.`,
    );
  }
  const stored: Template = checked.template;
  const { access } = draft;
  const hasAccess = access === undefined || isSameAccess(documentAccess(stored), access);
  const content = contentOf(stored);
  const file = await readFolderTemplate(directory, uid);
  const isRead = 'document' in file;
  const isThere = isRead || !file.isMissing;
  const isEdited = isThere && (!isRead || file.content !== (lock.get(uid)?.content ?? content));
  if (isEdited && !isForced && !(isRead && file.content === content)) {
    return { uid, change: lock.get(uid)?.cid === draft.cid ? 'edited' : 'kept', hasAccess };
  }
  const references = new Map<string, string>();
  for (const id of assetIds(stored)) {
    // An image keeps the file name in the existing file, which a person may have chosen.
    const known = isRead ? file.images.get(id)?.reference : undefined;
    references.set(id, known ?? writeImage(directory, id, await home.readAsset(id)));
  }
  const isNew = writeIfNew(join(directory, `${uid}.json`), fileText(stored, references));
  return {
    uid,
    change: isNew ? 'written' : 'unchanged',
    lock: { cid: draft.cid, content },
    hasAccess,
  };
}

/** Warns of files whose template was archived or never pushed. */
function warnOfStrangers(
  directory: string,
  known: readonly string[] | undefined,
  home: TemplateHome,
  terminal: Invocation['terminal'],
): void {
  if (known === undefined) return;
  const strangers = listFolder(directory).filter((uid) => !known.includes(uid));
  if (strangers.length === 0) return;
  terminal.warn(
    `${strangers.map((uid) => `${uid}.json`).join(', ')}: no template of ${home.name}; archived since, or not pushed yet.`,
  );
}
