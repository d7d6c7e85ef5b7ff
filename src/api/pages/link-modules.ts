/** Makes one JavaScript module of many TypeScript ones: a browser asks once, and what repeats is compressed once. */
import { readFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';

/** Finds what a specifier that is no file of the studio's own means; throws for one that a browser could not load. */
export type FindExternal = (specifier: string, importer: string) => string | undefined;

/** Import statements, as the formatter leaves them: at the beginning of a line, names alone. */
const importStatement = /^import \{([^}]*)\} from '([^'\n]+)';?$/gm;

/** What an exported declaration declares. */
const exportedDeclaration =
  /^export (?=(?:async function|function|function\*|class|const) (\w+))/gm;

/** What neither of them has taken. */
const otherStatement = /^(?:import|export)\b.*$/m;

/** A comment on what follows, with its line end: a third of what would be sent. */
const docComment = /^ *\/\*\*(?:[^*]|\*(?!\/))*\*\/\n/gm;

/**
 * The text of one module that runs `entry` and all that it imports, each once, in the order of their imports. A module
 * may import names and export declarations, nothing else, and no circle may lead back to it; `findExternal` names the
 * address of what stays outside. Throws for any other form.
 */
export function linkModules(entry: string, findExternal: FindExternal): string {
  const names = new Map<string, string>();
  const externals = new Map<string, string>();
  const texts: string[] = [];
  const add = (path: string): string => {
    const known = names.get(path);
    if (known !== undefined) return known;
    const body = stripTypeScriptTypes(readFileSync(path, 'utf8')).replaceAll(docComment, '');
    const linked = body.replaceAll(importStatement, (_, imported: string, specifier: string) => {
      const address = findExternal(specifier, path);
      const source =
        address === undefined ? add(join(dirname(path), specifier)) : nameExternal(address);
      return `const {${imported.replaceAll(/ as /g, ': ')}} = ${source};`;
    });
    const name = `module${names.size}`;
    names.set(path, name);
    texts.push(wrap(name, linked, path));
    return name;
  };
  const nameExternal = (address: string): string => {
    const name = externals.get(address) ?? `external${externals.size}`;
    externals.set(address, name);
    return name;
  };
  add(entry);
  const imports = [...externals].map(([address, name]) => `import * as ${name} from '${address}';`);
  return `${[...imports, ...texts].join('\n')}\n`;
}

/** A module as a function that runs at once and returns what it exports: its own names stay its own. */
function wrap(name: string, text: string, path: string): string {
  const exported: string[] = [];
  const body = text.replaceAll(exportedDeclaration, (_, declared: string) => {
    exported.push(declared);
    return '';
  });
  const other = otherStatement.exec(body)?.[0];
  if (other !== undefined) throw new Error(`${path} has a statement that is not linked: ${other}`);
  return `const ${name} = (() => {\n${body.trim()}\nreturn { ${exported.join(', ')} };\n})();`;
}
