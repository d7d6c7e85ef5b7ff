/** The settings of this wing. `src/settings.ts` enters it here: `mailings.ts` would load all campaigns. */
import { Type } from 'typebox';

export const campaignsSchema = Type.Object({
  warmBytesMax: Type.Integer({
    env: 'PLATEN_CAMPAIGNS_WARM_GIB',
    minimum: 0,
    maximum: 100_000,
    default: 10,
    factor: 1024 ** 3,
    expected: 'gibibytes from 0 to 100000',
    description:
      'Disk space for images that campaigns make before sending, of all campaigns together. 100,000 images of 50 KB take 5.',
  }),
  keepMs: Type.Integer({
    env: 'PLATEN_CAMPAIGNS_KEEP_DAYS',
    minimum: 1,
    maximum: 365,
    default: 30,
    factor: 24 * 60 * 60 * 1000,
    expected: 'days from 1 to 365',
    description:
      'How long a campaign is kept: its list, which is personal data, and its results are deleted then. Links that were made remain.',
  }),
});
