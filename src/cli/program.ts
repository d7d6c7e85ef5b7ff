/** The program: declares the commands with options and examples, runs them, and sets exit codes. */
import { manifest } from '../foundation/product.ts';
import { formatNames } from '#language/formats.ts';
import { Command, CommanderError, Option } from 'commander';
import { declareCampaignCommands } from './campaigns/declare.ts';
import {
  addCommand,
  collect,
  declareOrganizationCommands,
  declareTemplateCommands,
  withService,
} from './declare.ts';
import type { Runner } from './declare.ts';
import { exitCodes, toFailure } from './exit-codes.ts';
import type { ExitCode } from './exit-codes.ts';
import type { Engine } from './migrate-command.ts';
import type { ServiceOptions } from './running-service.ts';
import { declareTableCommands } from './tables/declare.ts';
import { createTerminal } from './terminal.ts';
import type { Terminal } from './terminal.ts';

/**
 * Runs the program with the arguments after its name, and ends the process. Each command loads its code when it runs:
 * `validate` needs neither a database nor a renderer.
 */
export async function runProgram(args: readonly string[]): Promise<void> {
  const terminal = createTerminal(args.includes('--json'));
  const run: Runner = async (work) => {
    let atInterrupt: (() => Promise<void>) | undefined;
    const interrupt = (): void => {
      const last = atInterrupt;
      atInterrupt = undefined;
      if (last === undefined) interrupted();
      else void last().then(interrupted, interrupted);
    };
    process.on('SIGINT', interrupt);
    process.on('SIGTERM', interrupt);
    // Loaded here, because help needs no configuration.
    const { callerDirectory } = await import('../config/config.ts');
    const onInterrupt = (given: () => Promise<void>): void => {
      atInterrupt = given;
    };
    end(await work({ terminal, startDirectory: callerDirectory(), onInterrupt }));
  };
  try {
    await createProgram(run).parseAsync(args, { from: 'user' });
  } catch (error) {
    end(reportFailure(error, terminal));
  }
}

function interrupted(): never {
  process.exit(exitCodes.interrupted);
}

/** Exits after all output is written, because a pipe accepts output in parts. */
function end(exitCode: ExitCode): void {
  process.stdout.write('', () => process.stderr.write('', () => process.exit(exitCode)));
}

function reportFailure(error: unknown, terminal: Terminal): ExitCode {
  if (error instanceof CommanderError) {
    // The parser has already written the message to standard error.
    const exitCode = error.exitCode === 0 ? exitCodes.ok : exitCodes.usage;
    if (exitCode !== exitCodes.ok && terminal.isJson) {
      terminal.fail({ exitCode, message: error.message.replace(/^error: /, '') });
    }
    return exitCode;
  }
  const failure = toFailure(error);
  terminal.fail(failure);
  return failure.exitCode;
}

/** The version, and the revision of a release. */
function versionText(): string {
  const { version, revision } = manifest;
  return revision === undefined ? version : `${version} (${revision})`;
}

/** Declares all commands. `run` is called with the work of the parsed command. */
export function createProgram(run: Runner): Command {
  const program = new Command('platen')
    .description('Renders personalised images from templates through a link.')
    .version(versionText(), '-V, --version')
    .exitOverride()
    // Some commands have their own --version.
    .enablePositionalOptions()
    .showHelpAfterError('Add --help to see how it is used.')
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false })
    .addHelpText(
      'after',
      '\nEvery command takes --json and --help. docs/cli.md lists the exit codes.',
    );
  addCommand(program, 'serve', 'start the service', ['platen serve', 'platen serve --init'])
    .option('--init', 'make a new, empty database in a folder that has lost its own')
    .action(async () => {
      // The service parses its option and handles configuration, exit codes and signals.
      await import('../serve.ts');
    });
  declareRender(program, run);
  addCommand(program, 'validate <template...>', 'check template files, with line and column', [
    'platen validate templates/*.json',
    'platen validate hello.json --json',
  ]).action((files: string[]) =>
    run(async ({ startDirectory, terminal }) => {
      const { validate } = await import('./templates/read.ts');
      return validate(files, startDirectory, terminal);
    }),
  );
  declareOrganizationCommands(program, run);
  declareTemplateCommands(program, run);
  declareCampaignCommands(program, run);
  declareTableCommands(program, run);
  declareCare(program, run);
  return program;
}

