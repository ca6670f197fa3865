/** Builds `dist/extension.js` and packs it as `svc.vsix`: `npm run package` in editors. */
import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { build } from 'esbuild';

const here = import.meta.dirname;
const root = resolve(here, '../..');
const out = resolve(process.argv[2] ?? join(here, 'dist/svc.vsix'));

const bundle = join(here, 'dist/extension.js');
const { outputFiles } = await build({
  entryPoints: [join(here, 'src/extension.ts')],
  outfile: bundle,
  write: false,
  bundle: true,
  minify: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
  loader: { '.html': 'text' },
  logLevel: 'warning',
});
mkdirSync(join(here, 'dist'), { recursive: true });
// Whoever else packs at the moment finds the whole file.
const whole = `${bundle}.${process.pid}`;
writeFileSync(whole, outputFiles[0].contents);
renameSync(whole, bundle);
mkdirSync(join(here, 'schemas'), { recursive: true });
copyFileSync(join(root, 'docs/reference/svc.toml.schema.json'), join(here, 'schemas/svc.toml.schema.json'));
const vsce = createRequire(import.meta.url).resolve('@vscode/vsce/vsce');
const options = ['--no-dependencies', '--skip-license', '--allow-missing-repository', '--out', out];
execFileSync(process.execPath, [vsce, 'package', ...options], { cwd: here, stdio: ['ignore', 'inherit', 'inherit'] });
