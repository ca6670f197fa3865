// L2 to L4 of live subscriptions, against the running server. `node bench/live.mjs [L2 L3 L4]`. L1 and L5 are tests (core/live, test/journeys).
import { WebSocket } from 'ws';
import { post, registerUsers, script, startProject } from './lib/project-server.mjs';
import { alternate, median, printRows, ratio, row } from './lib/rounds.mjs';
import { allSeconds, bothCpus, load } from './lib/server.mjs';

const wanted = process.argv.slice(2);
const wants = (id) => wanted.length === 0 || wanted.includes(id);
const writes = Number(process.env.WRITES ?? 200);
/** Writes before those that are measured: the first ones measure the compiler of JavaScript. */
const warming = 30;
const env = { SVC_LIVE_MAX_PER_CONNECTION: '100' };
const rows = [];
const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** A connection that has its first values. `onValue` gets each further one. */
async function subscribe({ port }, walker, rooms, { token, onValue = () => {} } = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/live${token ? `?token=${token}` : ''}`);
  await new Promise((resolve, reject) => socket.once('open', resolve).once('error', reject));
  let first = rooms.length;
  await new Promise((resolve) => {
    socket.on('message', (text) => {
      const frame = JSON.parse(String(text));
      if (frame.type === 'error') throw new Error(String(text));
      if (frame.type !== 'result') return;
      if (first === 0) onValue(frame, performance.now());
      else if (--first === 0) resolve();
    });
    socket.send(
      JSON.stringify({ type: 'subscribe', all: rooms.map((room, id) => ({ id, walker, fields: { room } })) }),
    );
  });
  return socket;
}

const percentile = (values, part) => [...values].sort((a, b) => a - b)[Math.ceil(values.length * part) - 1];
const bound = (id, subject, goal, limitMs, values) => {
  const p99 = percentile(values, 0.99);
  const result = {
    median: p99,
    low: percentile(values, 0.01),
    high: percentile(values, 1),
    figure: median(values),
    base: limitMs,
  };
  rows.push(row(id, subject, goal, result, (x) => x <= limitMs));
};

/**
 * Milliseconds from the answer to a write, or from its sending, to each frame that follows it; one that came before counts as 0. On a busy machine
 * the processor time of the server for each write says more.
 */
async function latencies(server, sockets, each, write, isFromSending = false) {
  const all = [];
  let before = 0;
  for (let n = -warming; n < writes; n++) {
    if (n === 0) before = allSeconds(server.pid);
    const came = [];
    let done;
    const complete = new Promise((resolve) => {
      done = resolve;
    });
    sockets.onValue = (frame, at) => {
      if (!frame.data.reports.includes(`text ${n}`)) return;
      came.push(at);
      if (came.length === each) done();
    };
    const sent = performance.now();
    await write(`text ${n}`);
    const answered = isFromSending ? sent : performance.now();
    await complete;
    if (n >= 0) all.push(...came.map((at) => Math.max(0, at - answered)));
    await pause(80); // beyond the interval between two runs
  }
  console.log(
    `${(((allSeconds(server.pid) - before) / writes) * 1000).toFixed(1)} ms of the server's processors for each write`,
  );
  return all;
}

if (wants('L2')) {
  const [idle, bare] = [await startProject([], env, [], 'live.svc'), await startProject([], env, [], 'live.svc')];
  const tokens = await registerUsers(idle, 100);
  const [writer] = await registerUsers(bare, 1);
  const rooms = Array.from({ length: 10 }, (_, i) => `room ${i}`);
  const sockets = [];
  for (const token of tokens.slice(1)) sockets.push(await subscribe(idle, 'Mine', rooms, { token }));
  sockets.push(await subscribe(idle, 'Feed', rooms));
  const add = (name, token) => script(name, '{"text": "a note"}', [token]);
  const [inIdle, inBare] = [add('idle', tokens[0]), add('bare', writer)];
  const variants = {
    idle: () => load(idle, '/walker/Add', inIdle).perCpuSecond,
    bare: () => load(bare, '/walker/Add', inBare).perCpuSecond,
  };
  for (const variant of Object.values(variants)) variant();
  const figures = await alternate(variants);
  rows.push(
    row(
      'L2',
      'writes with 1,000 idle subscriptions / without',
      '>= 0.95',
      ratio(figures, 'idle', 'bare'),
      (x) => x >= 0.95,
    ),
  );
  for (const socket of sockets) socket.terminate();
  await idle.stop();
  await bare.stop();
}

async function measureL3(flags, subject, limitMs, cpus) {
  const server = await startProject([], env, flags, 'live.svc', undefined, cpus);
  const sockets = { onValue: () => {} };
  const open = [];
  for (let i = 0; i < 100; i++)
    open.push(await subscribe(server, 'Feed', [`room ${i}`], { onValue: (...args) => sockets.onValue(...args) }));
  const values = await latencies(server, sockets, 100, (text) => post(server, '/walker/Say', JSON.stringify({ text })));
  bound('L3', subject, `p99 <= ${limitMs} ms`, limitMs, values);
  for (const socket of open) socket.terminate();
  await server.stop();
}

if (wants('L3')) {
  await measureL3([], 'ms from the answer of a write to the frames of 100 runs', 20);
  await measureL3(['--workers', '4'], 'the same with 4 workers, on both processors', 40, bothCpus);
}

if (wants('L4')) {
  const server = await startProject([], env, [], 'live.svc');
  const sockets = { onValue: () => {} };
  const open = [];
  const rooms = Array.from({ length: 100 }, () => 'all');
  for (let i = 0; i < 50; i++)
    open.push(await subscribe(server, 'Feed', rooms, { onValue: (...args) => sockets.onValue(...args) }));
  const values = await latencies(
    server,
    sockets,
    5000,
    (text) => post(server, '/walker/Say', JSON.stringify({ text })),
    true,
  );
  bound('L4', 'ms from the sending of a write to 5,000 frames of one run', 'p99 <= 250 ms', 250, values);
  for (const socket of open) socket.terminate();
  await server.stop();
}

printRows(rows);
