/** Sections of settings that belong to no folder of the core: the log and the command line; and that of the store. */
import { Type } from 'typebox';
import { logLevels } from '../foundation/log.ts';

export const logSchema = Type.Object({
  level: Type.Enum(logLevels, {
    env: 'PLATEN_LOG_LEVEL',
    default: 'info',
    expected: `one of ${logLevels.join(', ')}`,
    description:
      'Lowest level of the lines that are written. With warn, fast and successful requests write none.',
  }),
  hitsEvery: Type.Integer({
    env: 'PLATEN_LOG_HITS_EVERY',
    minimum: 0,
    maximum: 1_000_000,
    default: 1000,
    expected: 'a whole number from 0 to 1000000',
    description:
      'One of this many answers from memory is logged; 0 logs none. All other requests are logged, except for floods of refusals, which are sampled.',
  }),
});

// The command line: secrets, which an argument would show to every user of the machine.

/** Settings that the service accepts but does not use. */
export const commandsSchema = Type.Object({
  apiKey: Type.Optional(
    Type.String({
      env: 'PLATEN_API_KEY',
      pattern: '^[\\x21-\\x7e]{1,200}$',
      expected: '1 to 200 printable ASCII characters without spaces',
      secret: true,
      description: 'API key of `platen templates … --url` and `platen campaign …`.',
    }),
  ),
  signingKey: Type.Optional(
    Type.String({
      env: 'PLATEN_SIGNING_KEY',
      pattern: '^[\\x21-\\x7e]{1,200}$',
      expected: '1 to 200 printable ASCII characters without spaces',
      secret: true,
      description:
        'Signing key of a template, for `platen sign`. Default: the newest key of the local database.',
    }),
  ),
});

export const templatesSchema = Type.Object({
  dataDirectory: Type.String({
    env: 'PLATEN_DATA_DIR',
    minLength: 1,
    default: 'data/var',
    expected: 'a directory',
    description: 'Folder of the database. It is created if it is missing.',
  }),
  storageBytesMax: Type.Integer({
    env: 'PLATEN_STORAGE_MIB',
    minimum: 1,
    maximum: 1_048_576,
    default: 1024,
    factor: 1024 * 1024,
    expected: 'mebibytes from 1 to 1048576',
    description:
      'Storage of one organization: templates with all versions and comments, assets, fonts, data tables, short links and lists of campaigns. A write beyond it is refused.',
  }),
  unusedAssetsMs: Type.Integer({
    env: 'PLATEN_UNUSED_ASSETS_DAYS',
    minimum: 1,
    maximum: 3650,
    default: 30,
    factor: 24 * 60 * 60 * 1000,
    expected: 'days from 1 to 3650',
    description:
      'How long an uploaded image is kept if no draft and no version names it and no link draws it.',
  }),
  databaseUrl: Type.Optional(
    Type.String({
      env: 'PLATEN_DATABASE_URL',
      maxLength: 2000,
      expected: 'postgres://user:password@host:port/database',
      secret: true,
      description:
        'PostgreSQL database that several nodes share. Not set: the database is the folder of PLATEN_DATA_DIR alone.',
    }),
  ),
  nodeAssetsBytesMax: Type.Integer({
    env: 'PLATEN_NODE_ASSETS_GIB',
    minimum: 1,
    maximum: 100_000,
    default: 10,
    factor: 1024 ** 3,
    expected: 'gibibytes from 1 to 100000',
    description:
      'Disk space of a node for files of assets, with PLATEN_DATABASE_URL: those that were used longest ago are deleted, and come back from PostgreSQL.',
  }),
  demoApiKey: Type.Optional(
    Type.String({
      env: 'PLATEN_DEMO_API_KEY',
      pattern: '^[\\x21-\\x7e]{1,200}$',
      expected: '1 to 200 printable ASCII characters without spaces',
      secret: true,
      description:
        'API key of the organization demo; it is never printed. Not set: a random key is printed once.',
    }),
  ),
});
