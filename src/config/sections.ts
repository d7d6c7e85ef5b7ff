/** Sections of settings that belong to no folder: the log and the command line. */
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

/** The service accepts these names and does not use them. */
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
