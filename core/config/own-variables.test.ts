import { expect, test } from 'vitest';
import { formatFinding } from './finding.ts';
import { unknownVariables } from './own-variables.ts';
import { parseToml } from './toml.ts';

const reference = (name: string) => `$\{${name}}`;

test('unknown variables that begin with SVC_ are warned about with the nearest name', () => {
  const warned = (env: Record<string, string>, text = '') =>
    unknownVariables(env, parseToml(text, 'svc.toml').root).map(formatFinding);
  expect(warned({ SVC_SERVE_PROT: '1', SVC_NONSENSE_WORD: 'x', SVC_ENV: 'test', OTHER: 'y', SVC_EMPTY: '' })).toEqual([
    'warning: environment: SVC_SERVE_PROT: unknown variable (did you mean SVC_SERVE_PORT?)',
    'warning: environment: SVC_NONSENSE_WORD: unknown variable',
  ]);
  expect(warned({ SVC_PROFIL: '' })).toEqual([]);
  const own = `[project]\nname = "${reference('SVC_TITLE:-x')}"\n[plugins.scale.secrets]\nSVC_TOKEN = "${reference('SVC_LATER')}"\n`;
  expect(
    warned({ SVC_TITLE: 'a', SVC_TOKEN: 'b', SVC_LATER: 'c', SVC_TEST_MONGO: 'd', SVC_PUBLIC_KEY: 'e' }, own),
  ).toEqual([]);
});
