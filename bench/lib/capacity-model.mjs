// A model of calls over one database: clients that call one after the other, in processes of one thread each, on a machine of some processors that
// the database has too; a process writes the calls that wait in one transaction; the disk syncs for all transactions that wait.

/**
 * Calls a second. Times in milliseconds: `callMs` of a process for each call, `transactionMs` and `writeMs` of the database for each transaction
 * and each call in it, `syncMs` of its disk.
 */
export function simulate({ processes, clients, processors, callMs, transactionMs, writeMs, syncMs }, forMs = 20_000) {
  const events = [];
  const at = (ms, what) => {
    let low = 0;
    let high = events.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (events[middle].ms > ms) low = middle + 1;
      else high = middle;
    }
    events.splice(low, 0, { ms, what });
  };
  let now = 0;
  let done = 0;
  let busy = 0;
  const waiting = [];
  /** Work for any free processor. */
  const compute = (ms, then) => {
    if (busy === processors) return void waiting.push([ms, then]);
    busy++;
    at(now + ms, () => {
      busy--;
      const next = waiting.shift();
      if (next !== undefined) compute(...next);
      then();
    });
  };
  let isSyncing = false;
  let unsynced = [];
  const sync = (then) => {
    unsynced.push(then);
    if (!isSyncing) beginSync();
  };
  const beginSync = () => {
    const served = unsynced;
    unsynced = [];
    isSyncing = true;
    at(now + syncMs, () => {
      isSyncing = false;
      if (unsynced.length > 0) beginSync();
      for (const tell of served) tell();
    });
  };
  for (let p = 0; p < processes; p++) {
    let toRun = clients;
    let isRunning = false;
    let written = 0;
    let flights = 0;
    let last;
    const run = () => {
      if (isRunning || toRun === 0) return;
      isRunning = true;
      toRun--;
      compute(callMs, () => {
        isRunning = false;
        written++;
        run();
        // A transaction is begun behind everything that runs in the same turn.
        if (toRun === 0) fly();
      });
    };
    // As adapters/stores/postgres/commit.ts does it.
    const fly = () => {
      if (written === 0 || flights === 4) return;
      const waits =
        last === undefined || written * 4 >= last.units * 3 ? 0 : last.fromMs + Math.min(last.tookMs / 4, 4) - now;
      if (waits >= 1) return void at(now + waits, fly);
      const units = written;
      const began = now;
      written = 0;
      flights++;
      if (last !== undefined) last.fromMs = now;
      compute(transactionMs + writeMs * units, () =>
        sync(() => {
          flights--;
          last = { units, tookMs: now - began, fromMs: now };
          done += units;
          toRun += units;
          run();
          fly();
        }),
      );
    };
    run();
  }
  while (events.length > 0 && now < forMs) {
    const event = events.pop();
    now = event.ms;
    event.what();
  }
  return (done * 1_000) / forMs;
}
