/** Declares the options and examples of `platen tables …`. */
import type { Command } from 'commander';
import { addCommand, withService } from '../declare.ts';
import type { Runner } from '../declare.ts';
import type { ServiceOptions } from '../running-service.ts';
import type { TableOptions } from './commands.ts';

const loadCommands = () => import('./commands.ts');

export function declareTableCommands(program: Command, run: Runner): void {
  const tables = program
    .command('tables')
    .description('data tables of a service, whose rows links draw');
  withService(
    addCommand(tables, 'put <name> <list>', 'make a table from a list, or replace all its rows', [
      'platen tables put members members.csv --key id',
      'PLATEN_API_KEY=… platen tables put members members.xlsx --url https://images.example.com',
    ]),
  )
    .option('-k, --key <column>', 'the column that has the keys; default: that of the table')
    .option('--sheet <name>', 'of an XLSX or ODS; default: the only one with rows')
    .action((name: string, list: string, options: ServiceOptions & TableOptions) =>
      run(async (invocation) => (await loadCommands()).putTable(name, list, options, invocation)),
    );
  withService(
    addCommand(tables, 'get <name>', 'show the columns of a table, and none of its rows', [
      'platen tables get members',
    ]),
  ).action((name: string, options: ServiceOptions) =>
    run(async ({ terminal }) => (await loadCommands()).getTable(name, options, terminal)),
  );
  withService(addCommand(tables, 'list', 'list the tables', ['platen tables list --json'])).action(
    (options: ServiceOptions) =>
      run(async ({ terminal }) => (await loadCommands()).listTables(options, terminal)),
  );
  withService(
    addCommand(tables, 'delete <name...>', 'delete tables with their rows', [
      'platen tables delete members',
    ]),
  ).action((names: string[], options: ServiceOptions) =>
    run(async ({ terminal }) => (await loadCommands()).deleteTables(names, options, terminal)),
  );
}
