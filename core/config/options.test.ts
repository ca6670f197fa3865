import { expect, test } from 'vitest';
import { valueAt } from './diff.ts';
import { meanings } from './option-meanings.ts';
import { envNames, optionAt, optionPaths, tomlKey } from './options.ts';
import { readTyped } from './read-value.ts';
import { defaultConfig, resolveConfig } from './resolve.ts';
import { parseToml } from './toml.ts';

const input = { mode: 'development', projectDir: '/p', dataDir: '/p/.svc/data' } as const;

test.each(optionPaths)('row %s is consistent', (path) => {
  const option = optionAt(path);
  const [place, about] = meanings[path];
  expect(about).not.toBe('');
  expect(place).toMatch(/^(server\/)?[a-z-]+\.md(#[a-z0-9-]+)?$/);
  if (option.type.kind === 'providers') return;
  expect(readTyped(option.type, option.default)).toHaveProperty('value');
  for (const value of Object.values(option.defaultIn ?? {}))
    expect(readTyped(option.type, value)).toHaveProperty('value');
  expect(valueAt(defaultConfig(), path)).toBeDefined();
});

test.each(optionPaths)('row %s is read from the file and from the environment', (path) => {
  const { type } = optionAt(path);
  if (type.kind === 'providers') return;
  const [written, inEnv, value] = sample(type.kind, type);
  const key = tomlKey(path);
  const dot = key.lastIndexOf('.');
  const text = `[${key.slice(0, dot)}]\n${key.slice(dot + 1)} = ${written}\n`;
  const file = { name: 'svc.toml', ...parseToml(text, 'svc.toml') };
  const fromFile = resolveConfig({ ...input, env: {}, file });
  expect(fromFile.sourceOf(path)).toBe('file');
  expect(fromFile.whereOf(path)).toBe('svc.toml:2:1');
  expect(valueAt(fromFile.config, path)).toEqual(value);
  for (const name of envNames(path)) {
    const fromEnv = resolveConfig({ ...input, env: { [name]: inEnv } });
    expect(fromEnv.sourceOf(path)).toBe('environment');
    expect(valueAt(fromEnv.config, path)).toEqual(value);
  }
});

function sample(kind: string, row: unknown): [string, string, unknown] {
  const type = row as { of?: readonly string[]; min?: number; max?: number; holds?: string };
  if (kind === 'text') return ['"/sample"', '/sample', expect.stringMatching(/sample$/)];
  if (kind === 'flag') return ['true', 'YES', true];
  if (kind === 'choice') return [`"${type.of!.at(-1)}"`, type.of!.at(-1)!, type.of!.at(-1)];
  if (kind === 'texts') return ['["a", "b"]', 'a, b', ['a', 'b']];
  if (kind === 'numbers') return ['[1, 2.5]', '1,2.5', [1, 2.5]];
  if (type.holds === 'anything') return ['{ A = [1, { B = true }] }', '{"A":[1,{"B":true}]}', { A: [1, { B: true }] }];
  if (type.holds === 'scalars')
    return ['{ A = "x", B = 1, C = true }', '{"A":"x","B":1,"C":true}', { A: 'x', B: '1', C: 'true' }];
  if (kind === 'table') return ['{ A = "x" }', '{"A":"x"}', { A: 'x' }];
  const number = Math.max(type.min!, Math.min(type.max!, 1));
  return [String(number), String(number), number];
}

test('no two keys share an environment name', () => {
  const names = optionPaths.flatMap((path) => envNames(path));
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
});

test('names follow the fixed spellings', () => {
  expect(tomlKey('scale.jwt.expDeltaDays')).toBe('plugins.scale.jwt.exp_delta_days');
  expect(tomlKey('project.entryPoint')).toBe('project.entry-point');
  expect(envNames('scale.websocket.idleSeconds')).toEqual(['SVC_WEBSOCKET_IDLE_SECONDS']);
  expect(envNames('serve.port')).toEqual(['SVC_SERVE_PORT', 'PORT']);
  expect(envNames('scale.jwt.secret')[0]).toBe('JWT_SECRET');
});
