import { readFile, writeFile } from 'node:fs/promises';
import { Ajv } from 'ajv';
import { describe, expect, test } from 'vitest';
import { optionAt, optionPaths, tomlKey } from '../../core/config/options.ts';
import { resolveConfig } from '../../core/config/resolve.ts';
import { parseToml } from '../../core/config/toml.ts';
import { plainTable } from '../../core/config/toml-nodes.ts';
import { tellUnknown } from '../../core/config/unknown-keys.ts';
import { configSchema } from './schema.ts';

const page = new URL('../../docs/reference/svc.toml.schema.json', import.meta.url);
const schema = configSchema();
const validate = new Ajv({ strict: true, allErrors: true, allowUnionTypes: true }).compile(schema);

/** Judges a file twice: by the schema and by svc. */
function judge(text: string): { readonly isValid: boolean; readonly isAccepted: boolean; readonly why: string } {
  const file = { name: 'svc.toml', ...parseToml(text, 'svc.toml') };
  const { problems, warnings } = resolveConfig({
    file,
    tellUnknown,
    env: {},
    mode: 'development',
    projectDir: '/p',
    dataDir: '/p/d',
  });
  // Rules between keys are not those of a schema.
  const own = [...problems, ...warnings].filter(({ problem }) => /unknown|^expected|named response/.test(problem));
  const isValid = validate(plainTable(file.root));
  return { isValid, isAccepted: own.length === 0, why: JSON.stringify([validate.errors, own]) };
}

test('the file in docs is the generated one', async () => {
  const text = `${JSON.stringify(schema, null, 1)}\n`;
  if (process.env['UPDATE'] === '1') await writeFile(page, text);
  expect(await readFile(page, 'utf8')).toBe(text);
});

interface Limits {
  readonly of?: readonly string[];
  readonly min?: number;
  readonly max?: number;
  readonly holds?: string;
}

/** A value the option takes, and one it does not. */
function samples({ kind, ...more }: (typeof row)['type']): readonly [good: string, bad: string] {
  const { of = [], min = 0, max = 0, holds } = more as Limits;
  switch (kind) {
    case 'text':
      return ['"a"', '1'];
    case 'flag':
      return ['true', '"yes"'];
    case 'choice':
      return [JSON.stringify(of.at(-1)), '"no such choice"'];
    case 'texts':
      return ['["a"]', '[1]'];
    case 'numbers':
      return ['[1, 2.5]', '["a"]'];
    case 'table':
      if (holds === 'anything') return ['{ A = [1], B = { C = true } }', '1'];
      return holds === 'scalars' ? ['{ A = "x", B = 1, C = true }', '{ A = [1] }'] : ['{ A = "x" }', '{ A = 1 }'];
    case 'providers':
      return [
        '{ acme = { issuer = "https://a.test", client_id = "a", client_secret = "b" } }',
        '{ acme = { issuer = 1 } }',
      ];
    default:
      return [String(min), String(max + 1)];
  }
}
const row = optionAt('serve.port');

/** Tables that take further names. */
const freeTables = ['dependencies', 'dependencies.npm', 'plugins.client.vite', 'plugins.client.configs'];

describe('says of each option what svc says', () => {
  for (const path of optionPaths)
    test(path, () => {
      const key = tomlKey(path);
      const dot = key.lastIndexOf('.');
      const [table, name] = [key.slice(0, dot), key.slice(dot + 1)];
      const [good, bad] = samples(optionAt(path).type);
      for (const [text, expected] of [
        [`[${table}]\n${name} = ${good}\n`, true],
        [`[${table}]\n${name} = ${bad}\n`, false],
        [`[${table}]\n${name}x = ${good}\n`, freeTables.includes(table)],
        ...(path === 'responseHeaders' ? [] : ([[`[environments.some.${table}]\n${name} = ${good}\n`, true]] as const)),
      ] as const) {
        const { isValid, isAccepted, why } = judge(text);
        expect([isValid, isAccepted], `${text}${why}`).toEqual([expected, expected]);
      }
    });
});

test.each([
  ['', true],
  ['[serve]\nport = "${PORT:-8000}"\nworkers = "${N:-2}"\n', true],
  ['[project]\nentry_point = "a.svc"\nauthors = ["Ada"]\n[project.urls]\nhome = "x"\n', true],
  ['[scale.jwt]\nissuer = "x"\n[client]\nport = 1\n[byllm.model]\ndefault_model = "m"\n', true],
  ['[scale.kubernetes]\nreplicas = 2\n[dependencies]\nnumpy = ">=1"\n[dev-dependencies]\na = "1"\n', true],
  ['[dependencies.npm]\nreact = "^19"\n"@a/b" = "1"\n[dependencies.npm.dev]\nvite = "8"\n', true],
  ['[plugins.client.vite]\nplugins = ["x()"]\nserver = { hmr = false }\n[plugins.client.assets]\nx = 1\n', true],
  [
    '[client.configs.tailwind.theme]\nx = [1]\n[[client.configs.tailwind.safelist]]\n[client.configs.eslint]\ny = 1\n',
    true,
  ],
  ['[scale.server]\ndocs_enabled = false\n[serve]\ngraph_enabled = false\n', true],
  ['[serve]\nisolation = true\n', false],
  ['[schema.fields]\nTask.name = "title"\n"Task.size" = "n"\n', true],
  ['[plugins]\nenabled = ["scale"]\n[tool.other]\ny = 2\n', true],
  ['[environments.response.headers]\nX-A = "b"\n', true],
  ['[plugin.scale.jwt]\n', false],
  ['[plugins.other]\n', false],
  ['[plugins.scale.sso.acme]\nclient_idd = "x"\n', false],
  ['port = 1\n', false],
  ['serve = 1\n', false],
])('agrees about %j', (text, expected) => {
  const { isValid, isAccepted, why } = judge(text);
  expect([isValid, isAccepted], why).toEqual([expected, expected]);
});
