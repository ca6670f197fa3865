/** Commands of docs/cloud.md, built and served as the page says. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { needTool } from '../harness/find-tool.ts';
import { repository, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const page = readFileSync(join(repository, 'docs', 'cloud.md'), 'utf8');
const [, program] = /^```svc stream\.svc\n([\s\S]*?)^```$/m.exec(page)!;
const [, address] = /^curl -N -X POST (\S+)$/m.exec(page)!;

test('the address that streams, as the page calls it, beside one that does not', async () => {
  using folder = folderWith({
    'main.svc': program!,
    'svc.toml': '[plugins.scale.cloud]\nstream_function_url = true\n',
  });
  await using server = await startServer({ folder: folder.path, args: ['--emulate'] });
  const { host, pathname } = new URL(address!);
  const to = (where: string) =>
    promisify(execFile)(needTool('curl', 'curl'), ['-sN', '-X', 'POST', '-D', '-', where + pathname]);
  const streamed = await to(`http://${host.replace(/:.*/, `:${server.port}`)}`);
  const buffered = await to(server.base);
  const body = 'data: "line 0"\n\ndata: "line 1"\n\ndata: "line 2"\n\nevent: end\ndata: {}\n\n';
  for (const { stdout } of [streamed, buffered]) expect(stdout.split('\r\n\r\n')[1]).toBe(body);
  expect(streamed.stdout).toMatch(/transfer-encoding: chunked/i);
  expect(buffered.stdout).toMatch(/content-length: \d+/i);
});
