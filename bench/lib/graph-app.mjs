// `apps/graph.svc` over an embedded store of its own, in process, for what measures units of work.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadSource } from './bundle.mjs';

const project = await loadSource('bench/lib/project.ts');
export const app = await project.loadProgram(join(import.meta.dirname, '../apps/graph.svc'));
/** For further databases as well. */
export const folder = mkdtempSync(join(process.env.DBDIR ?? tmpdir(), 'svc-bench-'));
const stores = await project.openStore({
  dataDir: folder,
  scale: { database: { store: '', sqliteFile: 'svc.db', durability: 'full' } },
});
const caller = { rootId: '0'.repeat(32), userId: null, kind: 'system' };
const unitsOver = (store) => {
  const runtime = project.createRuntime({ store });
  return async (work) => project.runUnit(runtime, caller, work);
};

/** Runs a unit of work. */
export const unit = unitsOver(stores.graph);

/** The same over a store that is in memory. */
export const openInMemory = async () => unitsOver((await project.openMemory()).graph);

/** Gives the id of a new holder with so many children. */
export async function newHolder(children) {
  const id = await unit(() => app.make_holder());
  for (let left = children; left > 0; left -= 5_000) await unit(() => app.fill(id, Math.min(left, 5_000)));
  return id;
}

export async function close() {
  await stores.close();
  rmSync(folder, { recursive: true, force: true });
}

const wanted = process.argv.slice(2);
/** Rows that were asked for; all when none was. */
export const wants = (name) => wanted.length === 0 || wanted.includes(name);
