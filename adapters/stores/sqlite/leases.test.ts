import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import { describeExportWhileWriting } from '../../../test/contracts/archive.ts';
import { describeLeases } from '../../../test/contracts/leases.ts';
import { openSqliteStore } from './store.ts';

const folder = mkdtempSync(join(tmpdir(), 'svc-leases-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open = (name: string, nowMs = Date.now) =>
  openSqliteStore({ file: join(folder, `${name}.db`), durability: 'full', shared: true, nowMs });

describeLeases('sqlite', open);
describeExportWhileWriting('sqlite', true, open);
