// Prints the figures of P11 and P12 of one checkout, `{ sync, asynchronous }` in nodes per CPU second. `node walk-figures.mjs <checkout>`.
// In a process of its own: where two trees lie in one heap moves them by a fifth.
import { join, resolve } from 'node:path';
import { loadSource } from './bundle.mjs';
import { measure, measureAsync } from './micro.mjs';

const nodes = 100_000;
const options = { perCall: nodes, slices: 3, sliceMs: 100, warmMs: 400 };
const project = await loadSource('bench/lib/project.ts', resolve(process.argv[2]));
const compiled = await project.loadProgram(join(import.meta.dirname, '../apps/walks.svc'));
const start = compiled.tree(nodes);
const sync = measure(() => compiled.walk_all(start), options);
const asynchronous = await measureAsync(() => compiled.walk_all_async(start), options);
console.log(JSON.stringify({ sync, asynchronous }));
process.exit(0);
