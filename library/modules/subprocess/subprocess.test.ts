import { expect, test } from 'vitest';
import { makeModule } from '../../builtins/module.ts';
import * as $ from '../../values/index-of-runtime.ts';
import { makeSubprocess } from './subprocess.ts';

const subprocess = makeModule('subprocess', makeSubprocess());
const node = process.execPath;
const script = (code: string) => [node, '-e', code];
const run = (args: unknown, kwargs: Record<string, unknown> = {}) => $.callkw(subprocess.run, [args], kwargs);

test('run: status and output', async () => {
  const done = await run(script('console.log("hi"); console.error("err"); process.exit(3)'), {
    capture_output: true,
    text: true,
  });
  expect([done.returncode, done.stdout, done.stderr]).toEqual([3, 'hi\n', 'err\n']);
  expect($.repr(await run(['true']))).toBe("CompletedProcess(args=['true'], returncode=0)");
  const bytes = await run(['printf', 'a\\nb'], { stdout: subprocess.PIPE });
  expect($.repr(bytes.stdout)).toBe("b'a\\nb'");
  expect(bytes.stderr).toBeNull();
});

test('input, environment, folder, shell', async () => {
  expect((await run(['cat'], { input: 'text', capture_output: true, text: true })).stdout).toBe('text');
  expect(
    (
      await run('echo $X; pwd', {
        shell: true,
        capture_output: true,
        text: true,
        cwd: '/',
        env: $.Dict.of('X', 'v', 'PATH', process.env['PATH']),
      })
    ).stdout,
  ).toBe('v\n/\n');
  const merged = await run(script('console.log(1); console.error(2)'), {
    stdout: subprocess.PIPE,
    stderr: subprocess.STDOUT,
    text: true,
  });
  expect([merged.stdout, merged.stderr]).toEqual(['1\n2\n', null]);
  expect(await $.callkw(subprocess.check_output, [['echo', 'x']], { text: true })).toBe('x\n');
  expect($.repr(await $.call(subprocess.getstatusoutput, 'echo a; exit 2'))).toBe("(2, 'a')");
  expect(await $.call(subprocess.call, ['false'])).toBe(1);
});

test('failures', async () => {
  const failed: any = await run(['false'], { check: true }).catch((e: unknown) => e);
  expect($.str(failed)).toBe("Command '['false']' returned non-zero exit status 1.");
  expect([failed.returncode, $.excMatch(failed, subprocess.CalledProcessError)]).toEqual([1, true]);
  const late: any = await run(['sleep', '20'], { timeout: 0.05 }).catch((e: unknown) => e);
  expect($.str(late)).toBe("Command '['sleep', '20']' timed out after 0.05 seconds");
  await expect(run(['/no/such/program'])).rejects.toBeInstanceOf($.FileNotFoundError);
  await expect(run(['no-such-program-here'])).rejects.toThrow(
    "[Errno 2] No such file or directory: 'no-such-program-here'",
  );
  await expect(run(['true'], { cwd: '/no/such/folder' })).rejects.toBeInstanceOf($.FileNotFoundError);
  const killed = await run(script('process.kill(process.pid, "SIGKILL")'));
  expect(killed.returncode).toBe(-9);
  expect(() => killed.check_returncode()).toThrow('died with <Signals.SIGKILL: 9>.');
});

test('the event loop goes on while a child runs', async () => {
  let ticks = 0;
  const timer = setInterval(() => (ticks += 1), 5);
  await run(['sleep', '0.2']);
  clearInterval(timer);
  expect(ticks).toBeGreaterThan(3);
});

test('Popen', async () => {
  const p = $.callkw(subprocess.Popen, [['cat']], { stdin: subprocess.PIPE, stdout: subprocess.PIPE, text: true });
  expect([$.callMethod(p, 'poll'), typeof p.pid]).toEqual([null, 'number']);
  $.callMethod(p.stdin, 'write', 'one\ntwo\n');
  expect(await $.callMethod(p.stdout, 'readline')).toBe('one\n');
  expect($.repr(await $.callMethod(p, 'communicate', 'three'))).toBe("('two\\nthree', None)");
  expect(await $.callMethod(p, 'wait')).toBe(0);
  const slow = $.call(subprocess.Popen, ['sleep', '20']);
  await expect($.callMethodKw(slow, 'wait', [], { timeout: 0.02 })).rejects.toBeInstanceOf(subprocess.TimeoutExpired);
  $.callMethod(slow, 'terminate');
  expect(await $.callMethod(slow, 'wait')).toBe(-15);
});
