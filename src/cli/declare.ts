/**
 * Declares the options and examples of command groups (organizations, keys, templates), and the parts that all commands
 * share.
 */
import { Option } from 'commander';
import type { Command } from 'commander';
import type { ExitCode } from './exit-codes.ts';
import type { HomeOptions } from './templates/open.ts';
import type { PullOptions } from './templates/pull-command.ts';
import type { PushOptions } from './templates/pending-pushes.ts';
import type { Invocation } from './terminal.ts';

/** Runs a command and ends the process with its exit code. */
export type Runner = (work: (invocation: Invocation) => Promise<ExitCode>) => Promise<void>;

/** Adds a command with `--json` and with examples below its help. */
export function addCommand(
  parent: Command,
  nameAndArguments: string,
  description: string,
  examples: readonly string[],
): Command {
  return parent
    .command(nameAndArguments)
    .description(description)
    .option('--json', 'the result as JSON on standard output')
    .addHelpText('after', `\nExamples:\n${examples.map((line) => `  $ ${line}`).join('\n')}`);
}

/** The option for the organization of a command. */
export function orgOption(): Option {
  return new Option('--org <organization>', 'its uid or name; needless when there is only one');
}

/** Adds the option for the running service of a command. */
export function withService(command: Command): Command {
  return command.option(
    '--url <address>',
    'the service; its key is taken from PLATEN_API_KEY. Default: that of this machine',
  );
}

/** Collects the values of an option that may be repeated. */
export function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}

// The groups.

/** The default folder of template files. */
const folderDefault = 'templates';

/** Adds the commands to the program. */
export function declareTemplateCommands(program: Command, run: Runner): void {
  const templates = program
    .command('templates')
    .description('templates of the local database, or with --url of a service');
  withHome(
    addCommand(templates, 'list', 'list the templates', [
      'platen templates list',
      'PLATEN_API_KEY=… platen templates list --url https://images.example.com',
    ]),
  ).action((options: HomeOptions) =>
    run(async ({ terminal }) => {
      const { listTemplates } = await import('./templates/commands.ts');
      return listTemplates(options, terminal);
    }),
  );
  declarePull(templates, run);
  declarePush(templates, run);
  withHome(
    addCommand(templates, 'publish <uid...>', 'make drafts the next versions', [
      "platen templates publish welcome-banner --message 'Autumn photo'",
    ]),
  )
    .option('-m, --message <text>', 'a note on the version')
    .option(
      '--force',
      'also drafts whose default image cannot be rendered; a service refuses those',
    )
    .action((uids: string[], options: HomeOptions & { message?: string; force?: boolean }) =>
      run(async ({ terminal }) => {
        const { publishTemplates } = await import('./templates/commands.ts');
        return publishTemplates(uids, options, terminal);
      }),
    );
  declareMove(templates, run, 'archive', 'take templates out of use: their links answer 404');
  declareMove(templates, run, 'restore', 'bring archived templates back, links and all');
  declareMove(templates, run, 'release', 'render templates again that are in quarantine');
}

function declareMove(
  templates: Command,
  run: Runner,
  direction: 'archive' | 'restore' | 'release',
  description: string,
): void {
  withHome(
    addCommand(templates, `${direction} <uid...>`, description, [
      `platen templates ${direction} welcome-banner`,
    ]),
  ).action((uids: string[], options: HomeOptions) =>
    run(async ({ terminal }) => {
      const { moveTemplates } = await import('./templates/commands.ts');
      return moveTemplates(uids, direction, options, terminal);
    }),
  );
}

function declarePull(templates: Command, run: Runner): void {
  withHome(
    addCommand(templates, 'pull [uid...]', 'write drafts as files, for editors and git', [
      'platen templates pull',
      'platen templates pull welcome-banner --dir designs',
    ]),
  )
    .option('-d, --dir <folder>', 'the folder', folderDefault)
    .option('--force', 'overwrite files with changes that were not pushed')
    .action((uids: string[], options: PullOptions) =>
      run(async (invocation) => {
        const { pull } = await import('./templates/pull-command.ts');
        return pull(uids, options, invocation);
      }),
    );
}

function declarePush(templates: Command, run: Runner): void {
  withHome(
    addCommand(templates, 'push [uid...]', 'show what changed in the files, and store it', [
      'platen templates push --dry-run',
      'platen templates push welcome-banner',
      "platen templates push --yes --publish --message 'Autumn photo'",
    ]),
  )
    .option('-d, --dir <folder>', 'the folder', folderDefault)
    .option('-y, --yes', 'do not ask')
    .option('-n, --dry-run', 'only show what would change')
    .option('--publish', 'publish what this push changes, and what is named')
    .option('-m, --message <text>', 'a note on the published versions')
    .option(
      '--force',
      'overwrite what somebody else has changed or rolled back, and publish what cannot be drawn',
    )
    .action((uids: string[], options: PushOptions) =>
      run(async (invocation) => {
        const { push } = await import('./templates/push-command.ts');
        return push(uids, options, invocation);
      }),
    );
}

/** Adds the options for the source of templates. */
function withHome(command: Command): Command {
  return command
    .addOption(orgOption())
    .option('--url <address>', 'a service; its key is taken from PLATEN_API_KEY');
}

// `platen org …` and `platen key …`.

const loadCommands = () => import('./organization-commands.ts');

/** Adds the commands to the program. */
export function declareOrganizationCommands(program: Command, run: Runner): void {
  const org = program.command('org').description('organizations in the local database');
  addCommand(org, 'create <name>', 'make an organization with a first API key', [
    "platen org create 'Northshore Stays'",
    'platen org create acme --json',
  ]).action((name: string) =>
    run(async ({ terminal }) => (await loadCommands()).createOrganization(name, terminal)),
  );
  addCommand(org, 'list', 'list the organizations', ['platen org list']).action(() =>
    run(async ({ terminal }) => (await loadCommands()).listOrganizations(terminal)),
  );
  const key = program.command('key').description('API keys in the local database');
  addCommand(key, 'create <name>', 'make an API key', [
    "platen key create 'email system' --scopes read",
    'platen key create deploy --org acme --json',
  ])
    .option('--scopes <list>', 'what it may do, of read,render,write', 'read,render,write')
    .addOption(orgOption())
    .action((name: string, options: { org?: string; scopes?: string }) =>
      run(async ({ terminal }) => (await loadCommands()).createKey(name, options, terminal)),
    );
  addCommand(key, 'revoke <id>', 'end an API key, at once', ['platen key revoke 3'])
    .addOption(orgOption())
    .action((id: string, options: { org?: string }) =>
      run(async ({ terminal }) => (await loadCommands()).revokeKey(id, options, terminal)),
    );
  addCommand(key, 'list', 'list the API keys', ['platen key list --org acme'])
    .addOption(orgOption())
    .action((options: { org?: string }) =>
      run(async ({ terminal }) => (await loadCommands()).listKeys(options, terminal)),
    );
}
