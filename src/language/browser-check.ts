/** The check of documents for browsers, bundled into one file without imports: the studio loads it after the first image. */
import { Settings } from 'typebox/system';

export { validCopy } from './check/valid-copy.ts';

// The page's policy forbids code from text, with which TypeBox compiles a schema.
Settings.Set({ useAcceleration: false });
