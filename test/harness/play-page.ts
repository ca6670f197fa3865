/** Does what a page for readers says, as its reader would: files are written, commands typed, answers compared (see page-blocks.ts). */
import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { needTool } from './find-tool.ts';
import { type Action, fits, parsePage, patternAmong, type Shown } from './page-blocks.ts';
import { runSvc, svcBin } from './server.ts';
import { type SvcProcess, spawnSvc } from './svc-process.ts';

/** Address of the server in the text of pages. */
const said = 'localhost:8000';

/**
 * Plays a page. A line `svc start …` serves from then on, unless it only prints (`--faux`, `--help`, `--dry-run`), in place of what was served before; `localhost:8000` is its address. Other commands
 * share one shell, so variables are kept.
 *
 * @throws Error naming the line of the page that does not hold
 */
export async function playPage(path: string): Promise<void> {
  const reader = openReader();
  try {
    for (const action of parsePage(readFileSync(path, 'utf8'))) {
      try {
        await reader.act(action);
      } catch (error) {
        throw new Error(`${path}:${action.line}: ${(error as Error).message}`, { cause: error });
      }
    }
    await reader.check();
  } finally {
    await reader.close();
  }
}

interface Reader {
  act(action: Action): Promise<void>;
  /** Checks the files that were written since the last time. */
  check(): Promise<void>;
  close(): Promise<void>;
}

function openReader(): Reader {
  const base = mkdtempSync(join(tmpdir(), 'svc-page-'));
  let folder = '';
  let serial = 0;
  let unchecked: string[] = [];
  const shell = openShell(base);
  let server: SvcProcess | undefined;
  // Kept when the server is started again: variables and functions of the shell may hold it.
  let host = '';

  async function newFolder(): Promise<void> {
    await check();
    await stop();
    serial += 1;
    folder = join(base, `app-${serial}`);
    mkdirSync(folder);
    await shell.type(`cd ${folder}`);
  }

  /** The folder is the one the reader is in: the page may have changed it. */
  const here = async () => (await shell.type('pwd')).trim();

  async function write(name: string, text: string): Promise<string> {
    const file = join(await here(), name);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    return file;
  }

  async function check(): Promise<void> {
    const files = unchecked;
    unchecked = [];
    if (files.length === 0) return;
    const { code, stdout, stderr } = await runSvc(['check', ...files], { cwd: await here() });
    if (code !== 0 || /^warning/m.test(stdout)) throw new Error(`svc check ${files.join(' ')}:\n${stdout}${stderr}`);
  }

  async function stop(): Promise<void> {
    server?.kill();
    await server?.exited;
    server = undefined;
  }

  async function start(args: readonly string[]): Promise<string> {
    await stop();
    const port = host.split(':')[1] ?? '0';
    // The log is written as on a terminal.
    const env = { SVC_LOGGING_FORMAT: 'text' };
    server = spawnSvc(['start', ...args, '--port', port, '--host', '127.0.0.1'], { cwd: await here(), env });
    await server.until(/Server ready in/);
    host = /http:\/\/(localhost:\d+)/.exec(server.stdout())![1]!;
    return server.stdout();
  }

  /** Types the lines of a block; gives what a reader sees, of the server's own terminal only where the block is nothing else. */
  async function typeAll(text: string): Promise<string> {
    let shown = '';
    let banner = '';
    let isOther = false;
    let lines: string[] = [];
    const flush = async () => {
      const script = lines.join('\n');
      isOther ||= lines.some((line) => /^\s*[^#\s]/.test(line));
      lines = [];
      shown += await shell.type(host === '' ? script : script.replaceAll(said, host));
    };
    for (const line of text.split('\n')) {
      const started = /^svc start\b(?!.*--(?:faux|help|dry-run))([^#]*)/.exec(line)?.[1];
      if (started === undefined) lines.push(line);
      else {
        await flush();
        banner += await start(started.split(' ').filter((word) => word !== '' && word !== '&'));
      }
    }
    await flush();
    const seen = (isOther ? shown : banner).replace(takenPort, '');
    return host === '' ? seen : seen.replaceAll(host, said);
  }

  function compare(shown: Shown | undefined, printed: string): void {
    if (shown === undefined || fits(shown, printed)) return;
    throw new Error(`line ${shown.line} shows\n${shown.text}but what comes is\n${printed}`);
  }

  async function act(action: Action): Promise<void> {
    if (folder === '' || action.kind === 'folder') await newFolder();
    if (action.kind === 'file') {
      await write(action.name, action.text);
      if (action.name.endsWith('.svc') && !action.isWrong) unchecked.push(action.name);
      return;
    }
    await check();
    if (action.kind === 'program') {
      const file = await write('snippet.svc', action.text);
      unchecked.push('snippet.svc');
      await check();
      const { code, stdout, stderr } = await runSvc(['run', 'snippet.svc', '--no-persist'], { cwd: await here() });
      if (code !== 0) throw new Error(`svc run:\n${stdout}${stderr}`);
      compare(action.shown, stdout);
      rmSync(file);
    } else if (action.kind === 'terminal') {
      if (server === undefined) throw new Error('there is no server');
      await server.until(patternAmong(action.shown));
    } else if (action.kind === 'shell') {
      compare(action.shown, await typeAll(action.text));
    }
  }

  return {
    act,
    check,
    async close() {
      await stop();
      await shell.close();
      rmSync(base, { recursive: true, force: true });
    },
  };
}

/** Line that a debugger says first when another one, as that of a test beside this one, has the usual port. */
const takenPort = /^svc: port \d+ is taken: the inspector listens on \d+\n/gm;

interface Shell {
  /** Everything that the commands print. @throws Error when the last one fails and prints nothing */
  type(script: string): Promise<string>;
  close(): Promise<void>;
}

/** One bash for a page, in which `svc` is this one and `curl` draws no progress. */
function openShell(folder: string): Shell {
  needTool('curl', 'curl');
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  writeFileSync(join(bin, 'svc'), `#!/bin/sh\nexec '${process.execPath}' '${svcBin}' "$@"\n`);
  chmodSync(join(bin, 'svc'), 0o755);
  const { SVC_ENV: _, ...env } = process.env;
  const child = spawn('bash', ['--norc'], {
    cwd: folder,
    env: { ...env, PATH: `${bin}:${env['PATH']}`, NO_COLOR: '1' },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = new Promise<void>((resolve) => child.on('close', () => resolve()));
  let printed = '';
  let wake = () => {};
  child.stdout.on('data', (chunk) => {
    printed += chunk;
    wake();
  });
  child.stdin.write('exec 2>&1\ncurl() { command curl -sS "$@"; }\n');
  let serial = 0;
  return {
    async type(script) {
      serial += 1;
      const file = join(folder, `block-${serial}.sh`);
      const end = `\n--- end of block ${serial}: `;
      writeFileSync(file, `${script}\n`);
      child.stdin.write(`. ${file} </dev/null\nprintf '${end.replaceAll('\n', '\\n')}%s\\n' $?\n`);
      for (;;) {
        const at = printed.indexOf(end);
        const done = at < 0 ? null : /^(\d+)\n/.exec(printed.slice(at + end.length));
        if (done !== null) {
          const text = printed.slice(0, at);
          printed = printed.slice(at + end.length + done[0].length);
          if (done[1] !== '0' && text.trim() === '') throw new Error(`ended with ${done[1]}:\n${script}`);
          return text;
        }
        if (child.exitCode !== null) throw new Error(`the shell ended:\n${printed}`);
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
    async close() {
      child.stdin.end();
      await exited;
    },
  };
}
