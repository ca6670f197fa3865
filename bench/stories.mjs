// S1: recording on / off. P1 is the trivial public walker over HTTP, P11 a walk over 100,000 nodes in memory inside a unit of work. P1 is measured by
// turns of a tenth of a second inside of one server, where an administrator has each call recorded or not by a header, and between a server that records
// every call and one that records none. `node bench/stories.mjs [P1 P11]`, TURNS (200): pairs of turns.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { post, registerUsers, startProject } from './lib/project-server.mjs';
import { alternate, printRows, ratio, row } from './lib/rounds.mjs';
import { requestText, shortTurns } from './lib/short-turns.mjs';

const wanted = process.argv.slice(2);
const wants = (id) => wanted.length === 0 || wanted.includes(id);
const large =
  '{"name":"Ada Lovelace","age":36,"tags":["math","engine","notes"],"address":{"street":"12 St James Sq","city":"London","zip":"SW1Y"},"active":true,"score":12.75}';
const figure = join(import.meta.dirname, 'lib/story-figure.mjs');
const rows = [];

/** Requests per processor second of the server, in pairs of turns. Requests are warmed up. */
async function inTurns(variants) {
  for (let i = 0; i < 15; i++) for (const { load, text } of Object.values(variants)) await load.turn(text, 200);
  const turns = Object.entries(variants).map(([name, { load, text }]) => [name, () => load.turn(text)]);
  return await alternate(Object.fromEntries(turns), Number(process.env.TURNS ?? 200));
}

function tell(subject, figures) {
  rows.push(row('S1', `P1, ${subject}`, '>= 0.95', ratio(figures, 'on', 'off'), (x) => x >= 0.95));
}

/** In one server both kinds of calls have the same history, so nothing but the recording differs. */
async function trivialInOneServer() {
  const server = await startProject([], {
    SVC_STUDIO_ENABLED: 'true',
    SVC_STUDIO_SAMPLE: '0',
    SVC_AUTH_ADMINS: 'user0',
  });
  const [token] = await registerUsers(server, 1);
  const asked = (how) =>
    requestText(server, '/walker/Echo', large, { Authorization: `Bearer ${token}`, 'Svc-Story': how });
  const load = await shortTurns(server);
  const figures = await inTurns({ on: { load, text: asked('1') }, off: { load, text: asked('0') } });
  load.close();
  const { data } = await (
    await fetch(`${server.base}/studio/api/stories`, { headers: { authorization: `Bearer ${token}` } })
  ).json();
  if (data.stories.length === 0) throw new Error('nothing was recorded');
  await server.stop();
  tell('recorded / not recorded in one server', figures);
}

async function trivialInTwoServers() {
  const recording = { SVC_STUDIO_ENABLED: 'true', SVC_STUDIO_SAMPLE: '1' };
  const servers = { on: await startProject([], recording), off: await startProject() };
  const variants = {};
  for (const [name, server] of Object.entries(servers)) {
    await post(server, '/walker/Echo', large);
    variants[name] = { load: await shortTurns(server), text: requestText(server, '/walker/Echo', large) };
  }
  const figures = await inTurns(variants);
  for (const { load } of Object.values(variants)) load.close();
  for (const server of Object.values(servers)) await server.stop();
  tell('a server that records / one that does not', figures);
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
