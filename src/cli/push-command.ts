/** `platen templates push`: stores what changed in the folder, after showing it. */
import { createInterface } from 'node:readline/promises';
import { resolve } from 'node:path';
import type { Invocation } from './declare.ts';
import { CommandError, exitCodes } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import { openTemplates } from './open-templates.ts';
import { startProgress } from './progress.ts';
import { problemLine } from './read-template.ts';
import { isDone, planPush, showPlans } from './push-plan.ts';
import type { PlannedPush, PushChange, PushOptions } from './push-plan.ts';
import { listFolder, readFolderTemplate, readLock, writeLock } from './template-folder.ts';
import type { FolderTemplate, LockEntry } from './template-folder.ts';
import type { TemplateHome } from './template-home.ts';
import { LostRaceError } from './template-home.ts';
import { counted } from './terminal.ts';
import type { Terminal } from './terminal.ts';

/** What became of one template, as JSON tells it. */
interface PushedTemplate {
  uid: string;
  change: PushChange;
  cid?: string;
  version?: number;
  diff: string;
}

/**
 * Checks the files of `uids`, or all of the folder; shows what differs from the stored drafts; asks; stores that. Nothing is
 * stored when a file is not valid or a draft was changed by somebody else since it was pulled (`--force` overwrites it). JSON:
 * `{"templates":[{"uid","change","cid","version","diff"}],"pushed":true}`, `change` being one of `PushChange`.
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
  const home = openTemplates(options);
  try {
    const lock = readLock(directory);
    const plans: PlannedPush[] = [];
    for (const file of files) plans.push(await planPush(home, file, lock, options));
    if (!terminal.isJson) showPlans(plans, home);
    const conflicts = plans.filter(({ change }) => change === 'conflict');
    const changes = plans.filter(({ change }) => isDone(change));
    if (conflicts.length > 0) {
      report(plans.map(asJson), false, terminal);
      const names = conflicts.map(({ template }) => template.uid).join(', ');
      terminal.note(
        `${names}: changed by somebody else since the last pull, so nothing was pushed. Keep your files in version control, pull --force, and bring your changes in again; or push --force to overwrite theirs.`,
      );
      return exitCodes.problems;
    }
    const isWanted =
      options.dryRun !== true &&
      (changes.length === 0 || (await isConfirmed(changes.length, options, home, terminal)));
    if (!isWanted) {
      report(plans.map(asJson), false, terminal);
      return exitCodes.ok;
    }
    const pushed = await pushAll(home, plans, options, directory, lock, terminal);
    report(pushed, true, terminal);
    return exitCodes.ok;
  } finally {
    home.close();
  }
}

/** All of the files, or undefined when one is not valid, which is then told. */
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
    // The interface takes Ctrl-C for itself.
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

async function pushAll(
  home: TemplateHome,
  plans: readonly PlannedPush[],
  options: PushOptions,
  directory: string,
  lock: Map<string, LockEntry>,
  terminal: Terminal,
): Promise<PushedTemplate[]> {
  const pushed: PushedTemplate[] = [];
  const bar = startProgress('Pushing', plans.length, terminal.isJson);
  try {
    for (const plan of plans) {
      pushed.push(await pushOne(home, plan, options, lock));
      bar.update(pushed.length);
    }
    return pushed;
  } catch (error) {
    if (!(error instanceof LostRaceError)) throw error;
    throw new CommandError(exitCodes.problems, `${error.message} Pull, and push again.`);
  } finally {
    bar.close();
    // What was stored is noted also when the next one failed.
    writeLock(directory, lock);
  }
}

async function pushOne(
  home: TemplateHome,
  plan: PlannedPush,
  options: PushOptions,
  lock: Map<string, LockEntry>,
): Promise<PushedTemplate> {
  const { template, knownCid, knownAssets } = plan;
  const { uid, storedJson, content } = template;
  let cid = knownCid ?? '';
  if (!isDone(plan.change)) return asJson(plan);
  if (plan.change !== 'publish') {
    for (const [id, { bytes }] of template.pictures) {
      if (!knownAssets.has(id)) await home.saveAsset(bytes);
    }
    ({ cid } = await home.save(uid, storedJson, knownCid));
  }
  lock.set(uid, { cid, content });
  const result = { ...asJson(plan), cid };
  if (options.publish !== true) return result;
  const { version } = await home.publish(uid, options.message);
  return { ...result, version };
}

function asJson({ template, change, diff }: PlannedPush): PushedTemplate {
  return { uid: template.uid, change, diff };
}

function report(templates: readonly PushedTemplate[], pushed: boolean, terminal: Terminal): void {
  const lines = templates
    .filter(({ change }) => isDone(change))
    .map(({ uid, cid, version }) =>
      version === undefined ? `${uid}  draft ${cid}` : `${uid}  published as version ${version}`,
    );
  terminal.result({ templates, pushed }, pushed ? lines.join('\n') : '');
}
