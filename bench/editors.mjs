// E3: `svc lsp` beside `typescript-language-server`, over pipes and in the same rounds, on the same program in both languages: copies of the forty
// components of apps/client-large.svc and baselines/client-large.jsx, 10,000 lines each. A name that nothing declares is typed into one file; how long
// until the diagnostics that name it are there, how long until completion behind such an edit is answered. The next one is asked when both servers
// have been at rest for 300 ms. Processor time, of all threads of a server and of what it started, is told as well. ROUNDS (60), WARM (10).
import { spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { allSeconds } from './lib/server.mjs';

const root = join(import.meta.dirname, '..');
const { createProtocolConnection, StreamMessageReader, StreamMessageWriter } = createRequire(
  join(root, 'package.json'),
)('vscode-languageserver-protocol/node');
const rounds = Number(process.env.ROUNDS ?? 60);
const warm = Number(process.env.WARM ?? 10);
const cache = join(root, 'node_modules/.cache');
mkdirSync(cache, { recursive: true });
const folder = mkdtempSync(join(cache, 'svc-editors-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

function largeProgram(name, source, extension, more) {
  const text = readFileSync(join(root, 'bench', source), 'utf8');
  const at = join(folder, name);
  const count = Math.ceil(10_000 / text.split('\n').length);
  const paths = Array.from({ length: count }, (_, i) => join(at, `part${i}`, `office${i}${extension}`));
  for (const path of paths) {
    mkdirSync(join(path, '..'), { recursive: true });
    writeFileSync(path, text);
  }
  for (const [file, content] of Object.entries(more(paths))) writeFileSync(join(at, file), content);
  return { at, paths, text };
}

const ours = largeProgram('ours', 'apps/client-large.svc', '.svc', (paths) => ({
  'svc.toml': '[project]\nname = "large"\nversion = "1.0.0"\nentry-point = "main.svc"\n',
  'main.svc': paths.map((_, i) => `import "./part${i}/office${i}.svc";\n`).join(''),
}));
const theirs = largeProgram('theirs', 'baselines/client-large.jsx', '.jsx', () => ({
  'jsconfig.json': JSON.stringify({
    compilerOptions: {
      checkJs: true,
      target: 'esnext',
      jsx: 'react-jsx',
      module: 'esnext',
      moduleResolution: 'bundler',
      noEmit: true,
    },
    include: ['**/*.jsx'],
  }),
}));

async function startServer(command, args, { at, paths, text }, languageId, initializationOptions) {
  const child = spawn(process.execPath, [command, ...args], { stdio: ['pipe', 'pipe', 'inherit'], cwd: at });
  child.on('exit', (code) => {
    if (code !== 0 && code !== null) throw new Error(`${command} ended with ${code}`);
  });
  const connection = createProtocolConnection(
    new StreamMessageReader(child.stdout),
    new StreamMessageWriter(child.stdin),
  );
  const listeners = new Set();
  connection.onNotification('textDocument/publishDiagnostics', (params) => {
    for (const listen of [...listeners]) listen(params);
  });
  connection.onRequest('workspace/configuration', ({ items }) => items.map(() => null));
  connection.onRequest('client/registerCapability', () => null);
  connection.onRequest('window/workDoneProgress/create', () => null);
  connection.listen();
  const rootUri = pathToFileURL(at).href;
  await connection.sendRequest('initialize', {
    processId: process.pid,
    rootUri,
    workspaceFolders: [{ uri: rootUri, name: 'large' }],
    capabilities: { textDocument: { publishDiagnostics: {}, completion: {} } },
    initializationOptions,
  });
  await connection.sendNotification('initialized', {});
  const [path] = paths;
  const uri = pathToFileURL(path).href;
  await connection.sendNotification('textDocument/didOpen', {
    textDocument: { uri, languageId, version: 1, text },
  });
  let version = 1;
  const lines = text.split('\n');
  /** Inserts a line of its own behind a line of a component, before it returns its markup. */
  const edit = (line, inserted) => {
    version += 1;
    const textOfEdit = [...lines.slice(0, line + 1), inserted, ...lines.slice(line + 1)].join('\n');
    void connection.sendNotification('textDocument/didChange', {
      textDocument: { uri, version },
      contentChanges: [{ text: textOfEdit }],
    });
  };
  return {
    /** Milliseconds on a processor so far; undefined while a thread comes or goes. */
    busy() {
      try {
        return allSeconds(child.pid) * 1000;
      } catch {
        return undefined;
      }
    },
    places: lines.flatMap((one, i) => (/^ +return <|^ +return \($/.test(one) ? [i - 1] : [])),
    async diagnostics(line, name) {
      const found = new Promise((resolve, reject) => {
        const late = () => reject(new Error(`${languageId}: nothing is said of ${name} in line ${line + 2}`));
        const timer = setTimeout(late, 60_000);
        const listen = (params) => {
          if (params.uri !== uri || !params.diagnostics.some(({ message }) => message.includes(name))) return;
          listeners.delete(listen);
          clearTimeout(timer);
          resolve();
        };
        listeners.add(listen);
      });
      const began = performance.now();
      edit(line, `    print(${name});`.replace('print', languageId === 'svc' ? 'print' : 'console.log'));
      await found;
      return performance.now() - began;
    },
    async completion(line, name) {
      const began = performance.now();
      const inserted = languageId === 'svc' ? `    print(${name}, math.` : `    console.log(${name}, Math.`;
      edit(line, `${inserted});`);
      const position = { line: line + 1, character: inserted.length };
      const answer = await connection.sendRequest('textDocument/completion', { textDocument: { uri }, position });
      const items = answer?.items ?? answer ?? [];
      if (!items.some(({ label }) => label === 'floor')) throw new Error(`${languageId}: no member is offered`);
      return performance.now() - began;
    },
    async end() {
      await connection.sendRequest('shutdown');
      await connection.sendNotification('exit');
      child.kill();
    },
  };
}

const servers = {
  'svc lsp': await startServer(join(root, 'bin/svc.mjs'), ['lsp'], ours, 'svc'),
  'typescript-language-server': await startServer(
    join(root, 'bench/node_modules/typescript-language-server/lib/cli.mjs'),
    ['--stdio'],
    theirs,
    'javascriptreact',
    { tsserver: { path: join(root, 'bench/node_modules/typescript5/lib/tsserver.js') } },
  ),
};
const busyOf = () => Object.values(servers).reduce((sum, { busy }) => sum + busy(), 0);
/** Waits until nobody works: the diagnostics of the last edit, which its completion did not wait for, would slow down what is asked next. */
async function rest() {
  for (let before = busyOf(), stills = 0; stills < 3; ) {
    await new Promise((resolve) => setTimeout(resolve, 100));
    const now = busyOf();
    stills = now - before < 3 ? stills + 1 : 0;
    before = now;
  }
}

const kinds = ['diagnostics', 'completion'];
const times = Object.fromEntries(Object.keys(servers).map((name) => [name, { diagnostics: [], completion: [] }]));
const processorTimes = structuredClone(times);
let count = 0;
for (let round = -warm; round < rounds; round += 1)
  for (const [name, server] of Object.entries(servers))
    for (const what of kinds) {
      await rest();
      const place = server.places[Math.abs(round * 7) % server.places.length];
      const before = server.busy();
      const time = await server[what](place, `unheard${(count += 1)}`);
      const busy = server.busy() - before;
      if (round < 0) continue;
      times[name][what].push(time);
      if (!Number.isNaN(busy)) processorTimes[name][what].push(busy);
    }
for (const server of Object.values(servers)) await server.end();

const at = (list, share) => list.toSorted((a, b) => a - b)[Math.floor((list.length - 1) * share)];
for (const [name, { paths, text }] of [
  ['svc', ours],
  ['JavaScript with types', theirs],
])
  console.log(`${name}: ${paths.length * text.split('\n').length} lines, ${paths.length} files`);
const percentiles = (list) => [0.5, 0.95].map((share) => at(list, share));
const inWords = ([median, late]) => `p50 ${median.toFixed(1)} ms, p95 ${late.toFixed(1)} ms`;
for (const what of kinds) {
  const [mine, other] = Object.keys(servers).map((name) => percentiles(times[name][what]));
  for (const [name, found] of [
    ['svc lsp', mine],
    ['typescript-language-server', other],
  ])
    console.log(
      `${what}, ${name}: ${inWords(found)}; processor time ${inWords(percentiles(processorTimes[name][what]))}`,
    );
  console.log(`  ratio: ${(mine[0] / other[0]).toFixed(2)} and ${(mine[1] / other[1]).toFixed(2)}`);
}
