/**
 * Time-zone rules of a process. ICU reads them while Node starts, from the folder that `ICU_TIMEZONE_FILES_DIR` names,
 * and has those of Node without the variable. All threads of a process have the same rules.
 */
// oxlint-disable node/no-process-env -- the variable is ICU's, and a second start keeps the environment.
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { packagePath } from '#paths.ts';

/** The folder of the rules that the package carries, made by `npm run build:zones`. */
const packagedFolder = packagePath('data/zones');

/** The version of the rules in the package, and the day of its release. */
export interface ZoneRules {
  version: string;
  released: string;
}

export function packagedZoneRules(): ZoneRules {
  return JSON.parse(readFileSync(join(packagedFolder, 'zones.json'), 'utf8')) as ZoneRules;
}

/** The folder from which this process has its rules; undefined for those inside Node. */
export function zoneRulesFolder(): string | undefined {
  const folder = process.env['ICU_TIMEZONE_FILES_DIR'];
  return folder === undefined ? undefined : resolve(folder);
}

/** The environment of a child process that has the rules of this one, or those of the package. */
export function zoneRulesEnvironment(): { ICU_TIMEZONE_FILES_DIR: string } {
  return { ICU_TIMEZONE_FILES_DIR: zoneRulesFolder() ?? packagedFolder };
}

/**
 * Starts this process again, with the same id, if it has the rules of Node: an operator's variable stays. Call it before
 * anything else. A system without `exec` keeps the rules of Node, which the start and `platen doctor` report.
 */
export function useZoneRules(): void {
  if (zoneRulesFolder() !== undefined) return;
  const command = [process.execPath, ...process.execArgv, ...process.argv.slice(1)];
  process.execve?.(process.execPath, command, { ...process.env, ...zoneRulesEnvironment() });
}

/** Why the rules of this process are not the newest ones, and what to do; undefined if they are. */
export function zoneRulesProblem(): { detail: string; advice: string } | undefined {
  const { version, released } = packagedZoneRules();
  const { tz = '' } = process.versions;
  if (tz >= version) return undefined;
  const folder = zoneRulesFolder();
  const source = folder === undefined ? 'Node' : `Node or ${folder}`;
  return {
    detail: `the time-zone rules are of ${tz}, from ${source}; the package has ${version} of ${released}`,
    advice:
      folder === undefined
        ? `Set ICU_TIMEZONE_FILES_DIR to ${packagedFolder}.`
        : 'Remove ICU_TIMEZONE_FILES_DIR, or put a newer zoneinfo64.res into its folder, and restart.',
  };
}

/** The version of a compiled tz database such as `/usr/share/zoneinfo`; undefined if the folder does not say it. */
export function zoneRulesVersion(folder: string): string | undefined {
  try {
    const text = readFileSync(join(folder, 'tzdata.zi'), 'latin1');
    return /^# version (\d{4}[a-z]+)/.exec(text)?.[1];
  } catch {
    return undefined;
  }
}
