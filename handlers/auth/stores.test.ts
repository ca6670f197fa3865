import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { openMemory, openStore, type Stores } from '../../adapters/stores/stores.ts';
import { authFixture } from './fixture.ts';

/** The account layer over the stores it is used with, by the clock of the machine. */
const folder = mkdtempSync(join(tmpdir(), 'svc-accounts-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let files = 0;
const openers: Record<string, () => Promise<Stores>> = {
  memory: openMemory,
  sqlite: () =>
    openStore({
      dataDir: folder,
      scale: { database: { store: '', sqliteFile: `${(files += 1)}.db`, durability: 'normal' } },
    }),
};

test.each(Object.keys(openers))('%s: a life of an account', async (name) => {
  const stores = await openers[name]!();
  try {
    const { send, register } = authFixture({ deps: { accounts: stores.accounts, clock: Date } });
    const ada = await register('Ada@example.com');
    const me = await send('GET', '/user/me', { token: ada['token']! });
    expect(me.data).toMatchObject({
      user_id: ada['user_id'],
      root_id: ada['root_id'],
      email: 'ada@example.com',
      profile: {},
    });

    const twice = await Promise.all(
      ['x', 'y'].map((end) =>
        send('POST', '/user/register', { body: { username: 'bob', password: `password ${end}` } }),
      ),
    );
    expect(twice.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(twice.find(({ status }) => status === 409)).toMatchObject({
      code: 'IDENTITY_TAKEN',
      details: { identity: 'username' },
    });

    const login = (password: string) => send('POST', '/user/login', { body: { email: 'ada@example.com', password } });
    expect((await login('wrong')).status).toBe(401);
    let second = (await login('correct horse 1')).data!['token'];
    expect(
      (await send('PATCH', '/user/me', { token: second, body: { profile: { city: 'Rome', age: 30 } } })).status,
    ).toBe(200);
    expect(
      (await send('PATCH', '/user/me', { token: second, body: { profile: { age: null } } })).data!['profile'],
    ).toEqual({ city: 'Rome' });
    expect((await send('PUT', '/user/username', { token: second, body: { new_username: 'bob' } })).code).toBe(
      'IDENTITY_TAKEN',
    );
    const renamed = await send('PUT', '/user/username', { token: second, body: { new_username: 'ada' } });
    expect(renamed.data).toMatchObject({ username: 'ada' });
    second = renamed.data!['token'];
    expect((await send('GET', '/user/me', { token: ada['token']! })).details).toEqual({ reason: 'revoked' });

    const other = (await login('correct horse 1')).data!['token'];
    await send('POST', '/user/logout', { token: other });
    expect((await send('GET', '/user/me', { token: other })).details).toEqual({ reason: 'revoked' });
    const changes = await Promise.all(
      ['5', '6'].map((end) =>
        send('PUT', '/user/password', {
          token: second,
          body: { current_password: 'correct horse 1', new_password: `correct horse ${end}` },
        }),
      ),
    );
    expect(changes.map(({ status }) => status).sort()).toEqual([200, 409]);
    expect((await send('GET', '/user/me', { token: second })).details).toEqual({ reason: 'revoked' });

    const guesses = await Promise.all(Array.from({ length: 12 }, (_, i) => login(`guess ${i}`)));
    expect(guesses.filter(({ status }) => status === 401)).toHaveLength(5);
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(7);
  } finally {
    await stores.close();
  }
});

test('sqlite: accounts and revocations outlive the process', async () => {
  const database = { store: '', sqliteFile: 'kept.db', durability: 'full' } as const;
  const open = () => openStore({ dataDir: folder, scale: { database } });
  let stores = await open();
  const before = authFixture({ deps: { accounts: stores.accounts, clock: Date } });
  const ada = await before.register('ada@example.com');
  const login = { body: { email: 'ada@example.com', password: 'correct horse 1' } };
  const other = (await before.send('POST', '/user/login', login)).data!['token'];
  await before.send('POST', '/user/logout', { token: other });
  await stores.close();

  stores = await open();
  const after = authFixture({ deps: { accounts: stores.accounts, clock: Date } });
  expect((await after.send('GET', '/user/me', { token: ada['token']! })).data).toMatchObject({
    root_id: ada['root_id'],
  });
  expect((await after.send('GET', '/user/me', { token: other })).details).toEqual({ reason: 'revoked' });
  expect((await after.send('POST', '/user/login', login)).status).toBe(200);
  await stores.close();
});
