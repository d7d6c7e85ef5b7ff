/** The settings of the command line: secrets, which an argument would show to every user of the machine. */
import { Type } from 'typebox';

/** The service accepts these names and does not use them. */
export const commandsSchema = Type.Object({
  apiKey: Type.Optional(
    Type.String({
      env: 'PLATEN_API_KEY',
      pattern: '^[\\x21-\\x7e]{1,200}$',
      expected: '1 to 200 printable ASCII characters without spaces',
      secret: true,
      description: 'API key of `platen templates … --url`.',
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
