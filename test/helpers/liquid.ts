/** As much of Liquid as the recipes for email services use. */
import { createHmac } from 'node:crypto';
import { signingKeyPlaceholder } from '../../src/pages/browser/snippets.ts';

/** What Liquid makes of a text with captures and outputs: `default`, `url_encode`, `replace`, `escape` and the filter that signs. */
export function runLiquid(source: string, variables: Record<string, string>, key: string): string {
  const scope = new Map(Object.entries(variables));
  const write = (text: string): string =>
    text.replaceAll(
      /\{\{\s*(?:(?:custom_attribute\.)?\$\{([^{}]+)\}|(\w+))((?:[^{}'|]|'[^']*'|\|)*)\}\}/g,
      (_, ...found) => {
        const [attribute, name, filters] = found as [string | undefined, string, string];
        let value = scope.get(attribute ?? name) ?? '';
        for (const [, filter, argument = '', second = ''] of filters.matchAll(
          /\|\s*(\w+)(?::\s*'([^']*)'(?:,\s*'([^']*)')?)?/g,
        )) {
          if (filter === 'default') value = value === '' ? argument : value;
          else if (filter === 'url_encode')
            value = new URLSearchParams([['', value]]).toString().slice(1);
          else if (filter === 'replace') value = value.replaceAll(argument, second);
          else if (filter === 'escape')
            value = value.replaceAll('&', '&amp;').replaceAll('"', '&quot;');
          else if (filter === 'hmac_sha256_hex') {
            value = createHmac('sha256', argument.replace(signingKeyPlaceholder, key))
              .update(value)
              .digest('hex');
          } else throw new Error(`unknown filter ${filter}`);
        }
        return value;
      },
    );
  const body = source.replaceAll(
    /\{% capture (\w+) %\}([^]*?)\{% endcapture %\}\n?/g,
    (_, name: string, text: string) => {
      scope.set(name, write(text));
      return '';
    },
  );
  return write(body);
}
