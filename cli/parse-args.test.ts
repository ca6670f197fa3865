import { expect, test } from 'vitest';
import { choiceOf, flagType } from './cli-option.ts';
import type { Command } from './command.ts';
import { CommandFailure } from './command-failure.ts';
import { commandHelp } from './help.ts';
import { parseArgs } from './parse-args.ts';

const command: Command = {
  name: 'serve',
  operands: '[file]',
  arity: [0, 1],
  about: 'Serves.',
  examples: [
    ['svc x', 'x'],
    ['svc x', 'x'],
  ],
  options: [
    {
      name: 'port',
      short: 'p',
      type: { kind: 'int', placeholder: 'N', min: 0, max: 65_535 },
      about: 'The port.',
      default: '8000',
    },
    { name: 'reload', type: flagType, about: 'Reload.' },
    { name: 'build', short: 'b', type: flagType, about: 'Build.', needs: 'scale' },
    { name: 'scale', short: 's', type: flagType, about: 'Deploy.' },
    { name: 'level', type: choiceOf('LEVEL', 'low', 'high'), about: 'How much.' },
    { name: 'config', type: { kind: 'text', placeholder: 'PATH' }, about: 'File.' },
    {
      name: 'to',
      type: { kind: 'optional', placeholder: 'REF', isValue: (word) => word.includes('/') },
      about: 'Where.',
    },
  ],
  run: async () => 0,
};

const options = (...args: string[]) => parseArgs(command, args).options;

function failure(...args: string[]): string {
  try {
    parseArgs(command, args);
  } catch (error) {
    if (error instanceof CommandFailure && error.exitCode === 2) return [error.message, ...error.hints].join(' | ');
    throw error;
  }
  return 'no failure';
}

test('reads every spelling', () => {
  expect(options('--port', '1')).toEqual({ port: 1 });
  expect(options('--port=2')).toEqual({ port: 2 });
  expect(options('-p', '3')).toEqual({ port: 3 });
  expect(options('-p4')).toEqual({ port: 4 });
  expect(options('-p=5', '--reload', '--no-reload')).toEqual({ port: 5, reload: false });
  expect(options('--reload=true', '-sb')).toEqual({ reload: true, scale: true, build: true });
  expect(options('--config', '-')).toEqual({ config: '-' });
  expect(options('--level', 'low', '--level=high')).toEqual({ level: 'high' });
});

test('keeps operands and what follows --', () => {
  expect(parseArgs(command, ['a.svc', '--port', '1', '--', '--x', 'y'])).toEqual({
    operands: ['a.svc'],
    rest: ['--x', 'y'],
    options: { port: 1 },
  });
});

test('names the option that is wrong', () => {
  expect(failure('--prot', '1')).toBe('--prot: unknown option of svc serve | did you mean --port?');
  expect(failure('--port', '70000')).toBe("--port: expected a whole number from 0 to 65535, got '70000'");
  expect(failure('--port', '0x10')).toContain('--port');
  expect(failure('--port')).toBe('--port: needs a value: --port N');
  expect(failure('--port', '--reload')).toBe('--port: needs a value: --port N');
  expect(failure('--reload=maybe')).toContain('expected true or false');
  expect(failure('--level', 'hihg')).toBe("--level: expected one of low, high, got 'hihg' | did you mean high?");
  expect(failure('--no-port')).toContain('--no-port');
  expect(failure('-x')).toContain('-x');
  expect(failure('--build')).toBe('--build: needs --scale');
  expect(failure('a', 'b')).toContain("unexpected argument 'b'");
  expect(failure('--level', '__proto__')).toContain('expected one of');
});

test('help is made from the table and asks for nothing else', () => {
  expect(parseArgs(command, ['--help', '--build', 'a', 'b']).options['help']).toBe(true);
  const text = commandHelp(command);
  expect(text).toContain('Usage: svc serve [file] [options]');
  expect(text).toMatch(/-p, --port N +The port\. \(default 8000\)/);
  expect(text).toMatch(/-b, --build +Build\. \(with --scale\)/);
  expect(text).toMatch(/--level LEVEL +How much\. One of low, high\./);
});

test('a flag may have a value, which is told from an operand by its looks', () => {
  expect(parseArgs(command, ['--to', 'a/b', 'file'])).toMatchObject({ operands: ['file'], options: { to: 'a/b' } });
  expect(parseArgs(command, ['--to', 'file'])).toMatchObject({ operands: ['file'], options: { to: true } });
  expect(options('--to=file')).toEqual({ to: 'file' });
  expect([options('--to'), options('--to=false'), options('--no-to'), options('--to=true')]).toEqual([
    { to: true },
    { to: false },
    { to: false },
    { to: true },
  ]);
  expect(failure('--to=')).toContain('must not be empty');
  expect(commandHelp(command)).toContain('--to [REF]');
});
