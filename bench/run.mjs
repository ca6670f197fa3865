// Runs the sections of the benchmark one after the other, each in a process of its own. `npm run bench [section …]`
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';

const sections = [
  'servers',
  'sockets',
  'logins',
  'long-requests',
  'graph',
  'units',
  'round-trips',
  'language',
  'compiler',
  'client',
  'client-saves',
  'client-starts',
  'startup',
  'dry-run',
  'functions',
  'images',
];
const wanted = process.argv.slice(2);
for (const section of sections.filter((name) => wanted.length === 0 || wanted.includes(name))) {
  console.log(`\n## ${section}`);
  spawnSync(
    process.execPath,
    ['--expose-gc', '--max-old-space-size=4096', join(import.meta.dirname, `${section}.mjs`)],
    { stdio: 'inherit' },
  );
}
