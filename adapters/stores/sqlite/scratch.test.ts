/** Room on the disk that nobody sees. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { folderWith } from '../../../test/harness/svc-process.ts';
import { hasNodeSqlite } from './open-driver.ts';
import { openScratch } from './scratch.ts';

test.each(['libsql', ...(hasNodeSqlite() ? (['node:sqlite'] as const) : [])] as const)(
  'nothing of it is in the folder, while it is written and after it: %s',
  (driver) => {
    using folder = folderWith({});
    const { sql, close } = openScratch(join(folder.path, 'rows'), 'CREATE TABLE t (n INTEGER, text TEXT)', driver);
    // More than it holds in memory.
    for (let n = 0; n < 40; n++) sql('INSERT INTO t VALUES (?, ?)').run(n, 'x'.repeat(1_000_000));
    expect(readdirSync(folder.path)).toEqual([]);
    expect(sql('SELECT count(*) FROM t').value()).toBe(40);
    close();
    expect(readdirSync(folder.path)).toEqual([]);
  },
);
