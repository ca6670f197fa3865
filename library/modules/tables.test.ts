import { expect, test } from 'vitest';
import { load, std } from '../registry.ts';
import * as $ from '../values/index-of-runtime.ts';
import { decode, expected, outcome, readTable } from '../values/tables/read-table.ts';
import '../modules.ts';
import { b } from '../builtins/table.ts';

await load('every one');

const folder = new URL('./tables/', import.meta.url);

function checkRows(name: string, run: (row: any[]) => { label: string; actual: unknown; wanted: unknown }): void {
  const wrong: string[] = [];
  for (const row of readTable(name, folder)) {
    const { label, actual, wanted } = run(row);
    const [left, right] = [JSON.stringify(actual), JSON.stringify(wanted)];
    if (left !== right) wrong.push(`${label}: ${left} instead of ${right}`);
  }
  expect(wrong).toEqual([]);
}

test('math, json, statistics, itertools, base64, string', () => {
  checkRows('modules', ([module, name, args, kwargs, cell]) => ({
    label: `${module}.${name}(${JSON.stringify(args)}, ${JSON.stringify(kwargs)})`,
    actual: outcome(() => {
      const given = Object.fromEntries(Object.entries(kwargs).map(([key, value]) => [key, decode(value)]));
      const result = $.callkw(std(module)[name], decode(args), given);
      return module === 'itertools' ? b['list']($.callMethod(std('itertools'), 'islice', result, 30)) : result;
    }),
    wanted: expected(cell),
  }));
});

const regex: Record<string, (re: any, pattern: any, subject: any) => unknown> = {
  search: (re, p, s) => {
    const m = re.search(p, s);
    return m === null
      ? null
      : [...['group', 'groups', 'span', 'groupdict'].map((name) => $.callMethod(m, name)), m.lastindex];
  },
  match: (re, p, s) => {
    const m = re.match(p, s);
    return m === null ? null : [$.callMethod(m, 'group'), $.callMethod(m, 'span')];
  },
  fullmatch: (re, p, s) => re.fullmatch(p, s) !== null,
  findall: (re, p, s) => re.findall(p, s),
  split: (re, p, s) => re.split(p, s),
  sub: (re, p, s) => re.sub(p, '<\\g<0>>', s),
  sub3: (re, [p, replacement], s) => re.sub(p, replacement, s),
  error: (re, p) => {
    re.compile(p);
    return null;
  },
  escape: (re, text) => re.escape(text),
};

test('re', () => {
  checkRows('re', ([name, pattern, subject, cell]) => ({
    label: `${name} ${JSON.stringify(pattern)} on ${JSON.stringify(subject)}`,
    actual: outcome(() => regex[name]!(std('re'), pattern, subject)),
    wanted: expected(cell),
  }));
});

test('datetime', () => {
  const { datetime, timedelta } = std('datetime');
  const at = (parts: unknown[]) => $.call(datetime, ...parts);
  const run = (o: unknown, name: string, ...args: unknown[]) => $.callMethod(o, name, ...args);
  const text = (x: unknown) => $.str(x);
  const cases: Record<string, (x: any, y: any) => unknown> = {
    strftime: (x, y) => run(at(x), 'strftime', y),
    iso: (x) => {
      const d = at(x);
      const shown = [
        run(d, 'isoformat'),
        text(d),
        $.repr(d),
        run(d, 'isoformat', ' ', 'minutes'),
        $.callMethodKw(d, 'isoformat', [], { timespec: 'milliseconds' }),
      ];
      return [
        ...shown,
        run(d, 'toordinal'),
        run(d, 'weekday'),
        run(d, 'isoweekday'),
        [...run(d, 'isocalendar')],
        run(d, 'ctime'),
      ];
    },
    strptime: (x, y) => run(run(datetime, 'strptime', x, y), 'isoformat'),
    fromisoformat: (x) => $.repr(run(datetime, 'fromisoformat', x)),
    timedelta: (x) => {
      const d = $.callkw(
        timedelta,
        [],
        Object.fromEntries(Object.entries(x).map(([key, value]) => [key, decode(value)])),
      );
      const parts = ['days', 'seconds', 'microseconds'].map((name) => $.getattr(d, name));
      return [
        text(d),
        $.repr(d),
        ...parts,
        run(d, 'total_seconds'),
        text($.neg(d)),
        text(b['abs'](d)),
        text($.mul(d, 2)),
        text($.div(d, 3)),
        $.truth(d),
      ];
    },
    minus: (x, y) => [text($.sub(at(x), at(y))), $.lt(at(x), at(y)), $.eq(at(x), at(y))],
    plus: (x, y) => text($.add(at(x), $.callkw(timedelta, [], y))),
    make: (x) => text(at(x)),
  };
  checkRows('datetime', ([name, x, y, cell]) => ({
    label: `${name} ${JSON.stringify(x)} ${JSON.stringify(y)}`,
    actual: outcome(() => cases[name]!(x, y)),
    wanted: expected(cell),
  }));
});
