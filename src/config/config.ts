/** The configuration of the core: a section for each folder. The only reader of the environment. */
// oxlint-disable node/no-process-env -- this is the one file that may.
import { accessSync, constants } from 'node:fs';
import { isIP } from 'node:net';
import { availableParallelism } from 'node:os';
import type { Static, TObject, TSchema } from 'typebox';
import { Check } from 'typebox/schema';
import { Type } from 'typebox';
import { cacheSchema } from '../render/config.ts';
import {
  cacheSizes,
  decodeLimits,
  renderProcessesFor,
  unreadBytesMax,
  usableMemoryBytes,
} from '../scheduling/memory-budget.ts';
import { commandsSchema, logSchema, templatesSchema } from './sections.ts';
import { httpSchema } from '../http/config.ts';
import { firstByteTimeoutOf, imagesSchema } from '../images/config.ts';
import { removedSettings } from './removed.ts';
import type { Supervision } from '../process/config.ts';
import { parseSupervision, processSchema } from '../process/config.ts';
import type { CacheSizes } from '../scheduling/memory-budget.ts';
import { parseDatabaseUrl } from '../store/database/shared-port.ts';

/**
 * Every setting of the core with its environment variable, bounds, default and one sentence. `expected` finishes the
 * sentence "PLATEN_X is …; expected …". A variable without a default is optional. An empty one counts as not set.
 */
export const coreSections = {
  http: httpSchema,
  templates: templatesSchema,
  render: Type.Object({
    threadCount: Type.Optional(
      Type.Integer({
        env: 'PLATEN_THREADS',
        minimum: 1,
        maximum: 64,
        expected: 'a whole number from 1 to 64',
        description:
          'Render threads. They stand in two processes at least, of four threads at most. Default: one a core, fewer if memory is short.',
      }),
    ),
    timeoutMs: Type.Integer({
      env: 'PLATEN_RENDER_TIMEOUT_MS',
      minimum: 100,
      maximum: 60_000,
      default: 10_000,
      expected: 'milliseconds from 100 to 60000',
      description:
        'Deadline of one render request, with its images and its wait for a render thread.',
    }),
    queueMax: Type.Integer({
      env: 'PLATEN_RENDER_QUEUE_MAX',
      minimum: 1,
      maximum: 100_000,
      default: 8192,
      expected: 'a whole number from 1 to 100000',
      description:
        'Renders that may wait for a render thread. The next one is answered 503, and so is one whose wait would take half of the time to its deadline. Two cores draw a thousand in 2 s.',
    }),
  }),
  process: processSchema,
  cache: cacheSchema,
  images: imagesSchema,
  commands: commandsSchema,
  log: logSchema,
};

/** Sections by their names in the configuration. */
type Sections = Readonly<Record<string, TObject>>;

/** The values of sections. */
export type ValuesOf<Given extends Sections> = { [Name in keyof Given]: Static<Given[Name]> };

/** A setting of the schema with the additional keywords of this file. */
interface Setting {
  env: string;
  expected: string;
  description: string;
  type: string;
  default?: unknown;
  /** Factor from the unit of the variable to that of the program. */
  factor?: number;
  secret?: boolean;
  items?: { type: string };
}

type Parsed = ValuesOf<typeof coreSections>;

/** The configuration in use: the values of the core's sections, with the defaults that depend on the machine. */
export type CoreConfig = Parsed & {
  http: { unreadBytesMax: number };
  render: { threadCount: number };
  cache: CacheSizes;
  images: {
    cacheBytesMax: number;
    firstByteTimeoutMs: number;
    decodeBytesMax: number;
    decodesBytesMax: number;
  };
};

