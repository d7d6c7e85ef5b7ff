/** The options and examples of `platen org …` and `platen key …`. */
import type { Command } from 'commander';
import { addCommand, orgOption } from './declare.ts';
import type { Runner } from './declare.ts';

const loadCommands = () => import('../organization-commands.ts');

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
    "platen key create 'mail system' --scopes read",
    'platen key create deploy --org acme --json',
  ])
    .option('--scopes <list>', 'what it may do: read, write, or read,write', 'read,write')
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
