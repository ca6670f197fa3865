/** `svc start --emulate` as its clients see it, where functions differ from a server (docs/cloud.md#what-is-different-there). */
import { expect, test } from 'vitest';
import { post, startServer } from '../harness/server.ts';
import { playSession } from '../harness/socket-session.ts';
import { folderWith } from '../harness/svc-process.ts';

const program = `
import asyncio;
glob ended: list[str] = [];

async def end_later(name: str) -> None { await asyncio.sleep(0.2); ended.append(name); }

walker :pub Note {
    can note with Root entry { on_commit(lambda: end_later("noted")); report 1; }
}
walker :pub Ended { can look with Root entry { report ended; } }
walker :pub Stuck { async can wait with Root entry { await asyncio.Future(); } }

@restspec(protocol=APIProtocol.WEBSOCKET)
async walker :pub StuckWs {
    has n: int = 0;
    async can wait with Root entry { if self.n > 0 { await asyncio.Future(); } report "at once"; }
}
@restspec(protocol=APIProtocol.WEBSOCKET)
async walker Private { has n: int = 0; can go with Root entry { report 1; } }
`;

const settings = `
[plugins.scale.metrics]
enabled = true
[plugins.scale.websocket]
auth_timeout_seconds = 1
[plugins.scale.cloud]
timeout_seconds = 2
websocket_timeout_seconds = 2
`;

test('what a commit brings along is over before the answer, calls and messages end in time, nothing is scraped', async () => {
  using folder = folderWith({ 'main.svc': program, 'svc.toml': settings });
  await using server = await startServer({ folder: folder.path, args: ['--emulate'] });
  const { base } = server;
  expect((await post(base, '/walker/Note', {})).status).toBe(200);
  expect((await post(base, '/walker/Ended', {})).data.reports).toEqual([['noted']]);
  const stuck = await post(base, '/walker/Stuck', {});
  expect([stuck.status, stuck.error.code]).toEqual([504, 'EXECUTION_TIMEOUT']);
  expect((await fetch(`${base}/metrics`)).status).toBe(404);

  const gateway = { base, sockets: base, closesWithOwnCodes: false };
  const session = `A connect /?walker=StuckWs
A> {"n": 0}
A< {"ok": true}
A> {"n": 1}
A< {"ok": false, "error": {"code": "EXECUTION_TIMEOUT"}}
A> {"n": 0}
A< {"ok": true}
B connect /?walker=Private
sleep 1200
B> {"n": 0}
B< {"ok": false, "error": {"code": "UNAUTHORIZED", "reason": "missing"}}
B closed 4401 missing
`;
  expect(await playSession(session, gateway, new Map())).toEqual([]);
});

test('instances over one store keep to one rate together', async () => {
  using folder = folderWith({ 'main.svc': program });
  const env = {
    SVC_RATE_LIMIT_ENABLED: 'true',
    SVC_RATE_LIMIT_REQUESTS_PER_MINUTE: '3',
    SVC_RATE_LIMIT_BURST: '3',
  };
  await using first = await startServer({ folder: folder.path, args: ['--emulate'], env });
  await using second = await startServer({ folder: folder.path, args: ['--emulate'], env });
  const statuses: number[] = [];
  for (const { base } of [first, second, first, second]) statuses.push((await post(base, '/walker/Ended', {})).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
});
