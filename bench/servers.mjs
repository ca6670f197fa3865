// P1, P3, P5, P18: the project as a server beside bare node:http and Hono. `node bench/servers.mjs [P1 P3 P5 P18]`
import { createHmac } from 'node:crypto';
import { copyFileSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { alternate, median, printRows, ratio, rounds, row } from './lib/rounds.mjs';
import { benchFolder, cpuSeconds, load, seconds, startServer } from './lib/server.mjs';

const wanted = process.argv.slice(2);
const wants = (id) => wanted.length === 0 || wanted.includes(id);
const svc = join(benchFolder, '../bin/svc.mjs');
const scripts = mkdtempSync(join(tmpdir(), 'svc-bench-lua-'));
const secret = 'a-secret-of-reasonable-length-for-hs256-0123456789';
const body =
  '{"name":"Ada Lovelace","age":36,"tags":["math","engine","notes"],"address":{"street":"12 St James Sq","city":"London","zip":"SW1Y"},"active":true,"score":12.75}';

/** A wrk script that posts `text`, with each of `tokens` in turn. */
function script(name, text, tokens = []) {
  const path = join(scripts, `${name}.lua`);
  writeFileSync(
    path,
    `local tokens = {${tokens.map((token) => `"Bearer ${token}"`).join(',')}}\nlocal i = 0\nlocal body = '${text}'\nlocal headers = { ["Content-Type"] = "application/json" }\n` +
      `request = function() i = i + 1; if #tokens > 0 then headers["Authorization"] = tokens[i % #tokens + 1] end; return wrk.format("POST", nil, headers, body) end\n`,
  );
  return path;
}

async function startProject() {
  const app = mkdtempSync(join(process.env.DBDIR ?? tmpdir(), 'svc-bench-app-'));
  mkdirSync(app, { recursive: true });
  for (const file of ['http.svc', 'svc.toml']) copyFileSync(join(benchFolder, 'apps', file), join(app, file));
  const server = await startServer(
    [
      process.execPath,
      svc,
      'start',
      join(app, 'http.svc'),
      '--host',
      '127.0.0.1',
      '--port',
      '{port}',
      '--log-level',
      'error',
    ],
    { JWT_SECRET: secret, SVC_ENV: 'development' },
  );
  return server;
}

async function registerUsers(server, count) {
  const tokens = [];
  for (let i = 0; i < count; i++) {
    const answer = await fetch(`${server.base}/user/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ username: `user${i}`, password: 'correct horse 1' }),
    });
    tokens.push((await answer.json()).access_token);
  }
  return tokens;
}

const part = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
function signToken(subject) {
  const iat = Math.floor(Date.now() / 1000);
  const head = `${part({ alg: 'HS256', typ: 'JWT' })}.${part({ sub: subject, root: subject, iat, exp: iat + 7 * 86400 })}`;
  return `${head}.${createHmac('sha256', secret).update(head).digest('base64url')}`;
}

const rows = [];
const measureOn = (server, path, lua) => () => load(server, path, lua).perCpuSecond;

if (wants('P1') || wants('P3')) {
  const project = await startProject();
  const tokens = await registerUsers(project, 100);
  if (wants('P1')) {
    const plain = script('echo', body);
    const bare = await startServer([process.execPath, join(benchFolder, 'baselines/node-http.mjs')]);
    const hono = await startServer([process.execPath, join(benchFolder, 'baselines/hono.mjs')]);
    for (const server of [project, bare, hono]) load(server, '/walker/Echo', plain, 32, 2);
    const figures = await alternate({
      project: measureOn(project, '/walker/Echo', plain),
      bare: measureOn(bare, '/walker/Echo', plain),
      hono: measureOn(hono, '/walker/Echo', plain),
    });
    rows.push(
      row(
        'P1',
        'trivial public walker / bare node:http',
        '>= 0.85 (first 0.8)',
        ratio(figures, 'project', 'bare'),
        (x) => x >= 0.8,
      ),
    );
    rows.push(
      row('P1', 'trivial public walker / Hono', '>= 1.15', ratio(figures, 'project', 'hono'), (x) => x >= 1.15),
    );
    await bare.stop();
    await hono.stop();
  }
  if (wants('P3')) {
    const small = '{"name":"Ada Lovelace","age":36,"tags":["math","engine","notes"]}';
    const open = script('ping', small);
    const closed = script('whoami', small, tokens);
    load(project, '/walker/Ping', open, 32, 2);
    load(project, '/walker/Whoami', closed, 32, 2);
    const figures = await alternate({
      public: measureOn(project, '/walker/Ping', open),
      protected: measureOn(project, '/walker/Whoami', closed),
    });
    rows.push(
      row('P3', 'protected walker / public walker', '>= 0.80', ratio(figures, 'protected', 'public'), (x) => x >= 0.8),
    );
  }
  await project.stop();
}

if (wants('P5')) {
  const small = '{"name":"Ada Lovelace","age":36,"tags":["math","engine","notes"]}';
  const project = await startProject();
  const usual = await startServer([process.execPath, join(benchFolder, 'baselines/hono-sqlite.mjs')], {
    SECRET: secret,
  });
  const usualFull = await startServer([process.execPath, join(benchFolder, 'baselines/hono-sqlite.mjs')], {
    SECRET: secret,
    SYNC: 'FULL',
  });
  const ours = script('ours', small, await registerUsers(project, 100));
  const theirs = script(
    'theirs',
    small,
    Array.from({ length: 100 }, (_, i) => signToken(`user${i}`)),
  );
  const variants = {
    project: measureOn(project, '/walker/CreateAndList', ours),
    usual: measureOn(usual, '/walker/CreateAndList', theirs),
    usualFull: measureOn(usualFull, '/walker/CreateAndList', theirs),
  };
  for (const variant of Object.values(variants)) variant();
  const figures = await alternate(variants);
  rows.push(
    row(
      'P5',
      'create a child, list ten, FULL sync / Hono + jose + SQLite NORMAL',
      '>= 2.5 (first 2.0)',
      ratio(figures, 'project', 'usual'),
      (x) => x >= 2,
    ),
  );
  rows.push(row('P5', 'the same / Hono + jose + SQLite FULL', '-', ratio(figures, 'project', 'usualFull'), () => true));
  for (const server of [project, usual, usualFull]) await server.stop();
}

if (wants('P18')) {
  // One login every 100 ms per core beside public traffic: what throughput is left.
  const project = await startProject();
  await registerUsers(project, 1);
  const plain = script('beside', '{"name":"Ada","age":36,"tags":[]}');
  load(project, '/walker/Ping', plain, 32, 2);
  const throughput = (server) => load(server, '/walker/Ping', plain).perSecond;
  const withLogins = async () => {
    const { spawn } = await import('node:child_process');
    const logins = spawn(process.execPath, [join(benchFolder, 'lib/logins.mjs'), project.base, String(seconds)], {
      stdio: 'ignore',
    });
    const before = cpuSeconds(project.pid);
    const figure = throughput(project);
    void before;
    logins.kill();
    return figure;
  };
  const figures = await alternate({ with: withLogins, without: () => throughput(project) }, Math.min(rounds, 5));
  rows.push(
    row(
      'P18',
      'throughput with 10 logins a second / without',
      '>= 0.9',
      ratio(figures, 'with', 'without'),
      (x) => x >= 0.9,
    ),
  );
  console.log(
    `event loop during logins: see the p99 of the public walker, median ${median(Array.from({ length: 3 }, () => load(project, '/walker/Ping', plain).p99)).toFixed(1)} ms`,
  );
  await project.stop();
}

printRows(rows);
