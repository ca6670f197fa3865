import { expect, test } from 'vitest';
import { resolveConfig } from '../../core/config/resolve.ts';
import { parseToml } from '../../core/config/toml.ts';
import { folderWith } from '../../test/harness/svc-process.ts';
import { postCss } from './post-css.ts';
import { hasIdleTailwind } from './post-css-plugins.ts';

/** A package whose export gives what it was called with. */
const packageOf = (name: string, version: string, code: string) => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, version, main: 'index.js' }),
  [`node_modules/${name}/index.js`]: code,
});

const packages = {
  ...packageOf('tailwindcss', '3.4.1', 'module.exports = (options) => ({ postcssPlugin: "tailwindcss", options });'),
  'node_modules/tailwindcss/nesting/index.js': 'module.exports = () => ({ postcssPlugin: "nesting" });',
  ...packageOf('prefixes', '10.0.0', 'exports.__esModule = true; exports.default = (options) => ({ options });'),
  ...packageOf('failing', '1.0.0', 'module.exports = () => { throw new Error("needs a browser\\nin a list"); };'),
  'node_modules/modern/package.json': '{ "name": "modern", "type": "module", "exports": { "import": "./main.js" } }',
  'node_modules/modern/main.js': 'export default (options) => ({ modern: options ?? "plain" });',
  'own.cjs': 'module.exports = { postcssPlugin: "own" };',
};

function settingsOf(projectDir: string, text: string) {
  const file = { name: 'svc.toml', ...parseToml(text, 'svc.toml') };
  const { config, problems } = resolveConfig({ file, env: {}, mode: 'development', projectDir, dataDir: projectDir });
  expect(problems).toEqual([]);
  return config;
}

const tailwind = `[client.configs.tailwind]
content = ["./src/**/*.tsx", "!./src/old/*", "./.svc/client/**/*.js", { raw = "x" }]
plugins = ["modern"]
darkMode = "class"
[client.configs.tailwind.theme.extend.colors]
brand.dark = "red"
[[client.configs.tailwind.safelist]]
pattern = "a"
`;

test('Tailwind 3 gets its table, with places below the project and all sources of the language', async () => {
  using folder = folderWith(packages);
  const start = process.cwd();
  process.chdir(folder.path);
  const options = {
    darkMode: 'class',
    theme: { extend: { colors: { brand: { dark: 'red' } } } },
    safelist: [{ pattern: 'a' }],
    content: {
      files: ['src/**/*.tsx', '!src/old/*', { raw: 'x' }, '*.svc', '!(node_modules|dist|.*)/**/*.svc'],
    },
    plugins: [expect.any(Function)],
  };
  try {
    for (const listed of ['', '[client.configs.postcss]\nplugins = ["tailwindcss"]\n']) {
      const given = await postCss(settingsOf(folder.path, listed + tailwind));
      expect(given).toEqual({ plugins: [{ postcssPlugin: 'tailwindcss', options }] });
    }
  } finally {
    process.chdir(start);
  }
  const { plugins } = (await postCss(settingsOf(folder.path, tailwind))) as any;
  expect(plugins[0].options.content.files[0]).toMatch(/^\.\.\/.*\/src\/\*\*\/\*\.tsx$/);
});

test.each([
  [
    'plugins = ["tailwindcss/nesting", "./own.cjs"]',
    { plugins: [{ postcssPlugin: 'nesting' }, { postcssPlugin: 'own' }] },
  ],
  [
    'plugins = { prefixes = { grid = true }, modern = {}, failing = false }',
    { plugins: [{ options: { grid: true } }, { modern: 'plain' }] },
  ],
  [
    'plugins = { tailwindcss = { config = "./a.js" } }\nmap = false',
    { map: false, plugins: [{ postcssPlugin: 'tailwindcss', options: { config: './a.js' } }] },
  ],
])('plug-ins of PostCSS are listed, or have options: %s', async (lines, expected) => {
  using folder = folderWith(packages);
  expect(await postCss(settingsOf(folder.path, `[client.configs.postcss]\n${lines}\n`))).toEqual(expected);
});

test('without settings Vite looks for its own', async () => {
  using folder = folderWith(packages);
  expect(await postCss(settingsOf(folder.path, '[client.configs.eslint]\nrules = 1\n'))).toBeUndefined();
});

test.each([
  ['nowhere', '"nowhere" is not there: list the package in [dependencies.npm.dev]'],
  ['failing', '"failing": needs a browser'],
])('a plug-in that cannot be had is told: %s', async (name, problem) => {
  using folder = folderWith(packages);
  const settings = settingsOf(folder.path, `[client.configs.postcss]\nplugins = ["${name}"]\n`);
  await expect(postCss(settings)).rejects.toThrow(`[plugins.client.configs] of svc.toml cannot be used: ${problem}`);
});

test.each([
  ['3.4.1', '', false],
  ['4.1.0', '', true],
  ['3.4.1', '[client.configs.postcss]\nplugins = ["prefixes"]\n', true],
])('settings for a Tailwind that PostCSS does not run are known: %s %j', (version, listed, expected) => {
  using folder = folderWith({ ...packages, ...packageOf('tailwindcss', version, '') });
  expect(hasIdleTailwind(settingsOf(folder.path, listed + tailwind))).toBe(expected);
  expect(hasIdleTailwind(settingsOf(folder.path, listed))).toBe(false);
});
