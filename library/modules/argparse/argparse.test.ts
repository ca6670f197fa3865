import { beforeAll, beforeEach, expect, test } from 'vitest';
import { makeModule } from '../../builtins/module.ts';
import { load } from '../../registry.ts';
import * as $ from '../../values/index-of-runtime.ts';
import '../../modules.ts';
import { setOutput } from '../../builtins/output.ts';
import { b } from '../../builtins/table.ts';
import { cases, helps } from '../tables/argparse.ts';
import { makeArgparse } from './argparse.ts';

const argparse = makeModule('argparse', makeArgparse());
let [out, err] = ['', ''];
beforeAll(() => load('sys'));
beforeEach(() => {
  process.env['COLUMNS'] = '80';
  [out, err] = ['', ''];
  setOutput({ out: (text) => (out += text), err: (text) => (err += text) });
});

const add = (p: unknown, flags: string[], options: Record<string, unknown> = {}) =>
  $.callMethodKw(p, 'add_argument', flags, options);

function tool(): any {
  const p = $.callkw(argparse.ArgumentParser, [], {
    prog: 'tool',
    description: 'Does a thing with many words so that the description has to be wrapped somewhere near the end.',
    epilog: 'The end.',
  });
  add(p, ['file'], { help: 'input file' });
  add(p, ['rest'], { nargs: '*', type: b['int'] });
  add(p, ['-v', '--verbose'], { action: 'count', default: 0, help: 'more output' });
  add(p, ['-o', '--output'], { metavar: 'PATH', help: 'where to (default: %(default)s)', default: 'out.txt' });
  add(p, ['--level'], { type: b['int'], choices: [1, 2, 3], default: 1 });
  add(p, ['--flag'], { action: 'store_true' });
  add(p, ['--pair'], { nargs: 2, metavar: $.tuple('A', 'B') });
  add(p, ['--tag'], { action: 'append' });
  add(p, ['--opt'], { nargs: '?', const: 'c' });
  add(p, ['--cache'], { action: argparse.BooleanOptionalAction, default: true });
  const group = $.callMethod(p, 'add_mutually_exclusive_group');
  add(group, ['--json'], { action: 'store_true' });
  add(group, ['--text'], {
    action: 'store_true',
    help: 'a rather long help text for this option that needs more than a single line to be shown',
  });
  return p;
}

function commands(): any {
  const p = $.callkw(argparse.ArgumentParser, [], { prog: 'git' });
  add(p, ['--dry'], { action: 'store_true' });
  const all = $.callMethodKw(p, 'add_subparsers', [], { dest: 'cmd', required: true, help: 'what to do' });
  const first = $.callMethodKw(all, 'add_parser', ['add'], { help: 'add files', aliases: ['a'] });
  add(first, ['paths'], { nargs: '+' });
  add(first, ['-n'], { type: b['float'] });
  const second = $.callMethod(all, 'add_parser', 'commit');
  add(second, ['-m', '--message'], { required: true });
  $.callMethodKw(second, 'set_defaults', [], { fn: 'commit' });
  return p;
}

test('command lines', () => {
  const wrong: string[] = [];
  for (const [kind, args, wanted] of cases) {
    err = '';
    const parser = kind === 'build' ? tool() : commands();
    let actual: string;
    try {
      actual = $.repr($.callMethod(parser, 'parse_args', args));
    } catch (e: any) {
      actual = `exit ${e.code}: ${err.split('error: ').at(-1)!.trim()}`;
    }
    if (actual !== wanted) wrong.push(`${args.join(' ')}: ${actual} instead of ${wanted}`);
  }
  expect(wrong).toEqual([]);
});

test('help texts', () => {
  expect($.callMethod(tool(), 'format_usage')).toBe(helps['usage']);
  expect($.callMethod(tool(), 'format_help')).toBe(helps['build']);
  expect($.callMethod(commands(), 'format_help')).toBe(helps['sub']);
  expect(() => $.callMethod(tool(), 'parse_args', ['--help'])).toThrow($.SystemExit);
  expect(out).toBe(helps['build']);
});

test('actions and types of the program', () => {
  const p = $.callkw(argparse.ArgumentParser, [], { prog: 'p' });
  class Upper extends argparse.Action {
    __call__(_parser: unknown, namespace: any, values: any) {
      namespace.name = values.toUpperCase();
    }
  }
  add(p, ['--name'], { action: Upper });
  add(p, ['--even'], {
    type: (text: string) => {
      if (Number(text) % 2 !== 0) throw new argparse.ArgumentTypeError(`${text} is odd`);
      return Number(text);
    },
  });
  add(p, ['--version'], { action: 'version', version: '%(prog)s 1.2' });
  expect($.repr($.callMethod(p, 'parse_args', ['--name', 'ada', '--even', '4']))).toBe("Namespace(name='ADA', even=4)");
  expect(() => $.callMethod(p, 'parse_args', ['--even', '3'])).toThrow($.SystemExit);
  expect(err).toContain('p: error: argument --even: 3 is odd\n');
  expect(() => $.callMethod(p, 'parse_args', ['--version'])).toThrow($.SystemExit);
  expect(out).toBe('p 1.2\n');
  expect(() => add(p, ['--name'])).toThrow('argument --name: conflicting option string: --name');
  const [known, rest] = $.unpack($.callMethod(p, 'parse_known_args', ['--zzz', 'x']), 2);
  expect([$.contains(known, 'name'), rest]).toEqual([true, ['--zzz', 'x']]);
});
