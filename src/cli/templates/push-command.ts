/** `platen templates push`: shows and stores the changes of the folder. */
import { createInterface } from 'node:readline/promises';
import { resolve } from 'node:path';
import type { Invocation } from '../terminal.ts';
import { CommandError, exitCodes, toFailure } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';
import type { IgnoredProperty } from '#language/access.ts';
import { openTemplates } from './open.ts';
import { startProgress } from '../progress.ts';
import { problemLine } from './read.ts';
import { checkDrawable, LostRaceError } from './home.ts';
import { isDone, isRefused, readPendingPush, showPending } from './pending-pushes.ts';
import type { PendingPush, PushChange, PushOptions } from './pending-pushes.ts';
import { listFolder, readFolderTemplate, readLock, writeLock } from './folder.ts';
import type { FolderTemplate, LockEntry } from './folder.ts';
import type { TemplateHome } from './home.ts';
import { counted } from '../terminal.ts';
import type { Terminal } from '../terminal.ts';

type Failure = ReturnType<typeof toFailure>;

/** The result for one template in JSON. */
interface PushedTemplate {
  uid: string;
  change: PushChange;
  cid?: string;
  version?: number;
  diff: string;
  /** Properties of the file without effect, because the access of the template says something else. */
  warnings?: readonly IgnoredProperty[];
}

/**
 * Checks the files of `uids`, or of all templates, shows the differences from the drafts, asks for confirmation, and
 * stores them. Nothing is stored if a file is invalid, or if a draft has changed since it was pulled (`--force`
 * overwrites it). JSON: `{"templates":[{"uid","change","cid","version","diff","warnings"}],"pushed":true}`. `change`
 * is a `PushChange`. After an error, `pushed` is false, with `error` and `exitCode`. A template with a `cid` was stored, one
 * with a `version` was published.
 */
export async function push(
  uids: readonly string[],
  options: PushOptions,
  { terminal, startDirectory }: Invocation,
): Promise<ExitCode> {
  const directory = resolve(startDirectory, options.dir);
  const files = await readFiles(
    directory,
    uids.length > 0 ? uids : listFolder(directory),
    terminal,
  );
  if (files === undefined) return exitCodes.problems;
  const home = await openTemplates(options);
  try {
    const lock = readLock(directory);
    const pending: PendingPush[] = [];
    const archived = new Set((await home.list({ archived: true })).map(({ uid }) => uid));
    const context = { lock, named: new Set(uids), archived };
    for (const file of files) pending.push(await readPendingPush(home, file, context, options));
    if (!terminal.isJson) showPending(pending, home);
    for (const { template, ignored } of pending) {
      for (const { detail } of ignored) terminal.warn(`${template.uid}.json: ${detail}`);
    }
    const refused = pending.filter(({ change }) => isRefused(change));
    const changes = pending.filter(({ change }) => isDone(change));
    if (refused.length > 0) {
      report(pending.map(asJson), false, terminal);
      terminal.note(refusalNote(refused));
      return exitCodes.problems;
    }
    const isWanted =
      options.dryRun !== true &&
      (changes.length === 0 || (await isConfirmed(changes.length, options, home, terminal)));
    if (!isWanted) {
      report(pending.map(asJson), false, terminal);
      return exitCodes.ok;
    }
    const note = { directory, lock, terminal };
    const { templates, failure } = await pushAll(home, pending, options, note);
    if (failure === undefined) {
      report(templates, true, terminal);
      return exitCodes.ok;
    }
    const { exitCode, message } = failure;
    terminal.result({ templates, pushed: false, error: message, exitCode }, storedLines(templates));
    terminal.note(`Not everything was pushed: only what is listed above.\n${message}`);
    return exitCode;
  } finally {
    await home.close();
  }
}

/** The reason why nothing was pushed, and advice. */
function refusalNote(refused: readonly PendingPush[]): string {
  const advice: Partial<Record<PushChange, string>> = {
    conflict:
      'changed by somebody else since the last pull, so nothing was pushed. Keep your files in version control, pull --force, and bring your changes in again; or push --force to overwrite theirs.',
    rolledBack:
      'an older version was published in place of this draft, so nothing was pushed. push --force publishes it all the same.',
    archived:
      'the uid is that of an archived template, so nothing was pushed. Bring it back with platen templates restore, or give the file another name.',
  };
  return refused
    .map(({ template, change }) => `${template.uid}: ${advice[change] ?? change}`)
    .join('\n');
}

