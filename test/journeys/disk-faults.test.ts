/**
 * A disk that refuses system calls (docs/server/storage.md#commit-points, docs/server/storage.md#guarantees): what was
 * answered is there after the process was killed, what could not be made durable was never answered, and the process
 * lives. The faults are injected by `strace`; each case proves that its fault fired.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { post, register, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { type Fault, startTraced } from '../harness/traced-server.ts';

const app = `node Task { has title: str; has pad: str = ""; }
walker Add {
    has title: str;
    can go with Root entry {
        here ++> Task(title=f"{self.title}-left", pad="x" * 3000);
        here ++> Task(title=f"{self.title}-right", pad="y" * 3000);
        report "added";
    }
}
walker Titles { can go with Root entry { report [t.title for t in [-->[?:Task]]]; } }
walker:pub Ping { can go with Root entry { report "pong"; } }
`;

const writes = 'write,pwrite64,pwritev,pwritev2';
const syncs = 'fsync,fdatasync,sync_file_range,msync';

interface Case extends Fault {
  readonly what: string;
  /** Every such call fails from then on, so nothing may be answered any more. */
  readonly isFinal: boolean;
  /** The calls happen when the log is put into the database, at the end of the process. */
  readonly atEnd?: boolean;
}

const cases: readonly Case[] = [
  { what: 'a disk that stays full', calls: writes, error: 'ENOSPC', when: '120+', isFinal: true },
  { what: 'a disk that is full for a while', calls: writes, error: 'ENOSPC', when: '120..123', isFinal: false },
  { what: 'writes that fail', calls: writes, error: 'EIO', when: '120+', isFinal: true },
  { what: 'a write that fails once', calls: writes, error: 'EIO', when: '121', isFinal: false },
  { what: 'syncs that fail', calls: syncs, error: 'EIO', when: '3+', isFinal: true },
  { what: 'a sync that fails once', calls: syncs, error: 'EIO', when: '20', isFinal: false },
  { what: 'syncs that fail for a while', calls: syncs, error: 'EIO', when: '12..16', isFinal: false },
  { what: 'truncating the log', calls: 'ftruncate', error: 'EIO', when: '1+', isFinal: false, atEnd: true },
  { what: 'syncing the database', file: 'svc.db', calls: syncs, error: 'EIO', when: '1+', isFinal: false, atEnd: true },
  {
    what: 'writing the database',
    file: 'svc.db',
    calls: writes,
    error: 'EIO',
    when: '1+',
    isFinal: false,
    atEnd: true,
  },
];

for (const fault of cases) {
  test(`${fault.what} (${fault.calls}: ${fault.error}): no answered write is lost`, async () => {
    using folder = folderWith({ 'main.svc': app });
    let token = '';
    {
      await using server = await startServer({ folder: folder.path });
      token = (await register(server.base, 'ada')).token;
      expect((await post(server.base, '/walker/Add', { title: 'before' }, token)).ok).toBe(true);
      await server.stop();
    }
    const acknowledged = ['before'];
    const refused: any[] = [];
    {
      await using server = await startTraced({ folder: folder.path, fault });
      for (let i = 0; i < (fault.atEnd === true ? 20 : 120) && refused.length < 6; i++) {
        const answer = await post(server.base, '/walker/Add', { title: `t${i}` }, token);
        if (answer.ok) acknowledged.push(`t${i}`);
        else refused.push(answer);
        if (fault.isFinal && server.injected() > 0) expect(answer.ok, 'nothing gets to this disk any more').toBe(false);
      }
      for (const { status, error } of refused) expect([status, error.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
      if (fault.atEnd !== true) {
        expect(server.injected(), 'the fault must have fired').toBeGreaterThan(0);
        expect((await post(server.base, '/walker/Ping')).reports).toEqual(['pong']);
        // Reading goes on, and shows nothing that was torn.
        requireWhole((await post(server.base, '/walker/Titles', {}, token)).reports[0]);
        if (!fault.isFinal) expect((await post(server.base, '/walker/Add', { title: 'after' }, token)).ok).toBe(true);
        if (!fault.isFinal) acknowledged.push('after');
        await server.stop('SIGKILL');
      } else {
        await server.stop();
        expect(server.injected(), 'the fault must have fired').toBeGreaterThan(0);
      }
    }
    await sleep(50);
    await using server = await startServer({ folder: folder.path });
    const titles: string[] = (await post(server.base, '/walker/Titles', {}, token)).reports[0];
    requireWhole(titles);
    for (const title of acknowledged) expect(titles).toContain(`${title}-left`);
    expect(new Set(titles).size).toBe(titles.length);
    await server.stop();
  });
}

/** Both halves of every unit. */
function requireWhole(titles: readonly string[]): void {
  const halves = (side: string) =>
    titles.filter((title) => title.endsWith(side)).map((title) => title.slice(0, -side.length));
  expect(halves('-left')).toEqual(halves('-right'));
}
