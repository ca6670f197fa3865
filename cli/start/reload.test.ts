/** Reloading beside a development server of pages: what that is told, and when. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from '../../adapters/config/read-config.ts';
import { createKeptFiles } from '../../lang/project/kept-files.ts';
import { folderWith } from '../../test/harness/svc-process.ts';
import type { LiveClient } from '../client/live-client.ts';
import type { Terminal } from '../terminal.ts';
import { type Reloading, startReloading } from './reload.ts';

const program = (title: string) => `walker:pub Ask { can go with Root entry { report 1; } }
def:pub app() -> JsxElement { return <h1>${title}</h1>; }
`;

let folder: ReturnType<typeof folderWith>;
let told: string[];
let reloading: Reloading;
let changed = () => {};

beforeEach(() => {
  folder = folderWith({ 'main.svc': program('one') });
  told = [];
});
afterEach(() => {
  reloading.close();
  folder[Symbol.dispose]();
});

/** Begins to reload a program whose digest alone is known, as after a start with what an earlier process compiled. */
function begin(digest: string): void {
  const note = (what: string) => {
    told.push(what);
    changed();
  };
  const live = {
    has: () => true,
    glance: async () => note('shown before the server is compiled'),
    update: () => note('shown'),
    show: () => {},
  } as unknown as LiveClient;
  const read = () =>
    readConfig({ startDir: folder.path, cwd: folder.path, env: { SVC_ENV: 'development' }, isTerminal: false });
  reloading = startReloading({
    terminal: { cwd: folder.path, err: () => {}, out: () => {}, env: {} } as unknown as Terminal,
    file: join(folder.path, 'main.svc'),
    config: read().config,
    readConfig: read,
    offer: async ({ digest: next }) => {
      note(`served ${next}`);
      return undefined;
    },
    print: () => {},
    kept: createKeptFiles(),
    findings: { all: async () => [], areTold: () => true },
    client: { mode: 'development', app: 'app' },
    running: { digest },
    serves: () => true,
    live,
  });
}

async function save(title: string, until: string): Promise<readonly string[]> {
  told = [];
  writeFileSync(join(folder.path, 'main.svc'), program(title));
  while (told.at(-1) !== until) await new Promise<void>((resolve) => (changed = resolve));
  return told;
}

test('after a cached start the first save of a file with both halves is shown before the server is compiled', async () => {
  begin('none');
  const [served] = await save('two', 'shown');
  const digest = served!.replace('served ', '');
  reloading.close();
  begin(digest);
  await reloading.warm();
  expect(await save('three', 'shown')).toEqual(['shown before the server is compiled', 'shown']);
});