/** Reads all files. If one is invalid, prints the problems and returns undefined. */
async function readFiles(
  directory: string,
  uids: readonly string[],
  terminal: Terminal,
): Promise<FolderTemplate[] | undefined> {
  if (uids.length === 0) {
    throw new CommandError(
      exitCodes.noInput,
      `There are no templates (<uid>.json) in ${directory}.`,
    );
  }
  const files: FolderTemplate[] = [];
  const problems = [];
  for (const uid of uids) {
    const read = await readFolderTemplate(directory, uid);
    if ('problems' in read) problems.push(...read.problems);
    else files.push(read);
  }
  if (problems.length === 0) return files;
  terminal.result({ valid: false, problems }, problems.map(problemLine).join('\n'));
  terminal.note(`${counted(problems.length, 'problem')}, nothing was pushed.`);
  return undefined;
}

async function isConfirmed(
  count: number,
  options: PushOptions,
  home: TemplateHome,
  terminal: Terminal,
): Promise<boolean> {
  if (options.yes === true) return true;
  if (!terminal.isInteractive || terminal.isJson) {
    throw new CommandError(
      exitCodes.usage,
      'Nothing was pushed, because nobody can be asked here: add --yes to push, or --dry-run to only look.',
    );
  }
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // While it asks, readline handles Ctrl-C.
    lines.once('SIGINT', () => process.exit(exitCodes.interrupted));
    const verb = options.publish === true ? 'Push and publish' : 'Push';
    const answer = await lines.question(
      `${verb} ${counted(count, 'template')} to ${home.name}? [y/N] `,
    );
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    lines.close();
  }
}

/** Stores all drafts, then publishes them. After an error, the result lists the completed changes. */
async function pushAll(
  home: TemplateHome,
  pending: readonly PendingPush[],
  options: PushOptions,
  note: { directory: string; lock: Map<string, LockEntry>; terminal: Terminal },
): Promise<{ templates: PushedTemplate[]; failure?: Failure }> {
  const { directory, lock, terminal } = note;
  const templates = pending.map(asJson);
  const bar = startProgress('Pushing', pending.length, terminal.isJson);
  try {
    for (const [index, entry] of pending.entries()) {
      if (isDone(entry.change)) {
        const cid = await storeDraft(home, entry, lock);
        templates[index] = { ...asJson(entry), cid };
      }
      bar.update(index + 1);
    }
    if (options.publish === true) await publishAll(home, templates, options, terminal);
    return { templates };
  } catch (error) {
    const failure = toFailure(error);
    if (!(error instanceof LostRaceError)) return { templates, failure };
    const message = `${error.message} Pull, and push again.`;
    return { templates, failure: { exitCode: exitCodes.problems, message } };
  } finally {
    bar.close();
    // Also after an error, the lock file records the drafts that were stored.
    writeLock(directory, lock);
  }
}

async function storeDraft(
  home: TemplateHome,
  { template, change, knownCid, knownAssets }: PendingPush,
  lock: Map<string, LockEntry>,
): Promise<string> {
  const { uid, storedJson, content } = template;
  let cid = knownCid ?? '';
  if (change !== 'publish') {
    for (const [id, { bytes }] of template.images) {
      if (!knownAssets.has(id)) await home.saveAsset(bytes);
    }
    ({ cid } = await home.save(uid, storedJson, knownCid));
  }
  lock.set(uid, { cid, content });
  return cid;
}

/** Publishes the drafts that have a `cid`, unless they have changed, and adds their versions to `templates`. */
async function publishAll(
  home: TemplateHome,
  templates: readonly PushedTemplate[],
  { force = false, message }: PushOptions,
  terminal: Terminal,
): Promise<void> {
  const stored = templates.filter(({ cid }) => cid !== undefined);
  if (stored.length === 0) return;
  await checkDrawable(
    home,
    stored.map(({ uid }) => uid),
    force,
    terminal,
  );
  for (const each of stored) {
    each.version = (await home.publish(each.uid, each.cid ?? '', message)).version;
  }
}

function asJson({ template, change, diff, ignored }: PendingPush): PushedTemplate {
  const warnings = ignored.length === 0 ? {} : { warnings: ignored };
  return { uid: template.uid, change, diff, ...warnings };
}

function report(templates: readonly PushedTemplate[], pushed: boolean, terminal: Terminal): void {
  terminal.result({ templates, pushed }, storedLines(templates));
}

/** A line for each stored or published template. */
function storedLines(templates: readonly PushedTemplate[]): string {
  return templates
    .filter(({ cid }) => cid !== undefined)
    .map(({ uid, cid, version }) =>
      version === undefined ? `${uid}  draft ${cid}` : `${uid}  published as version ${version}`,
    )
    .join('\n');
}