/** All problems of the environment, one sentence each; the start ends with exit code 78 (EX_CONFIG). */
export class ConfigError extends Error {
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    super(problems.join('\n'));
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/** Checks that a schema cannot express, by environment variable; true for a valid value. */
const checks: Record<string, (value: unknown) => boolean> = {
  PLATEN_PUBLIC_URL: (value) => URL.canParse(value as string),
  PLATEN_DATABASE_URL: (value) => parseDatabaseUrl(value as string) !== undefined,
  PLATEN_TLS_CERT: (value) => isReadable(value as string),
  PLATEN_TLS_KEY: (value) => isReadable(value as string),
  PLATEN_TRUSTED_PROXIES: (value) => (value as string[]).every(isRange),
  PLATEN_IMAGES_ALLOWED_ADDRESSES: (value) => (value as string[]).every(isRange),
  PLATEN_IMAGES_DNS_SERVERS: (value) => (value as string[]).every(isNameServer),
};

/** As `parseSections`, from the process's environment. */
export function loadSections<Wings extends Sections>(wings: Wings): CoreConfig & ValuesOf<Wings> {
  return parseSections(process.env, wings);
}

/** Removed settings in the environment, which have no effect. */
export function loadRemovedSettings(): string[] {
  return removedSettings.filter((name) => (process.env[name] ?? '').trim() !== '');
}

/** Reads the expectations of systemd for this process; undefined without systemd. */
export function loadSupervision(): Supervision | undefined {
  return parseSupervision(process.env, process.pid);
}

/**
 * The folder in which a command was typed. `npm run` changes into the folder of the package and passes the original
 * (INIT_CWD, https://docs.npmjs.com/cli/commands/npm-run-script).
 */
export function callerDirectory(): string {
  const { INIT_CWD: calledIn, npm_lifecycle_event: script } = process.env;
  return script === 'platen' && calledIn !== undefined ? calledIn : process.cwd();
}

/**
 * Parses environment variables by the sections of the core and of the wings; other names than `PLATEN_*` are ignored.
 * Throws `ConfigError` with all problems at once.
 */
export function parseSections<Wings extends Sections>(
  environment: Readonly<Record<string, string | undefined>>,
  wings: Wings,
): CoreConfig & ValuesOf<Wings> {
  const problems: string[] = [];
  const known = new Set<string>();
  const config: Record<string, Record<string, unknown>> = {};
  for (const [section, schema] of Object.entries({ ...coreSections, ...wings })) {
    const values: Record<string, unknown> = {};
    for (const [name, property] of Object.entries<TSchema>(schema.properties)) {
      const setting = property as unknown as Setting;
      known.add(setting.env);
      const value = parseSetting(setting, property, environment[setting.env] ?? '', problems);
      if (value !== undefined) values[name] = value;
    }
    config[section] = values;
  }
  problems.push(...unknownNames(environment, known));
  const parsed = config as unknown as Parsed & ValuesOf<Wings>;
  if ((parsed.http.tlsCert === undefined) !== (parsed.http.tlsKey === undefined)) {
    problems.push('PLATEN_TLS_CERT and PLATEN_TLS_KEY belong together; set both or neither.');
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return withMachineDefaults(parsed);
}

function withMachineDefaults<Values extends Parsed>(parsed: Values): Values & CoreConfig {
  const memoryBytes = usableMemoryBytes();
  const threadCount =
    parsed.render.threadCount ?? renderProcessesFor(memoryBytes, availableParallelism());
  const cache = cacheSizes(parsed.cache, memoryBytes, threadCount);
  const decodes = decodeLimits(memoryBytes);
  return {
    ...parsed,
    http: { ...parsed.http, unreadBytesMax: unreadBytesMax(memoryBytes) },
    render: { ...parsed.render, threadCount },
    cache,
    images: {
      ...parsed.images,
      cacheBytesMax: cache.sourcesBytesMax,
      firstByteTimeoutMs: firstByteTimeoutOf(parsed.images.totalTimeoutMs),
      decodeBytesMax: decodes.image,
      decodesBytesMax: decodes.all,
    },
  };
}

function parseSetting(
  setting: Setting,
  schema: TSchema,
  text: string,
  problems: string[],
): unknown {
  if (text.trim() === '') return inProgramUnit(setting, setting.default);
  const value = convert(setting, text.trim());
  if (Check(schema, value) && (checks[setting.env]?.(value) ?? true))
    return inProgramUnit(setting, value);
  const shown = setting.secret === true ? 'not usable' : JSON.stringify(text);
  problems.push(`${setting.env} is ${shown}; expected ${setting.expected}. ${setting.description}`);
  return setting.default;
}

function inProgramUnit({ factor }: Setting, value: unknown): unknown {
  return factor !== undefined && typeof value === 'number' ? value * factor : value;
}

function convert(setting: Setting, text: string): unknown {
  if (setting.type === 'integer') return toInteger(text);
  if (setting.type === 'boolean') return { true: true, false: false }[text] ?? text;
  if (setting.type !== 'array') return text;
  const parts = text.split(',').map((part) => part.trim());
  return setting.items?.type === 'integer' ? parts.map(toInteger) : parts;
}

/** Converts up to 9 digits to a number. Returns other text, such as `3e3` and `0x10`, for the schema to refuse. */
function toInteger(text: string): number | string {
  return /^\d{1,9}$/.test(text) ? Number(text) : text;
}

function unknownNames(environment: object, known: ReadonlySet<string>): string[] {
  return Object.keys(environment)
    .filter((name) => name.startsWith('PLATEN_'))
    .filter((name) => !known.has(name) && !removedSettings.includes(name))
    .map((name) => `${name} is no setting; expected one of: ${[...known].toSorted().join(', ')}.`);
}

function isReadable(path: string): boolean {
  try {
    accessSync(path, constants.R_OK);
    return true;
  } catch {
    return false;
  }
}

function isRange(text: string): boolean {
  const [address = '', prefix, ...rest] = text.split('/');
  const bits = isIP(address) === 6 ? 128 : 32;
  if (isIP(address) === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits);
}

function isNameServer(text: string): boolean {
  if (isIP(text) !== 0) return true;
  const match = /^(?:\[(?<v6>[^\]]+)\]|(?<v4>[^:]+)):(?<port>\d{1,5})$/.exec(text);
  const address = match?.groups?.v6 ?? match?.groups?.v4 ?? '';
  const port = Number(match?.groups?.port);
  return isIP(address) === (match?.groups?.v6 === undefined ? 4 : 6) && port >= 1 && port <= 65535;
}
