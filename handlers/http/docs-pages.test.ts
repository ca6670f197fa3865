import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { Script } from 'node:vm';
import { expect, test } from 'vitest';
import type { Call } from '../call.ts';
import { type Answer, isAnswer } from '../routes.ts';
import { openApiFixture } from './openapi/openapi-fixture.ts';
import { createDescription } from './openapi/route.ts';

const { served, config } = openApiFixture();
const description = createDescription(config);
description.update(served);

async function get(path: string, headers: Record<string, string> = {}): Promise<Answer & { readonly text: string }> {
  const plain = path.replace(/\/$/, '');
  const file = /^\/static\/_docs\/(.+)$/.exec(path)?.[1];
  const template = file === undefined ? plain : '/static/_docs/{file}';
  const route = description.routes.find((one) => one.template === template);
  if (!route) throw new Error(`no route ${path}`);
  const call = { path, header: (name: string) => headers[name] } as unknown as Call;
  const result = await route.run({ call, params: file === undefined ? {} : { file } } as never);
  if (!isAnswer(result)) throw new Error('not an answer');
  return Object.assign(result, { text: String(result.raw?.body ?? '') });
}

function header(answer: Answer, name: string): string | undefined {
  const at = answer.headers.findIndex((one, index) => index % 2 === 0 && one.toLowerCase() === name);
  return at < 0 ? undefined : answer.headers[at + 1];
}

test.each(['/docs', '/redoc'])('SYS-02 %s is self-contained and has its policy', async (path) => {
  const page = await get(path);
  expect(page.raw?.contentType).toBe('text/html; charset=utf-8');
  expect(header(page, 'content-security-policy')).toBe(
    "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:",
  );
  expect(page.text).toMatch(/<html/i);
  expect(page.text).not.toMatch(/https?:|\/\//);
  expect(page.text).not.toMatch(/<script(?![^>]*\ssrc=)|\son[a-z]+=|javascript:/i);
  expect(page.text).toContain('<title>demo');
});

test('everything a page names is served, also when the address ends in a slash', async () => {
  for (const path of ['/docs', '/redoc', '/docs/', '/redoc/']) {
    const page = await get(path);
    const base = new URL(path, 'http://server');
    const named = [...page.text.matchAll(/(?:href|src)="([^"#]+)"/g)].map(
      (match) => new URL(match[1] as string, base).pathname,
    );
    expect(named).toContain('/static/_docs/docs.css');
    for (const one of named) expect((await get(one)).status, `${path} -> ${one}`).toBe(200);
  }
});

/** Scripts that the pages load, found by following imports. */
async function scriptsOf(pages: readonly string[]): Promise<Set<string>> {
  const found = new Set(pages);
  for (const name of found) {
    const { text } = await get(`/static/_docs/${name}`);
    for (const [, from] of text.matchAll(/^import \{[^}]*\} from '([^']+)'/gm)) found.add(from!.replace(/^\.\//, ''));
  }
  return found;
}

test('scripts parse, import only each other, and contact nobody else', async () => {
  const names = await scriptsOf(['console.js', 'reference.js']);
  expect(names.size).toBeGreaterThan(10);
  for (const name of names) {
    expect(name).toMatch(/^[a-z-]+\.js$/);
    const { text, raw } = await get(`/static/_docs/${name}`);
    expect(raw?.contentType).toBe('text/javascript; charset=utf-8');
    expect(text.replace('http://www.w3.org/2000/svg', '')).not.toMatch(/https?:\/\/[a-z]/);
    expect(text).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write|\beval\(/);
    const plain = text
      .replace(/import \{[^}]*\} from '[^']+';/g, '')
      .replace(/^export /gm, '')
      .replaceAll('import.meta.url', '""');
    expect(() => new Script(plain)).not.toThrow();
  }
});

test('scripts use only what others offer, and all that they import', async () => {
  const read = async (name: string) => (await get(`/static/_docs/${name}`)).text;
  let count = 0;
  for (const name of await scriptsOf(['console.js', 'reference.js'])) {
    const text = await read(name);
    const body = text.replace(/import \{[^}]*\} from '[^']+';/g, '');
    for (const [, list = '', from = ''] of text.matchAll(/import \{([^}]*)\} from '\.\/([^']+)';/g)) {
      const exported = [...(await read(from)).matchAll(/^export (?:(?:async )?function|const) (\w+)/gm)];
      const offered = new Set(exported.map((match) => match[1]));
      const names = list
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean);
      for (const one of names) {
        count += 1;
        expect(offered, name).toContain(one);
        expect(body, `${name} uses ${one}`).toMatch(new RegExp(`\\b${one}\\b`));
      }
    }
  }
  expect(count).toBeGreaterThan(30);
});

test('unchanged bodies are not sent again', async () => {
  for (const path of ['/docs', '/openapi.json', '/static/_docs/docs.css']) {
    const first = await get(path);
    const etag = header(first, 'etag') as string;
    expect(etag).toMatch(/^"[\w-]{22}"$/);
    for (const given of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const second = await get(path, { 'if-none-match': given });
      expect([second.status, second.text, header(second, 'etag')]).toEqual([304, '', etag]);
    }
    expect((await get(path, { 'if-none-match': '"other"' })).status).toBe(200);
  }
});

test('an unknown file is not found', async () => {
  await expect(get('/static/_docs/other.js')).rejects.toMatchObject({ code: 'NOT_FOUND' });
});

test('the description follows the program', async () => {
  const own = createDescription(config);
  own.update(served);
  const route = own.routes.find(({ template }) => template === '/openapi.json');
  const call = { path: '/openapi.json', header: () => undefined } as unknown as Call;
  const read = async () => (await route?.run({ call } as never)) as Answer;
  const before = await read();
  own.update({ ...served, targets: [] });
  const after = await read();
  expect(header(after, 'etag')).not.toBe(header(before, 'etag'));
  expect(Object.keys(JSON.parse(after.raw?.body as string).paths)).toContain('/user/login');
});

test('switched off, there is nothing', () => {
  const off = createDescription({ ...config, serve: { ...config.serve, docsEnabled: false } });
  expect(off.routes).toEqual([]);
});

test('a title cannot break out of the page', async () => {
  const odd = createDescription({ ...config, project: { ...config.project, name: '</title><b>' } });
  const call = { path: '/docs', header: () => undefined } as unknown as Call;
  const page = (await odd.routes.find(({ template }) => template === '/docs')?.run({ call } as never)) as Answer;
  expect(page.raw?.body).not.toContain('<b>');
});

test('every script of the folder is served to a page', async () => {
  const folder = join(import.meta.dirname, 'pages/docs');
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
  expect([...(await scriptsOf(['console.js', 'reference.js']))].sort()).toEqual(scripts.sort());
});
