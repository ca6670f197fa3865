// P6 to P9, P13: units of work over the embedded store, in process. Figures are operations per CPU second of this process, P6 per second of
// wall time. `node bench/graph.mjs [P6 … P13]`
import { join } from 'node:path';
import Database from 'libsql';
import { app, close, folder, newHolder, openInMemory, unit, wants } from './lib/graph-app.mjs';
import { measureAsync } from './lib/micro.mjs';
import { alternate, printRows, ratio, rounds, row } from './lib/rounds.mjs';

const sizes = [10, 1_000, 100_000].filter(
  (size) => ['P6', 'P7', 'P8', 'P9'].some(wants) && (size < 1e5 || wants('P7') || wants('P9')),
);
const holders = {};
for (const size of sizes) {
  // Several holders of the small size, so that creating hardly changes how many children they have.
  holders[size] = [];
  for (let i = 0; i < (size === 10 ? 200 : size === 1_000 ? 5 : 1); i++) {
    holders[size].push(await newHolder(size));
  }
}
let turn = 0;
const holder = (size) => holders[size][turn++ % holders[size].length];
const create = (size) => () =>
  measureAsync(() => Promise.all(Array.from({ length: 32 }, () => unit(() => app.fill(holder(size), 1)))), {
    perCall: 32,
    slices: 3,
    sliceMs: 80,
    warmMs: 100,
  });
const listAll = (size) => () =>
  measureAsync(() => unit(() => app.list_all(holder(size))), { slices: 3, sliceMs: 80, warmMs: 100 });
const page = (size) => () =>
  measureAsync(() => unit(() => app.page(holder(size))), { slices: 3, sliceMs: 80, warmMs: 100 });
const count = Math.min(rounds, 5);
const rows = [];

if (wants('P7')) {
  const created = await alternate({ many: create(100_000), few: create(10) }, count);
  rows.push(
    row(
      'P7',
      'create with an edge: cost at 100,000 children / at 10 (lower is better)',
      '<= 1.3',
      inverse(ratio(created, 'many', 'few')),
      (x) => x <= 1.3,
    ),
  );
}

if (wants('P9')) {
  const paged = await alternate({ many: page(100_000), few: page(1_000) }, count);
  rows.push(
    row(
      'P9',
      'typed page of 50: cost at 100,000 siblings / at 1,000 (lower is better)',
      '<= 1.2',
      inverse(ratio(paged, 'many', 'few')),
      (x) => x <= 1.2,
    ),
  );
}

// Textbook tables by hand: a join and JSON.parse.
const db = new Database(join(folder, 'hand.db'));
db.exec(
  'PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; CREATE TABLE node(id INTEGER PRIMARY KEY, data TEXT); CREATE TABLE adj(src INTEGER, eid INTEGER, dst INTEGER, PRIMARY KEY(src, eid)) WITHOUT ROWID',
);
const addNode = db.prepare('INSERT INTO node(data) VALUES(?)');
const addEdge = db.prepare('INSERT INTO adj VALUES(?, ?, ?)');
db.transaction(() => {
  for (let i = 0; i < 1_000; i++) {
    const data = JSON.stringify({
      name: `item ${i}`,
      done: false,
      tags: ['a', 'b'],
      n: i,
      note: 'some text for the note of this item',
    });
    addEdge.run(1, i, addNode.run(data).lastInsertRowid);
  }
})();
if (wants('P8')) {
  const select = db
    .prepare('SELECT n.data FROM adj a JOIN node n ON n.id = a.dst WHERE a.src = ? ORDER BY a.eid')
    .raw();
  const byHand = () =>
    measureAsync(
      async () => {
        let total = 0;
        for (const [data] of select.all(1)) {
          const item = JSON.parse(data);
          total += item.n + item.name.length + item.tags.length + item.note.length + (item.done ? 1 : 0);
        }
        return total;
      },
      { slices: 3, sliceMs: 80, warmMs: 100 },
    );
  const listed = await alternate({ ours: listAll(1_000), hand: byHand }, count);
  rows.push(
    row(
      'P8',
      'list 1,000 children, all fields read: cost / SELECT join + JSON.parse (lower is better)',
      '<= 1.3',
      inverse(ratio(listed, 'ours', 'hand')),
      (x) => x <= 1.3,
    ),
  );
}

