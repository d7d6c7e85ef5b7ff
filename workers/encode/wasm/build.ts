/** Compiles the kernels: `npm run build:wasm` after a change of a `.as` file. The result is part of the repository. */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The part of the compiler's interface that is used (assemblyscript, `dist/asc.d.ts`). */
interface Compiler {
  main(
    options: readonly string[],
    system: {
      readFile(name: string, directory: string): string | null;
      writeFile(name: string, contents: Uint8Array): void;
      listFiles(): string[];
    },
  ): Promise<{ error: Error | null; stderr: { toString(): string } }>;
}

const folder = import.meta.dirname;

/** The digest of everything that the kernels are compiled from, which stands in `kernels.sha256`. */
export function sourceDigest(): string {
  const hash = createHash('sha256');
  for (const name of readdirSync(folder).toSorted()) {
    if (name.endsWith('.as') || name === 'build.ts' || name === 'package.json') {
      hash.update(`${name}\n`).update(readFileSync(join(folder, name)));
    }
  }
  return hash.digest('hex');
}

/** Compiles the kernels to the bytes of a WebAssembly module; the compiler is installed in this folder. */
export async function compileKernels(): Promise<Uint8Array> {
  const name = 'assemblyscript/asc';
  const compiler = ((await import(name)) as { default: Compiler }).default;
  let result: Uint8Array | undefined;
  const options = ['kernels.ts', '--outFile', 'kernels.wasm', '-O3', '--converge', '--noAssert'];
  const { error, stderr } = await compiler.main(
    [...options, '--runtime', 'stub', '--enable', 'simd'],
    {
      // The compiler knows one extension only, which here belongs to another language.
      readFile(file) {
        const path = join(folder, file.replace(/\.ts$/, '.as'));
        return existsSync(path) ? readFileSync(path, 'utf8') : null;
      },
      writeFile(_name, contents) {
        result = contents;
      },
      listFiles: () => [],
    },
  );
  if (error !== null || result === undefined)
    throw new Error(`${error?.message}\n${stderr.toString()}`);
  return result;
}

if (process.argv[1] === import.meta.filename) {
  writeFileSync(join(folder, 'kernels.wasm'), await compileKernels());
  writeFileSync(join(folder, 'kernels.sha256'), `${sourceDigest()}\n`);
}
