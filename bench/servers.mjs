// P1, P3, P5: the project as a server beside bare node:http and Hono. `node bench/servers.mjs [P1 P3 P5]`
import { createHmac } from 'node:crypto';
import { join } from 'node:path';
import { beside } from './lib/bundle.mjs';
import { post, registerUsers, script, secret, startProject } from './lib/project-server.mjs';
import { alternate, printRows, ratio, row } from './lib/rounds.mjs';
import { benchFolder, load, startServer } from './lib/server.mjs';

const wanted = process.argv.slice(2);
const wants = (id) => wanted.length === 0 || wanted.includes(id);
const large =
  '{"name":"Ada Lovelace","age":36,"tags":["math","engine","notes"],"address":{"street":"12 St James Sq","city":"London","zip":"SW1Y"},"active":true,"score":12.75}';
const small = '{"name":"Ada Lovelace","age":36,"tags":["math","engine","notes"]}';

const startBaseline = (file, env) => startServer([process.execPath, join(benchFolder, 'baselines', file)], env);
/** The server of the checkout beside under its name in the figures; nothing when none was named. */
const startBeside = async () => (beside ? { beside: await startProject([], {}, [], 'http.svc', beside) } : {});
function compare(id, subject, figures, name = 'project') {
  if (figures.beside === undefined) return;
  const result = ratio(figures, name, 'beside');
  rows.push(row(id, `${subject} / checkout beside`, '>= 0.97', result, (x) => x >= 0.97));
}
const measureOn = (server, path, lua) => () => load(server, path, lua).perCpuSecond;
const rows = [];

/** Every variant must give the same; then each is warmed up. */
async function prepare(variants) {
  const answers = [];
  for (const { server, path, body, token, lua } of variants) {
    const { reports } = await post(server, path, body, token);
    answers.push(JSON.stringify(reports.map((report) => report.greeting ?? report.name ?? report)));
    load(server, path, lua, 32, 2);
  }
  if (new Set(answers).size > 1) throw new Error(`the variants answer differently: ${answers.join(' / ')}`);
}

async function trivial() {
  const lua = script('echo', large);
  const servers = {
    project: await startProject(),
    bare: await startBaseline('node-http.mjs'),
    hono: await startBaseline('hono.mjs'),
    ...(await startBeside()),
  };
  const path = '/walker/Echo';
  await prepare(Object.values(servers).map((server) => ({ server, path, body: large, lua })));
  const figures = await alternate(
    Object.fromEntries(Object.entries(servers).map(([name, server]) => [name, measureOn(server, path, lua)])),
  );
  for (const server of Object.values(servers)) await server.stop();
  const [toBare, toHono] = [ratio(figures, 'project', 'bare'), ratio(figures, 'project', 'hono')];
  rows.push(row('P1', 'trivial public walker / bare node:http', '>= 0.85 (first 0.8)', toBare, (x) => x >= 0.8));
  rows.push(row('P1', 'trivial public walker / Hono', '>= 1.15', toHono, (x) => x >= 1.15));
  compare('P1', 'trivial public walker', figures);
}

async function protection() {
  const server = await startProject();
  const tokens = await registerUsers(server, 100);
  const other = await startBeside();
  const open = { server, path: '/walker/Ping', body: small, lua: script('ping', small) };
  const closed = {
    server,
    path: '/walker/Whoami',
    body: small,
    token: tokens[0],
    lua: script('whoami', small, tokens),
  };
  const theirs = other.beside && (await registerUsers(other.beside, 100));
  const before = theirs && {
    ...closed,
    server: other.beside,
    token: theirs[0],
    lua: script('theirs', small, theirs),
  };
  await prepare([open, closed, ...(before ? [before] : [])]);
  const figures = await alternate({
    public: measureOn(server, open.path, open.lua),
    protected: measureOn(server, closed.path, closed.lua),
    ...(before && { beside: measureOn(before.server, before.path, before.lua) }),
  });
  for (const one of [server, ...Object.values(other)]) await one.stop();
  const result = ratio(figures, 'protected', 'public');
  rows.push(row('P3', 'protected walker / public walker', '>= 0.80', result, (x) => x >= 0.8));
  compare('P3', 'protected walker', figures, 'protected');
}

async function createAndList() {
  const path = '/walker/CreateAndList';
  const project = await startProject();
  const usual = await startBaseline('hono-sqlite.mjs', { SECRET: secret });
  const usualFull = await startBaseline('hono-sqlite.mjs', { SECRET: secret, SYNC: 'FULL' });
  const other = await startBeside();
  const ours = await registerUsers(project, 100);
  const theirs = Array.from({ length: 100 }, (_, i) => signToken(`user${i}`));
  const [luaOurs, luaTheirs] = [script('ours', small, ours), script('theirs', small, theirs)];
  const before = other.beside && (await registerUsers(other.beside, 100));
  const luaBefore = before && script('before', small, before);
  const { driver } = await (await fetch(`${usual.base}/driver`)).json();
  await prepare([
    { server: project, path, body: small, token: ours[0], lua: luaOurs },
    { server: usual, path, body: small, token: theirs[0], lua: luaTheirs },
    { server: usualFull, path, body: small, token: theirs[0], lua: luaTheirs },
    ...(before ? [{ server: other.beside, path, body: small, token: before[0], lua: luaBefore }] : []),
  ]);
  const figures = await alternate({
    project: measureOn(project, path, luaOurs),
    usual: measureOn(usual, path, luaTheirs),
    usualFull: measureOn(usualFull, path, luaTheirs),
    ...(before && { beside: measureOn(other.beside, path, luaBefore) }),
  });
  for (const server of [project, usual, usualFull, ...Object.values(other)]) await server.stop();
  const subject = `create a child, list ten, FULL sync / Hono + jose + SQLite (${driver})`;
  const [toNormal, toFull] = [ratio(figures, 'project', 'usual'), ratio(figures, 'project', 'usualFull')];
  rows.push(row('P5', `${subject} NORMAL`, '>= 2.5 (first 2.0)', toNormal, (x) => x >= 2));
  rows.push(row('P5', `${subject} FULL`, '-', toFull, () => true));
  compare('P5', 'create a child, list ten', figures);
}

const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
function signToken(subject) {
  const iat = Math.floor(Date.now() / 1000);
  const head = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: subject, root: subject, iat, exp: iat + 7 * 86400 })}`;
  return `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`;
}

if (wants('P1')) await trivial();
if (wants('P3')) await protection();
if (wants('P5')) await createAndList();
printRows(rows);
