/** What the declarations of all commands share. */
import { Option } from 'commander';
import type { Command } from 'commander';
import type { ExitCode } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';

/** What every command is given beside its own arguments. */
export interface Invocation {
  terminal: Terminal;
  /** Where the person stands: paths in arguments are relative to it. */
  startDirectory: string;
}

/** Runs a command, and ends the process with the code that it gives. */
export type Runner = (work: (invocation: Invocation) => Promise<ExitCode>) => Promise<void>;

/** A command with what all have: `--json`, and examples below its help. */
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

/** The organization that a command is about. */
export function orgOption(): Option {
  return new Option('--org <organization>', 'its uid or name; needless when there is only one');
}

/** For options that may be repeated. */
export function collect(value: string, before: readonly string[]): string[] {
  return [...before, value];
}
