/** The programs of docs/guides/signed-links.md in other languages sign as the shared vectors say. */
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';

const docs = join(import.meta.dirname, '../../docs');
const vectorsFile = join(docs, 'signature-vectors.json');
const vectors = JSON.parse(readFileSync(vectorsFile, 'utf8')) as { signature: string }[];
const guide = readFileSync(join(docs, 'guides/signed-links.md'), 'utf8');

/** Prints the query of each vector with the function of the guide. */
const printers = {
  php: `foreach (json_decode(file_get_contents($argv[1]), true) as $each)
  echo signed_query($each['uid'], $each['values'], $each['key']), "\\n";`,
  python: `import json
for each in json.load(open(sys.argv[1], encoding="utf-8")):
    print(signed_query(each["uid"], each["values"], each["key"]))`,
  ruby: `require 'json'
JSON.parse(File.read(ARGV[0], encoding: 'UTF-8')).each { |each| puts signed_query(each['uid'], each['values'], each['key']) }`,
};
const programs = { php: 'php', python: 'python3', ruby: 'ruby' };

for (const [language, printer] of Object.entries(printers)) {
  const program = programs[language as keyof typeof programs];
  const skip = spawnSync(program, ['--version']).status !== 0 && `there is no ${program}`;
  t.test(`the program in ${language} signs as the vectors say`, { skip }, (t) => {
    const [, code = ''] = new RegExp(`\`\`\`${language}\n(.*?)\n\`\`\``, 's').exec(guide) ?? [];
    // Its definitions without the lines after them, which print one link.
    const definitions = code.slice(0, code.search(/^\$?values =/m));
    const file = join(t.testdir(), 'program');
    writeFileSync(file, `${definitions}\n${printer}\n`);
    const ran = spawnSync(program, [file, vectorsFile], { encoding: 'utf8' });
    t.equal(ran.status, 0, ran.stderr);
    const lines = ran.stdout.trim().split('\n');
    const signatures = lines.map((line) => line.split('_signature=')[1]);
    t.same(
      signatures,
      vectors.map(({ signature }) => signature),
    );
    t.end();
  });
}