function declareRender(program: Command, run: Runner): void {
  addCommand(program, 'render <template.json>', 'draw a template file, without a service', [
    'platen render hello.json -o hello.png',
    'platen render banner.json --set name=Amanda --set photo=./amanda.jpg -o banner.jpg',
    'platen render hello.json --format webp --scale 2 -o - > hello.webp',
  ])
    .requiredOption('-o, --output <file>', 'the image; - for standard output')
    .option('-s, --set <name=value>', 'a value, as a link gives it; may be repeated', collect, [])
    .addOption(
      new Option(
        '-f, --format <format>',
        "default: the file's extension, then the template's",
      ).choices(formatNames),
    )
    .option('--scale <factor>', 'device pixels for one of the design: 1, 2 or 3')
    .option('--quality <number>', '1 to 100, for formats that lose')
    .option('--size <name>', 'a size of the template, in place of its own width and height')
    .option('--lang <tag>', "the language of formats, in place of the document's")
    .option(
      '--now <date>',
      'the time that the image shows, in the zone of the template; now by default',
    )
    .option('--org <organization>', 'whose fonts are used, by uid or name in the local database')
    .action((file: string, options) =>
      run(async (invocation) => {
        const { renderFile } = await import('./render/command.ts');
        return renderFile(file, options, invocation);
      }),
    );
}

const engines: readonly Engine[] = ['sqlite', 'postgres'];

function engineOption(flags: string, description: string): Option {
  return new Option(flags, description).choices(engines).makeOptionMandatory();
}

function declareCare(program: Command, run: Runner): void {
  addCommand(program, 'sign <url>', 'sign a link of a template that answers signed links only', [
    "platen sign 'https://images.example.com/v1/render/offer?name=Amanda'",
    "platen sign '/v1/render/offer?name=Amanda' --expires 7d",
  ])
    .option(
      '--expires <time>',
      'how long it is valid: 90s, 15m, 12h, 7d, or a date such as 2030-01-31',
    )
    .option(
      '--key <key>',
      "the template's signing key; better in PLATEN_SIGNING_KEY, which no list of processes shows. Default: the newest of the local database",
    )
    .action((url: string, options) =>
      run(async ({ terminal }) => {
        const { sign } = await import('./sign-command.ts');
        return sign(url, options, terminal);
      }),
    );
  withService(
    addCommand(program, 'mcp', 'serve agents by the Model Context Protocol on standard input', [
      'PLATEN_API_KEY=… platen mcp --url https://images.example.com',
    ]),
  ).action((options: ServiceOptions) =>
    run(async () => {
      const { serveMcp } = await import('./mcp-command.ts');
      return serveMcp(options);
    }),
  );
  addCommand(program, 'backup <file>', 'copy the database while the service runs', [
    'platen backup /var/backups/platen-$(date +%F).db',
    'platen backup /var/backups/platen.db --tables /var/backups/platen-tables',
  ])
    .option('--tables <folder>', 'also the rows of data tables, into this folder')
    .action((file: string, options: { tables?: string }) =>
      run(async (invocation) => {
        const { backup } = await import('./backup/command.ts');
        return backup(file, options, invocation);
      }),
    );
  addCommand(program, 'migrate', 'move the data of a stopped service to PostgreSQL, or back', [
    'PLATEN_DATABASE_URL=postgres://… platen migrate --from sqlite --to postgres',
    'PLATEN_DATABASE_URL=postgres://… platen migrate --from postgres --to sqlite',
  ])
    .addOption(engineOption('--from <engine>', 'where the data is'))
    .addOption(engineOption('--to <engine>', 'where it goes, empty so far'))
    .action((options: { from: Engine; to: Engine }) =>
      run(async ({ terminal }) => {
        const { migrate } = await import('./migrate-command.ts');
        return migrate(options, terminal);
      }),
    );
  addCommand(program, 'doctor', 'look for what keeps the service from running well', [
    'platen doctor',
    'platen doctor --json',
  ]).action(() =>
    run(async ({ terminal }) => {
      const { doctor } = await import('./doctor/command.ts');
      return doctor(terminal);
    }),
  );
}
