// E3: an edit in one file of a project of 10,000 lines; how long until its diagnostics are there, and how memory grows over many edits.
// Processor time is told as well: it says more than the clock where others use the machine. `BESIDE` is measured with the same edits.
// `COMPLETE=1` asks for completion behind the typed letter instead. `EDITS=10000` is the goal's number; `WHOLE=1` asks for the diagnostics of all modules each time, as `svc check` does.
import { beside, loadSource } from './lib/bundle.mjs';
import { largeProject } from './lib/large-project.mjs';

const edits = Number(process.env.EDITS ?? 1000);
const warm = Number(process.env.WARM ?? 60);
const texts = largeProject();
const names = Object.keys(texts).filter((path) => path.endsWith('.svc') && path !== '/p/main.svc');
const lines = names.reduce((sum, path) => sum + texts[path].split('\n').length, 0);

let state = 12345;
const below = (limit) => {
  state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
  return (state >> 8) % limit;
};

/** A word is typed anywhere in a file, or what was typed before is taken back. */
function edit() {
  const path = names[below(names.length)];
  const text = texts[path];
  const at = text.indexOf(' ', below(text.length)) + 1;
  const before = text;
  texts[path] = `${text.slice(0, at)}x${below(100)} ${text.slice(at)}`;
  return { path, at, undo: () => (texts[path] = before) };
}

/** A checkout of the project that answers edits. */
async function subject(name, root) {
  const { analyse, completionAt, createKeptFiles, filesInMemory, readProject, signatures, standardMembers, viewOf } =
    await loadSource('bench/lib/edits.ts', root);
  const kept = createKeptFiles();
  const files = { ...filesInMemory(texts), readFile: (path) => texts[path] };
  const found = { name, times: [], reads: [], busy: [] };
  const answer = (path, offset, counts) => {
    const before = process.cpuUsage();
    const began = performance.now();
    const project = readProject('/p/main.svc', files, { kept, root: '/p' });
    const read = performance.now();
    const module = [...project.modules.values()].find((one) => one.path === path);
    const only = process.env.WHOLE || module === undefined ? undefined : new Set([module.id]);
    const analysis = analyse(project, { signatures, graph: 'sync', standardMembers, only });
    if (process.env.COMPLETE) {
      const view = viewOf(analysis, path.slice('/p/'.length));
      completionAt(view, offset, { standardMembers, files, packages: [] });
    }
    // Rules are asked for when the diagnostics are.
    else void analysis.diagnostics;
    if (!counts) return;
    found.times.push(performance.now() - began);
    found.reads.push(read - began);
    const { user, system } = process.cpuUsage(before);
    found.busy.push((user + system) / 1000);
  };
  return { found, answer };
}

const memory = () => {
  globalThis.gc?.();
  return process.memoryUsage().heapUsed / 2 ** 20;
};

const subjects = [await subject('here', undefined)];
if (beside !== undefined) subjects.push(await subject('beside', beside));
for (let i = 0; i < warm; i += 1) {
  const { path, at } = edit();
  for (const { answer } of subjects) answer(path, at + 1, false);
}
const first = memory();
for (let i = 0; i < edits / 2; i += 1) {
  const { path, at, undo } = edit();
  for (const act of [() => {}, undo]) {
    act();
    for (const { answer } of i % 2 ? subjects.toReversed() : subjects) answer(path, at + 1, true);
  }
}
const last = memory();
const at = (list, share) => list.toSorted((a, b) => a - b)[Math.floor((list.length - 1) * share)].toFixed(1);
console.log(`${lines} lines, ${names.length} files, ${edits} edits`);
for (const { name, times, reads, busy } of subjects.map(({ found }) => found)) {
  const what = process.env.COMPLETE ? 'completion behind the edit' : 'diagnostics of the edited file';
  console.log(`${name}: ${what}: p50 ${at(times, 0.5)} ms, p95 ${at(times, 0.95)} ms, least ${at(times, 0)} ms`);
  console.log(`  of these to read the project: p50 ${at(reads, 0.5)} ms, p95 ${at(reads, 0.95)} ms`);
  console.log(`  processor time: p50 ${at(busy, 0.5)} ms, p95 ${at(busy, 0.95)} ms`);
}
console.log(
  `heap: ${first.toFixed(0)} MiB, after the edits ${last.toFixed(0)} MiB (${(last / first).toFixed(2)} times)`,
);
