// Units of work as callers feel them, in process over the embedded store: commits of 20 clients beside a bare loop of the same driver with the same
// durability (per second of wall time, and how long one takes), a typed hop among many others, and one object that is in memory.
// `node bench/units.mjs [commits|hop|warm …]`
import { join } from 'node:path';
import Database from 'libsql';
import { app, close, folder, newHolder, unit, wants } from './lib/graph-app.mjs';
import { measure, measureAsync } from './lib/micro.mjs';
import { alternate, median, printRows, ratio, rounds, row } from './lib/rounds.mjs';

const clients = 20;
const count = Math.min(rounds, 5);
const seconds = Number(process.env.SECONDS ?? 1);
const rows = [];
const notes = [];

const holderWith = async (items, rare) => {
  const id = await newHolder(items);
  await unit(() => app.rare(id, rare));
  return id;
};

if (wants('commits')) {
  const holders = await Promise.all(Array.from({ length: clients }, () => holderWith(10, 0)));
  const times = { ours: [], bare: [] };
  /** `inFlight` clients, each one commit after the other. */
  const load = async (inFlight) => {
    const until = performance.now() + seconds * 1_000;
    const before = performance.now();
    let done = 0;
    const client = async (id) => {
      while (performance.now() < until) {
        const began = performance.now();
        await unit(() => app.fill(id, 1));
        if (inFlight > 1) times.ours.push(performance.now() - began);
        done++;
      }
    };
    await Promise.all(holders.slice(0, inFlight).map(client));
    return (done * 1_000) / (performance.now() - before);
  };
  const bare = openBare(join(folder, 'bare.db'));
  const loop = () => {
    const until = performance.now() + seconds * 1_000;
    const before = performance.now();
    let done = 0;
    while (performance.now() < until) {
      const began = performance.now();
      bare.insert();
      times.bare.push(performance.now() - began);
      done++;
    }
    return (done * 1_000) / (performance.now() - before);
  };
  const commits = await alternate({ ours: () => load(clients), single: () => load(1), bare: loop }, count);
  rows.push(
    row(
      'U1',
      `commits a second, ${clients} clients / a bare libsql loop, one FULL commit each`,
      '>= 3',
      ratio(commits, 'ours', 'bare'),
      (x) => x >= 3,
    ),
    row('U1', `commits a second, ${clients} clients / 1 client`, '-', ratio(commits, 'ours', 'single'), () => true),
  );
  const [ours, theirs] = [p99(times.ours), p99(times.bare)];
  notes.push(
    `99th percentile of one commit: ${ours.toFixed(2)} ms with ${clients} clients, bare ${theirs.toFixed(2)} ms`,
  );
  notes.push(
    `${clients} clients at the bare loop's rate would wait ${((clients * 1_000) / median(commits.bare)).toFixed(2)} ms each`,
  );
  bare.close();
}

if (wants('hop')) {
  const ids = { many: await holderWith(100_000, 20), few: await holderWith(1_000, 20) };
  const hop = (id) => () => measureAsync(() => unit(() => app.typed_hop(id)), { slices: 3, sliceMs: 80, warmMs: 100 });
  const hops = await alternate({ many: hop(ids.many), few: hop(ids.few) }, count);
  // Rates: few / many is the cost of many in that of few.
  rows.push(
    row(
      'U2',
      'typed hop to 20 nodes: cost among 100,000 others / among 1,000 (lower is better)',
      '<= 1.3',
      ratio(hops, 'few', 'many'),
      (x) => x <= 1.3,
    ),
  );
}

if (wants('warm')) {
  const holder = await holderWith(10, 0);
  const id = await unit(() => app.first_item(holder));
  const note = 'some text for the note of this item';
  const known = new Map([[id, { name: 'item 0', done: false, tags: ['a', 'b'], n: 0, note }]]);
  const reads = await alternate(
    {
      ours: () =>
        measureAsync(() => unit(() => JSON.stringify(app.read_one(id))), {
          slices: 3,
          sliceMs: 80,
          warmMs: 100,
        }),
      map: () => measure(() => JSON.stringify(Object.values(known.get(id))), { slices: 3, sliceMs: 80, warmMs: 100 }),
    },
    count,
  );
  rows.push(
    row(
      'U3',
      'one warm object read in a unit of work, as JSON / Map look-up and JSON.stringify',
      '-',
      ratio(reads, 'ours', 'map'),
      () => true,
    ),
  );
}

printRows(rows);
for (const note of notes) console.log(note);
await close();

function openBare(file) {
  const db = new Database(file);
  db.exec(
    'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE node(id INTEGER PRIMARY KEY, data TEXT); CREATE TABLE adj(src INTEGER, eid INTEGER, dst INTEGER, PRIMARY KEY(src, eid)) WITHOUT ROWID',
  );
  const addNode = db.prepare('INSERT INTO node(data) VALUES(?)');
  const addEdge = db.prepare('INSERT INTO adj VALUES(?, ?, ?)');
  let n = 0;
  return {
    insert: db.transaction(() => {
      addEdge.run(2, n++, addNode.run(`{"n":${n}}`).lastInsertRowid);
    }),
    close: () => db.close(),
  };
}

function p99(times) {
  const sorted = [...times].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN;
}
