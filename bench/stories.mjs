// S1: recording on / off. P1 is the trivial public walker over HTTP, P11 a walk over 100,000 nodes in memory inside a unit of work. P1 is measured by
// turns of a second inside of one server, where an administrator has each call recorded or not by a header, and between a server that records every
// call and one that records none. `node bench/stories.mjs [P1 P11]`, TURNS (24): pairs of turns.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { post, registerUsers, script, startProject } from './lib/project-server.mjs';
import { alternate, printRows, ratio, row } from './lib/rounds.mjs';
import { load } from './lib/server.mjs';

const wanted = process.argv.slice(2);
const wants = (id) => wanted.length === 0 || wanted.includes(id);
const large =
  '{"name":"Ada Lovelace","age":36,"tags":["math","engine","notes"],"address":{"street":"12 St James Sq","city":"London","zip":"SW1Y"},"active":true,"score":12.75}';
const figure = join(import.meta.dirname, 'lib/story-figure.mjs');
const rows = [];

/** Requests per processor second of the server, and per second, in turns of one second each. Requests are warmed up. */
async function inTurns(variants) {
  for (const { server, lua } of Object.values(variants)) load(server, '/walker/Echo', lua, 32, 2);
  const turns = await alternate(
    Object.fromEntries(
      Object.entries(variants).map(([name, { server, lua }]) => [name, () => load(server, '/walker/Echo', lua, 32, 1)]),
    ),
    Number(process.env.TURNS ?? 24),
  );
  return (what) =>
    Object.fromEntries(Object.entries(turns).map(([name, list]) => [name, list.map((one) => one[what])]));
}

function tell(subject, figuresOf) {
  const met = (x) => x >= 0.95;
  rows.push(row('S1', `P1, ${subject}`, '>= 0.95', ratio(figuresOf('perCpuSecond'), 'on', 'off'), met));
  rows.push(row('S1', `P1, ${subject}, per second`, '>= 0.95', ratio(figuresOf('perSecond'), 'on', 'off'), met));
}

/** In one server both kinds of calls have the same history, so nothing but the recording differs. */
async function trivialInOneServer() {
  const server = await startProject([], {
    SVC_STUDIO_ENABLED: 'true',
    SVC_STUDIO_SAMPLE: '0',
    SVC_AUTH_ADMINS: 'user0',
  });
  const [token] = await registerUsers(server, 1);
  const asked = (how) => script(`echo-${how}`, large, [token], { 'Svc-Story': how });
  await post(server, '/walker/Echo', large, token);
  const figuresOf = await inTurns({ on: { server, lua: asked('1') }, off: { server, lua: asked('0') } });
  // The server closed the connection of the first call during the turns, in which this process heard nothing.
  await pause(50);
  const { data } = await (
    await fetch(`${server.base}/studio/api/stories`, { headers: { authorization: `Bearer ${token}` } })
  ).json();
  if (data.stories.length === 0) throw new Error('nothing was recorded');
  await server.stop();
  tell('recorded / not recorded in one server', figuresOf);
}

async function trivialInTwoServers() {
  const lua = script('echo', large);
  const recording = { SVC_STUDIO_ENABLED: 'true', SVC_STUDIO_SAMPLE: '1' };
  const servers = { on: await startProject([], recording), off: await startProject() };
  for (const server of Object.values(servers)) await post(server, '/walker/Echo', large);
  const figuresOf = await inTurns({ on: { server: servers.on, lua }, off: { server: servers.off, lua } });
  for (const server of Object.values(servers)) await server.stop();
  tell('a server that records / one that does not', figuresOf);
}

async function walk() {
  const measured = (how) => () => JSON.parse(execFileSync(process.execPath, [figure, how], { encoding: 'utf8' }));
  const figures = await alternate({ on: measured('on'), off: measured('off') });
  rows.push(row('S1', 'P11, recorded / not recorded', '>= 0.95', ratio(figures, 'on', 'off'), (x) => x >= 0.95));
}

if (wants('P1')) {
  await trivialInOneServer();
  await trivialInTwoServers();
}
if (wants('P11')) await walk();
printRows(rows);
