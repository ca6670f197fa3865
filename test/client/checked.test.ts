/** Client programs that are right: `svc check` finds no error in them, and nothing to warn of but what is listed here. */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { clientModules } from '../../lang/2-resolve/client-modules.ts';
import { compileClient } from './compile-client.ts';

test.each([...clientModules])('`svc check` knows the members of `%s` in the browser', async (name, members) => {
  expect([...members].toSorted()).toEqual(Object.keys(await import(`../../client/modules/${name}.ts`)).toSorted());
});

const here = fileURLToPath(new URL('.', import.meta.url));

/** Spellings that the programs show on purpose, unused names, and notes such as that of a function which becomes an endpoint. */
const meant = ['W0130', 'W0133', 'W0134', 'W0144', 'W0404', 'W0631', 'W0634', 'W0642', 'W0645', 'W0646'];

const programs = ['rows', 'golden', 'checked'].flatMap((folder) =>
  readdirSync(join(here, folder))
    .filter((file) => file.endsWith('.svc') && !file.endsWith('.impl.svc'))
    .map((file) => join(folder, file)),
);

test.each(programs)('%s', (file) => {
  const { diagnostics } = compileClient(join(here, file), 'production', true);
  expect(
    diagnostics.filter(({ code }) => !meant.includes(code)).map(({ code, message }) => `${code} ${message}`),
  ).toEqual([]);
});
