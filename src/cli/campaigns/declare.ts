/** Declares the options and examples of `platen campaign …`. */
import { formatNames } from '#language/formats.ts';
import { Option } from 'commander';
import type { Command } from 'commander';
import { addCommand, collect, withService } from '../declare.ts';
import type { Runner } from '../declare.ts';
import type { RunOptions } from './run-command.ts';
import type { ServiceOptions } from '../running-service.ts';

export function declareCampaignCommands(program: Command, run: Runner): void {
  const campaign = program
    .command('campaign')
    .description('lists of recipients: prove every row, make links, files, or warm images');
  declareProof(campaign, run);
  declareLinks(campaign, run);
  declareFiles(campaign, run);
  declareRun(campaign, run, 'warm', 'make the images before the emails are sent', [
    'platen campaign warm list.csv --template welcome-banner',
  ]);
  declareOthers(campaign, run);
}

function declareProof(campaign: Command, run: Runner): void {
  declareRun(campaign, run, 'proof', 'lay out and check every row of a list', [
    'platen campaign proof list.csv --template welcome-banner',
    "platen campaign proof list.xlsx --template offer --map 'First Name=name' --out report",
    "platen campaign proof list.csv --template offer --needs-you --column 'First Name' --out problems.csv",
    'PLATEN_API_KEY=… platen campaign proof list.csv --template offer --url https://images.example.com --json',
  ])
    .option('--needs-you', 'show and save only rows that need you, without those that fall back')
    .option('--problem <code>', 'show and save only rows with this problem, such as UNMERGED')
    .option('--column <name>', 'show and save only rows with a problem in this column or variable')
    .option(
      '-o, --out <path>',
      'a .png for the contact sheet, a .jsonl or .csv for all rows with problems, or a folder for all',
    );
}

function declareLinks(campaign: Command, run: Runner): void {
  declareRun(campaign, run, 'links', 'give a list back with a link for each row', [
    'platen campaign links list.csv --template welcome-banner',
    'platen campaign links list.csv --template offer --short --expires 90d --out links.csv',
  ])
    .option('--short', 'links with a token in place of the values')
    .option(
      '--expires <time>',
      'of signed and short links: 90s, 15m, 12h, 7d, or a date such as 2030-01-31',
    )
    .option('-o, --out <file>', 'the CSV; default: <list>-links.csv');
}

function declareFiles(campaign: Command, run: Runner): void {
  declareRun(campaign, run, 'files', 'make a file for each row', [
    'platen campaign files list.csv --template event-ticket --out tickets',
    "platen campaign files list.csv --template event-ticket --names '{{row}}-{{last_name}}' --out tickets.zip",
    'platen campaign files list.csv --template event-ticket --as pdf --out tickets.pdf',
  ])
    .option('--names <pattern>', 'of each file, with {{row}} and {{column}}; default: {{row}}')
    .addOption(
      new Option('--as <kind>', 'images, one PDF of all rows, or a PDF for each row')
        .choices(['zip', 'pdf', 'pdfs'])
        .default('zip'),
    )
    .option(
      '-o, --out <path>',
      'a .zip, or a folder that it is unpacked into; default: <list>-files',
    );
}

/** Declares a command that starts a run, with the options of all runs. */
function declareRun(
  campaign: Command,
  run: Runner,
  mode: 'proof' | 'links' | 'files' | 'warm',
  description: string,
  examples: readonly string[],
): Command {
  return withService(addCommand(campaign, `${mode} <list>`, description, examples))
    .requiredOption('-t, --template <uid>', 'a published template')
    .option('--version <number>', 'one of its versions; default: the newest')
    .addOption(new Option('-f, --format <format>', "default: the template's").choices(formatNames))
    .addOption(
      new Option('--scale <factor>', 'device pixels for one of the design').choices([
        '1',
        '2',
        '3',
      ]),
    )
    .option('--size <name>', 'a size of the template; default: its width and height')
    .option(
      '-m, --map <column=variable>',
      'a variable of a column, in place of the proposed mapping; may be repeated',
      collect,
      [],
    )
    .option('--encoding <label>', 'of a CSV, such as windows-1252; default: detected')
    .option('--separator <character>', 'of a CSV, or tab; default: detected')
    .option('--sheet <name>', 'of an XLSX or ODS; default: the only one with rows')
    .option('--keep', 'leave the campaign in the service, as long as it keeps campaigns')
    .action((list: string, options: RunOptions) =>
      run(async (invocation) => {
        const { runCampaign } = await import('./run-command.ts');
        return runCampaign(mode, list, options, invocation);
      }),
    );
}

const loadCommands = () => import('./commands.ts');

function declareOthers(campaign: Command, run: Runner): void {
  withService(
    addCommand(campaign, 'list', 'list the campaigns that a service keeps', [
      'platen campaign list',
    ]),
  ).action((options: ServiceOptions) =>
    run(async ({ terminal }) => (await loadCommands()).listCampaigns(options, terminal)),
  );
  withService(
    addCommand(campaign, 'show <id>', 'show the runs of a campaign', [
      'platen campaign show cmp_7Qm3vX0aLr2TzK9cBw5e',
    ]),
  ).action((id: string, options: ServiceOptions) =>
    run(async ({ terminal }) => (await loadCommands()).showCampaign(id, options, terminal)),
  );
  withService(
    addCommand(campaign, 'delete <id...>', 'delete campaigns with their lists', [
      'platen campaign delete cmp_7Qm3vX0aLr2TzK9cBw5e',
    ]),
  )
    .option('--short-links', 'delete their short links too: they show no image any more')
    .action((ids: string[], options: ServiceOptions & { shortLinks?: true }) =>
      run(async ({ terminal }) => (await loadCommands()).deleteCampaigns(ids, options, terminal)),
    );
}
