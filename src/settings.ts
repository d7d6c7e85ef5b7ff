/** The settings of the service: those of the core, and those that its wings bring. */
import { coreSections, loadSections, parseSections } from './config/config.ts';
import type { CoreConfig, ValuesOf } from './config/config.ts';
import { campaignsSchema } from './mailings/config.ts';

const wings = { campaigns: campaignsSchema };

/** The schemas of all sections. */
export const sections = { ...coreSections, ...wings };

export type Config = CoreConfig & ValuesOf<typeof wings>;

/** Parses environment variables; other names than `PLATEN_*` are ignored. Throws `ConfigError` with all problems. */
export function parseConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  return parseSections(environment, wings);
}

/** As `parseConfig`, from the process's environment. */
export function loadConfig(): Config {
  return loadSections(wings);
}
