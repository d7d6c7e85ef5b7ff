/** Takes the position of `node:module` in browser code, where the parser of SVG markup is bundled. */
import * as saxes from 'saxes';

export function createRequire(): () => typeof saxes {
  return () => saxes;
}
