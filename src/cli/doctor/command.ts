/** `platen doctor`: checks the machine, the data and the service, and gives advice. */
import { existsSync } from 'node:fs';
import { ConfigError } from '../../config/config.ts';
import { loadConfig } from '../../settings.ts';
import type { Config } from '../../settings.ts';
import type { Check } from './data.ts';
import { checkBundles, checkClock, checkLimits, checkMemory, checkNode } from './machine.ts';
import { checkDataDirectory, checkDatabase, checkDataTables, checkDisk } from './data.ts';
import {
  checkCertificate,
  checkExposure,
  checkPort,
  checkRenderer,
  checkServer,
} from './service.ts';
import { checkDeadlines, checkZoneRules } from './zones.ts';
import { errorMessage, exitCodes } from '../exit-codes.ts';
import type { ExitCode } from '../exit-codes.ts';
import { databasePath } from '../local-database.ts';
import { colored, counted } from '../terminal.ts';
import type { Terminal } from '../terminal.ts';

const marks = {
  ok: () => colored('green', '  ok     '),
  warning: () => colored('yellow', '  warning'),
  problem: () => colored('red', '  PROBLEM'),
};

/**
 * Runs all checks. JSON: `{"ok","checks":[{"name","status":"ok"|"warning"|"problem","detail","advice"}]}`. Exit code 1
 * for a problem, 0 for warnings only.
 */
export async function doctor(terminal: Terminal): Promise<ExitCode> {
  const checks: Check[] = [];
  const add = async (name: string, look: () => Check[] | Promise<Check[]>): Promise<void> => {
    const found = await runCheck(name, look);
    checks.push(...found);
    if (terminal.isJson) return;
    for (const { status, detail, advice } of found) {
      const lines = [`${marks[status]()}  ${name.padEnd(13)} ${detail}`];
      if (advice !== undefined) lines.push(`${' '.repeat(25)} ${advice}`);
      process.stdout.write(`${lines.join('\n')}\n`);
    }
  };
  await add('node', checkNode);
  await add('bundles', checkBundles);
  await add('http', checkServer);
  await add('limits', checkLimits);
  await add('time zones', checkZoneRules);
  const config = await checkConfig(add);
  if (config !== undefined) {
    await add('memory', () => checkMemory(config));
    await add('data folder', () => checkDataDirectory(config));
    await add('disk', () => checkDisk(config));
    // A check creates nothing, so a missing database is not opened.
    if (existsSync(databasePath(config))) {
      await add('database', () => checkDatabase(config));
      await add('deadlines', () => checkDeadlines(config));
      await add('data tables', () => checkDataTables(config));
    }
    if (config.templates.databaseUrl !== undefined) {
      // Loads PostgreSQL's client only for a shared database.
      const { checkSharedDatabase } = await import('./shared.ts');
      await add('shared', () => checkSharedDatabase(config));
    }
    await add('clock', () => checkClock(config));
    await add('renderer', () => checkRenderer(config));
    await add('certificate', () => checkCertificate(config));
    await add('port', () => checkPort(config));
    await add('exposure', () => checkExposure(config));
  }
  const problems = checks.filter(({ status }) => status === 'problem').length;
  const warnings = checks.filter(({ status }) => status === 'warning').length;
  const summary =
    problems === 0 && warnings === 0
      ? 'Everything is as it should be.'
      : `${counted(problems, 'problem')}, ${counted(warnings, 'warning')}.`;
  terminal.result({ ok: problems === 0, checks }, `\n${summary}`);
  return problems === 0 ? exitCodes.ok : exitCodes.problems;
}

/** Runs one check. Never rejects: an error is reported as a problem. */
async function runCheck(name: string, look: () => Check[] | Promise<Check[]>): Promise<Check[]> {
  try {
    return (await look()).map((found) => ({ ...found, name }));
  } catch (error) {
    const advice = 'This could not be looked at; the message says why.';
    return [{ name, status: 'problem', detail: errorMessage(error), advice }];
  }
}

async function checkConfig(
  add: (name: string, look: () => Check[]) => Promise<void>,
): Promise<Config | undefined> {
  let config: Config | undefined;
  await add('configuration', () => {
    try {
      config = loadConfig();
      return [{ status: 'ok', detail: 'the environment can be used' }];
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      return error.problems.map((detail) => ({
        status: 'problem',
        detail,
        advice: 'docs/configuration.md lists every setting. What depends on it was not checked.',
      }));
    }
  });
  return config;
}
