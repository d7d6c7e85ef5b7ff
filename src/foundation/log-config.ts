/** The settings of the log. */
import { Type } from 'typebox';
import { logLevels } from './log.ts';

export const logSchema = Type.Object({
  level: Type.Enum(logLevels, {
    env: 'PLATEN_LOG_LEVEL',
    default: 'info',
    expected: `one of ${logLevels.join(', ')}`,
    description:
      'Lines of the log that are written: these and the more urgent ones. With warn, requests that went well and were fast leave none.',
  }),
  hitsEvery: Type.Integer({
    env: 'PLATEN_LOG_HITS_EVERY',
    minimum: 0,
    maximum: 1_000_000,
    default: 1000,
    expected: 'a whole number from 0 to 1000000',
    description:
      'Of so many answers from memory one leaves a line, 0 for none; every other request leaves one, but a sample of a flood of refusals.',
  }),
  slowMs: Type.Integer({
    env: 'PLATEN_LOG_SLOW_MS',
    minimum: 1,
    maximum: 60_000,
    default: 2000,
    expected: 'milliseconds from 1 to 60000',
    description: 'A request that takes so long leaves a warning, whatever its answer.',
  }),
});
