// The project as a server under test, its registered users, and the wrk scripts that load it.
import { copyFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchFolder, startServer } from './server.mjs';

const scripts = mkdtempSync(join(tmpdir(), 'svc-bench-lua-'));
export const secret = 'a-secret-of-reasonable-length-for-hs256-0123456789';
export const password = 'correct horse 1';

/** `svc start`, of this checkout or another, of a program in apps/ on a database of its own. `options` are Node's, `flags` those of the command. */
export function startProject(
  options = [],
  env = {},
  flags = [],
  program = 'http.svc',
  checkout = join(benchFolder, '..'),
  cpus = undefined,
) {
  const app = mkdtempSync(join(process.env.DBDIR ?? tmpdir(), 'svc-bench-app-'));
  for (const file of [program, 'svc.toml']) copyFileSync(join(benchFolder, 'apps', file), join(app, file));
  const start = ['start', join(app, program), '--host', '127.0.0.1', '--port', '{port}', '--log-level', 'error'];
  const command = [process.execPath, ...options, join(checkout, 'bin/svc.mjs'), ...start, ...flags];
  return startServer(command, { JWT_SECRET: secret, SVC_ENV: 'production', ...env }, cpus);
}

/** Tokens of `count` new users. */
export async function registerUsers(server, count) {
  const tokens = [];
  for (let i = 0; i < count; i++) {
    const answer = await post(server, '/user/register', JSON.stringify({ username: `user${i}`, password }));
    if (typeof answer.access_token !== 'string') throw new Error(`user${i}: ${JSON.stringify(answer)}`);
    tokens.push(answer.access_token);
  }
  return tokens;
}

/** One call outside the measurement. @throws Error when it is not answered with success */
export async function post(server, path, body, token) {
  const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) };
  const response = await fetch(server.base + path, { method: 'POST', headers, body });
  const text = await response.text();
  if (!response.ok) throw new Error(`${path} answered ${response.status}: ${text}`);
  return JSON.parse(text);
}

/** A wrk script that posts `text`, with each of `tokens` in turn, and further headers. */
export function script(name, text, tokens = [], headers = {}) {
  const path = join(scripts, `${name}.lua`);
  const fixed = `wrk.method = "POST"\nwrk.body = '${text}'\nwrk.headers["Content-Type"] = "application/json"\n`;
  const more = Object.entries(headers).map(([header, value]) => `wrk.headers["${header}"] = "${value}"\n`);
  const inTurn =
    `local tokens = {${tokens.map((token) => `"Bearer ${token}"`).join(',')}}\nlocal i = 0\n` +
    `request = function() i = i + 1; wrk.headers["Authorization"] = tokens[i % #tokens + 1]; return wrk.format() end\n`;
  writeFileSync(path, [fixed, ...more, ...(tokens.length === 0 ? [] : [inTurn])].join(''));
  return path;
}
