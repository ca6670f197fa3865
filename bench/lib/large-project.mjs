// A project of about 10,000 lines: copies of the example programs side by side, each in a folder of its own, imported by one module.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const examples = join(import.meta.dirname, '../../examples');
const copied = ['orgchart', 'social', 'todo', 'board'];

/** Gives the texts by path below `/p`; the entry is `/p/main.svc`. */
export function largeProject(lines = 10_000) {
  const files = { '/p/svc.toml': '[project]\nname = "large"\nversion = "1.0.0"\nentry-point = "main.svc"\n' };
  const imports = [];
  let count = 0;
  for (let copy = 0; count < lines; copy += 1)
    for (const example of copied) {
      const folder = `${example}${copy}`;
      for (const [path, text] of filesOf(example)) {
        files[`/p/${folder}/${path}`] = text;
        if (path.endsWith('.svc')) count += text.split('\n').length;
        if (path === 'main.svc' || path === 'main.cl.svc' || path.startsWith('pages/'))
          imports.push(`import "./${folder}/${path}";`);
      }
    }
  files['/p/main.svc'] = `${imports.join('\n')}\n`;
  return files;
}

function filesOf(example) {
  return readdirSync(join(examples, example), { recursive: true })
    .filter((path) => /\.(svc|css)$/.test(path) && !/\.(test|e2e)\.svc$/.test(path))
    .map((path) => [path, readFileSync(join(examples, example, path), 'utf8')]);
}
