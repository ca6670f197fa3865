/** Functions that a model answers, as docs/models.md shows them: a served application against a model service on loopback. */
import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openModelService } from '../../core/llm/fixture.ts';
import { post, register, removeFolder, repository, runSvc, startServer } from '../harness/server.ts';

const page = readFileSync(join(repository, 'docs/models.md'), 'utf8');
const block = (language: string) => new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'm').exec(page)![1]!;
const key = 'sk-journey-0123456789abcdef';

function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-models-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test('the page’s program and configuration work as written', async () => {
  await using service = await openModelService(() => '{"title": "Gas smell", "urgency": "HIGH", "rooms": [4]}');
  const folder = folderWith({ 'main.svc': block('svc'), 'svc.toml': block('toml') });
  await using server = await startServer({ folder, env: { MODEL_URL: service.base, OPENAI_API_KEY: key } });
  const answer = await post(server.base, '/walker/Report', { text: 'It smells in room 4!' });
  expect(answer.reports).toEqual(['Gas smell', 'HIGH']);
  const [asked] = service.asked;
  expect(asked!.body).toMatchObject({ model: 'gpt-4o-mini', temperature: 0 });
  expect(asked!.headers.authorization).toBe(`Bearer ${key}`);
  for (const part of ['at most five words', 'somebody may get hurt', 'a mail from a tenant', 'It smells in room 4!'])
    expect(asked!.text).toContain(part);
  await server.stop();
  removeFolder(folder);
});

test('a failing service is one failed call, without the key; others go on meanwhile', async () => {
  let release!: () => void;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await using service = await openModelService(async ({ text }) => {
    if (text.includes("'bad'")) return { status: 401, body: `{"error": {"message": "bad key ${key}"}}` };
    await released;
    return 'at last';
  });
  const folder = folderWith({
    'main.svc': `
      def:pub ask(x: str) -> str by llm();
      def:pub quick() -> int { return 1; }
      def:pub tell(x: str) -> str by llm(stream=True);`,
  });
  const env = { SVC_LLM_MODEL: 'm', SVC_LLM_BASE_URL: service.base, SVC_LLM_API_KEY: key };
  await using server = await startServer({ folder, env });
  const slow = post(server.base, '/function/ask', { x: 'slow' });
  await service.reached(1);
  expect((await post(server.base, '/function/quick')).result).toBe(1);
  const failed = await post(server.base, '/function/ask', { x: 'bad' });
  expect(failed.ok).toBe(false);
  expect(JSON.stringify(failed)).not.toContain('0123456789');
  release();
  expect((await slow).result).toBe('at last');
  await expect.poll(() => server.output()).toContain('answered 401');
  expect(server.output()).not.toContain('0123456789');
  await server.stop();
  removeFolder(folder);
});

test('a client that leaves takes its request to the model with it', async () => {
  await using service = await openModelService(() => ({ raw: () => {} }));
  const folder = folderWith({ 'main.svc': 'def:pub ask(x: str) -> str by llm();' });
  // Nothing else ends the request within a day.
  const limits = { SVC_BYLLM_TIMEOUT_SECONDS: '86400', SVC_SERVE_REQUEST_TIMEOUT_SECONDS: '86400' };
  const env = { SVC_LLM_MODEL: 'm', SVC_LLM_BASE_URL: service.base, ...limits };
  await using server = await startServer({ folder, env });
  const leaving = new AbortController();
  const call = fetch(`${server.base}/function/ask`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"x": "a"}',
    signal: leaving.signal,
  });
  await service.reached(1);
  leaving.abort();
  await expect(call).rejects.toThrow();
  expect(await service.abandoned()).toBe(1);
  await server.stop();
  removeFolder(folder);
});

