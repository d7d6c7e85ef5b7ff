/**
 * Ends `npm install` in a clone with a sentence if npm runs on a Node that is too old. npm then leaves out packages with
 * native binaries without a word, and the first start would fail. This program runs on the Node of `node_modules`.
 */
import { manifest } from '../../foundation/product.ts';

// oxlint-disable-next-line node/no-process-env -- set by npm, not by an operator
const { npm_config_user_agent: userAgent = '' } = process.env;
const [, version] = /\bnode\/v([\d.]+)/.exec(userAgent) ?? [];
const oldest = manifest.engines.node.replace('>=', '');

if (version !== undefined && version.localeCompare(oldest, 'en', { numeric: true }) < 0) {
  process.stderr.write(
    `Platen is installed with Node.js ${oldest} or later, and this npm runs on ${version}: install a newer Node.js, and run the command again.\n`,
  );
  process.exitCode = 1;
}
