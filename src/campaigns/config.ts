/** The settings of campaigns. */
import { Type } from 'typebox';

export const campaignsSchema = Type.Object({
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