if (wants('P6')) {
  // One commit after the other, each with its own sync, against 32 in flight that share one.
  const perSecond = async (inFlight) => {
    const until = performance.now() + 1_000;
    let done = 0;
    const client = async () => {
      while (performance.now() < until) {
        await unit(() => app.fill(holder(10), 1));
        done++;
      }
    };
    await Promise.all(Array.from({ length: inFlight }, client));
    return done;
  };
  let bare = 0;
  const insert = db.transaction(() => {
    addEdge.run(2, bare++, addNode.run(`{"n":${bare}}`).lastInsertRowid);
  });
  const bareLoop = () => {
    const until = performance.now() + 1_000;
    let done = 0;
    while (performance.now() < until) {
      insert();
      done++;
    }
    return done;
  };
  const commits = await alternate({ grouped: () => perSecond(32), single: () => perSecond(1), bare: bareLoop }, count);
  rows.push(
    row(
      'P6',
      'commits a second, FULL sync, 32 in flight / 1 in flight',
      '>= 4',
      ratio(commits, 'grouped', 'single'),
      (x) => x >= 4,
    ),
  );
  rows.push(
    row(
      'P6',
      'the same / a bare libsql loop, one FULL commit each',
      '>= 3',
      ratio(commits, 'grouped', 'bare'),
      (x) => x >= 3,
    ),
  );
}

if (wants('P13')) {
  // Objects by hand with a bit that says "changed": load from text, change ten, encode those. No store, nothing noticed that is changed in place.
  class Item {
    constructor(text) {
      const { name, done, tags, n, note } = JSON.parse(text);
      this.name = name;
      this.done = done;
      this.tags = tags;
      this.n = n;
      this.note = note;
      this.dirty = 0;
    }
  }
  const texts = db
    .prepare('SELECT data FROM node LIMIT 100')
    .raw()
    .all()
    .map(([data]) => data);
  function dirtyBits() {
    const items = texts.map((text) => new Item(text));
    let total = 0;
    items.forEach((item, i) => {
      total += item.n + item.name.length;
      if (i % 10 !== 0) return;
      item.n = (total + item.tags.length) % 1000;
      item.dirty = 1;
    });
    let written = 0;
    for (const item of items) {
      if (item.dirty === 0) continue;
      const { name, done, tags, n, note } = item;
      written += JSON.stringify({ name, done, tags, n, note }).length;
    }
    return written;
  }
  const inside = { disk: unit, memory: await openInMemory() };
  const changeTen = async (place) => {
    const run = inside[place];
    const id = await run(() => app.make_holder());
    await run(() => app.fill(id, 100));
    return () => measureAsync(() => run(() => app.change_ten(id)), { slices: 3, sliceMs: 80, warmMs: 100 });
  };
  const worked = await alternate(
    {
      memory: await changeTen('memory'),
      disk: await changeTen('disk'),
      hand: () => measureAsync(dirtyBits, { slices: 3, sliceMs: 80, warmMs: 100 }),
    },
    rounds,
  );
  rows.push(
    row(
      'P13',
      'unit of work: load 100, change 10, commit in memory / objects by hand with dirty bits',
      '>= 0.9',
      ratio(worked, 'memory', 'hand'),
      (x) => x >= 0.9,
    ),
  );
  rows.push(
    row('P13', 'the same with a durable commit, one in flight', '-', ratio(worked, 'disk', 'hand'), () => true),
  );
}

printRows(rows);
db.close();
await close();

/** Costs instead of rates. */
function inverse(result) {
  return {
    median: 1 / result.median,
    low: 1 / result.high,
    high: 1 / result.low,
    figure: result.figure,
    base: result.base,
  };
}
