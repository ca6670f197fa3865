import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { describeStore } from '../../../test/contracts/store.ts';
import { hasNodeSqlite } from './open-driver.ts';
import { openSqliteStore } from './store.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-store-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
let files = 0;
const file = () => join(folder, `${++files}.db`);

describeStore('sqlite, libsql', () => openSqliteStore({ file: file(), durability: 'full', driver: 'libsql' }));
describeStore('sqlite, libsql, slow disk', () =>
  openSqliteStore({ file: file(), durability: 'full', driver: 'libsql', syncMs: 5 }),
);
if (hasNodeSqlite())
  describeStore('sqlite, node:sqlite', () =>
    openSqliteStore({ file: file(), durability: 'full', driver: 'node:sqlite' }),
  );