test('pieces of a streamed answer arrive as events', async () => {
  const events = ['One ', 'two.'].map((content) => JSON.stringify({ choices: [{ delta: { content } }] }));
  await using service = await openModelService(() => ({ events: [...events, '[DONE]'] }));
  const folder = folderWith({
    'main.svc': `
      def tell(x: str) -> str by llm(stream=True);
      walker:pub Tell { can go with Root entry { for piece in tell("x") { report piece; } } }
      def:pub pieces() -> str { return tell("y"); }`,
  });
  await using server = await startServer({ folder, env: { SVC_LLM_MODEL: 'm', SVC_LLM_BASE_URL: service.base } });
  expect((await post(server.base, '/walker/Tell')).reports).toEqual(['One ', 'two.']);
  const streamed = await fetch(`${server.base}/function/pieces`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  expect(streamed.headers.get('content-type')).toContain('text/event-stream');
  expect(await streamed.text()).toMatch(/One [\s\S]*two\./);
  await server.stop();
  removeFolder(folder);
});

test('tools and walkers change the caller’s graph, and only that', async () => {
  await using service = await openModelService(({ text }, n) =>
    n === 1
      ? { tools: [{ name: 'add', arguments: { title: 'milk' } }] }
      : text.includes('added milk')
        ? 'done'
        : 'lost',
  );
  const folder = folderWith({
    'main.svc': `
      node Task { has title: str; }
      """Adds a task."""
      def add(title: str) -> str { root ++> Task(title=title); return "added " + title; }
      walker Plan { has wish: str; can go with Root entry by llm(tools=[add]); }
      walker List { can go with Root entry { for t in [-->(?:Task)] { report t.title; } } }`,
  });
  await using server = await startServer({ folder, env: { SVC_LLM_MODEL: 'm', SVC_LLM_BASE_URL: service.base } });
  const { token } = await register(server.base, 'ada');
  const other = await register(server.base, 'bob');
  expect((await post(server.base, '/walker/Plan', { wish: 'tea' }, token)).ok).toBe(true);
  expect(service.asked[0]!.text).toContain("Plan(wish='tea')");
  expect((await post(server.base, '/walker/List', {}, token)).reports).toEqual(['milk']);
  expect((await post(server.base, '/walker/List', {}, other.token)).reports).toEqual([]);
  await server.stop();
  removeFolder(folder);
});

test('what asks a model is loaded at the first call, not before', async () => {
  const folder = folderWith({
    'trace.mjs':
      'export async function load(url, context, next) { process._rawDebug(`loads ${url}`); return next(url, context); }',
    'hooks.mjs': "import { register } from 'node:module'; register('./trace.mjs', import.meta.url);",
    'without.svc': 'import from byllm.lib { Model }\ndef ask() -> int by llm();\nwith entry { print("without"); }',
    'with.svc':
      'import from byllm.lib { MockLLM }\nglob llm = MockLLM(outputs=[1]);\ndef ask() -> int by llm();\nwith entry { print(ask()); }',
  });
  const loads = async (program: string) => {
    const env = { NODE_OPTIONS: `--import ${join(folder, 'hooks.mjs')}` };
    const { stderr, stdout } = await runSvc(['run', program, '--no-persist'], { cwd: folder, env });
    const files = [...stderr.matchAll(/^loads (file:.*\.mjs)$/gm)].map((match) =>
      readFileSync(new URL(match[1]!), 'utf8'),
    );
    return {
      stdout,
      runs: files.some((text) => text.includes('$init')),
      asks: files.some((text) => text.includes('You do the work of one function')),
    };
  };
  // The programs themselves are among the files, so the trace is known to work.
  expect(await loads('without.svc')).toEqual({ stdout: 'without\n', runs: true, asks: false });
  expect(await loads('with.svc')).toEqual({ stdout: '1\n', runs: true, asks: true });
  removeFolder(folder);
});

test('descriptions may stand in another module than what they describe', async () => {
  await using service = await openModelService(() => '"GLAD"');
  const folder = folderWith({
    'shop.svc': `
      enum Mood { GLAD, SAD }
      obj Guest { has name: str; def feels(day: str) -> Mood by llm(); }
      def mood(text: str, of: Guest) -> Mood by llm();
      node Room { has beds: int; }
      walker:pub Book { has nights: int; can go with Root entry { report self.nights; } }`,
    'words.svc': `
      import from shop { Mood, Guest, mood, Book }
      import shop;
      sem mood = "how the writer feels";
      sem mood.text = "a letter";
      sem mood.return = "one of two";
      sem Guest.name = "as in the passport";
      sem Guest.feels.day = "a weekday";
      sem Mood.SAD = "needs company";
      sem shop.Book.nights = "how long they stay";
      sem shop.Book = "Keeps a room.";`,
    'main.svc': `
      import from shop { Guest, mood, Book }
      import words;
      def:pub ask() -> str { return mood("hello", Guest("Ada")).name + Guest("Bo").feels("Monday").name; }`,
  });
  const check = await runSvc(['check', 'main.svc', '--all'], { cwd: folder });
  expect(check.stdout + check.stderr).not.toContain('W0540');
  const env = { SVC_LLM_MODEL: 'm', SVC_LLM_BASE_URL: service.base };
  await using server = await startServer({ folder, env });
  expect((await post(server.base, '/function/ask')).result).toBe('GLADGLAD');
  const [first, second] = service.asked.map(({ body }) => JSON.stringify(body));
  for (const words of ['how the writer feels', 'a letter', 'one of two', 'as in the passport', 'needs company'])
    expect(first).toContain(words);
  expect(second).toContain('a weekday');
  const api = await (await fetch(`${server.base}/openapi.json`)).text();
  for (const words of ['Keeps a room.', 'how long they stay']) expect(api).toContain(words);
  await server.stop();
  removeFolder(folder);
});

test('a model that streams by itself', async () => {
  const events = ['One ', 'two.'].map((content) => JSON.stringify({ choices: [{ delta: { content } }] }));
  await using service = await openModelService(() => ({ events: [...events, '[DONE]'] }));
  const folder = folderWith({
    'main.svc': `
      import from byllm.lib { Model }
      glob llm = Model(model_name="m", base_url="${service.base}", stream=True),
           other = Model(model_name="n", base_url="${service.base}", config={"stream": True});
      def tell(x: str) -> str by llm;
      def more(x: str) -> str by llm();
      def third(x: str) -> str by other();
      def pick() -> any { return llm; }
      def fourth(x: str) -> str by pick();
      with entry {
        for piece in tell("a") { print(piece); }
        print(list(more("b")));
        print("".join(third("c")));
        print([piece for piece in fourth("d")]);
      }`,
  });
  const { stdout, stderr } = await runSvc(['run', 'main.svc', '--no-persist'], { cwd: folder });
  expect(stderr).toBe('');
  expect(stdout).toBe("One \ntwo.\n['One ', 'two.']\nOne two.\n['One ', 'two.']\n");
  expect(service.asked.map(({ body }) => body.stream)).toEqual([true, true, true, true]);
  expect(service.asked.map(({ body }) => body.model)).toEqual(['m', 'm', 'n', 'm']);
  removeFolder(folder);
});
