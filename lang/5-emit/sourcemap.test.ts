import { originalPositionFor, TraceMap } from '@jridgewell/trace-mapping';
import { expect, test } from 'vitest';
import { positionAt } from '../source.ts';
import { markAt, print } from './printer.ts';
import { compileFiles, run } from './testing.ts';

test('marks become segments and leave the text', () => {
  const source = { path: 'a.svc', text: 'one\ntwo three' };
  const { code, map } = print([`x\n  ${markAt(0, 4)}y(`, `${markAt(0, 8, 'three')}z);`], 'a.mjs', [source]);
  expect(code).toBe('x\n  y(z);');
  expect(map.mappings).toBe(';EACA,EAAIA');
  expect(map.names).toEqual(['three']);
  expect(map.sources).toEqual(['a.svc']);
});

function original(
  text: string,
  files: Record<string, string>,
  generated: string,
): { source: string | null; text: string } {
  const { code, map } = compileFiles(files).modules[0]!.output;
  const at = code.indexOf(generated);
  expect(at, `${generated} in ${code}`).toBeGreaterThanOrEqual(0);
  const before = code.slice(0, at);
  const line = before.split('\n').length;
  const found = originalPositionFor(new TraceMap(map as any), { line, column: at - (before.lastIndexOf('\n') + 1) });
  const source = files[found.source ?? '']!;
  return {
    source: found.source,
    text: source.split('\n')[found.line! - 1]!.slice(found.column!, found.column! + text.length),
  };
}

test('statements and calls point at their source', () => {
  const files = {
    'main.svc':
      'def f(x: any) -> any {\n  y = g(x);\n  return y.zip(1) + x.nope;\n}\ndef g(x: any) -> any { return x[0]; }',
  };
  expect(original('y = ', files, 'y = g(')).toEqual({ source: 'main.svc', text: 'y = ' });
  expect(original('g(x)', files, 'g(x)')).toEqual({ source: 'main.svc', text: 'g(x)' });
  expect(original('zip', files, '$.callMethod(y, "zip"')).toEqual({ source: 'main.svc', text: 'zip' });
  expect(original('nope', files, '$.getattr(x, "nope")')).toEqual({ source: 'main.svc', text: 'nope' });
  expect(original('x[0]', files, '$.getitem(x, 0)')).toEqual({ source: 'main.svc', text: 'x[0]' });
});

test('bodies from annexes point into the annex', () => {
  const files = {
    'main.svc': 'obj A { def m -> int; }\nwith entry { A().m(); }',
    'main.impl.svc': '\n\nimpl A.m { return helper(1); }\ndef helper(x: int) -> int { return x; }',
  };
  expect(original('helper(1)', files, 'helper(1)')).toEqual({ source: 'main.impl.svc', text: 'helper(1)' });
});

test('an uncaught error carries the frame of the failing expression', async () => {
  const text = 'def f(x: any) -> any {\n  y = 1;\n  return x["k"];\n}\nwith entry { f({}); }';
  const ran = await run({ 'main.svc': text });
  expect(ran.error).toBe("KeyError: 'k'");
  const { map } = compileFiles({ 'main.svc': text }).modules[0]!.output;
  const frame = /main\.mjs:(\d+):(\d+)/.exec(ran.stack ?? '');
  expect(frame).not.toBeNull();
  const found = originalPositionFor(new TraceMap(map as any), {
    line: Number(frame![1]),
    column: Number(frame![2]) - 1,
  });
  expect([found.line, found.column]).toEqual([3, 9]);
  expect(positionAt({ path: 'main.svc', text }, text.indexOf('x["k"]'))).toEqual({ line: 3, column: 10 });
});
