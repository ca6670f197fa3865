/**
 * Every endpoint that `/openapi.json` describes, called with what fits its schemas and what does not: nothing fails inside the server, every answer is
 * one the description announces, and what needs a token is closed without one. `FUZZ_RUNS` and `FUZZ_SEED` ask for more, or other, calls.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callsOf, type MadeCall, type Operation, operationsOf, sendCall } from '../harness/openapi-calls.ts';
import { copyApp, post, type RunningServer, removeFolder, repository, startServer } from '../harness/server.ts';

const runs = Number(process.env['FUZZ_RUNS'] ?? 30);
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_122);

/** Calls that once got a wrong answer; `app` and `operation` say where. */
interface Found {
  readonly app: string;
  readonly operation: string;
  readonly call: MadeCall;
}
const found = JSON.parse(readFileSync(join(import.meta.dirname, 'api-fuzz/found.json'), 'utf8')) as Found[];

const apps = [
  { name: 'types', folder: join(import.meta.dirname, 'api-fuzz'), entry: 'main.svc' },
  { name: 'todo', folder: join(repository, 'examples/todo'), entry: 'main.svc' },
  { name: 'social', folder: join(repository, 'examples/social'), entry: 'main.svc' },
  { name: 'orgchart', folder: join(repository, 'examples/orgchart'), entry: 'main.svc' },
  { name: 'bookshelf', folder: join(repository, 'examples/bookshelf'), entry: 'app.ts' },
];

/** They hash passwords, which takes time. */
const costly = /^user_(register|login|update_password)$/;
/** They end the session they are called with. */
const ending = /^user_(logout|update_password|update_username)$/;

/** Answers any endpoint can give to what is no proper request: descriptions do not repeat them (docs/server/api-docs.md#document). */
const general = new Set([400, 404, 413, 415]);

describe.each(apps)('$name', ({ name, folder: source, entry }) => {
  const folder = copyApp(source);
  let server: RunningServer;
  let document: Record<string, any>;
  let operations: Operation[];
  let ajv: Ajv2020;
  const known: string[] = [];
  let users = 0;

  beforeAll(async () => {
    const env = { SVC_AUTH_LOGIN_MAX_FAILURES_PER_ADDRESS: '1000000', SVC_AUTH_PASSWORD_HASH: 'argon2id' };
    server = await startServer({ folder, entry, env });
    document = (await (await fetch(`${server.base}/openapi.json`)).json()) as Record<string, any>;
    operations = operationsOf(document);
    ajv = new Ajv2020({
      strict: false,
      formats: {
        uuid: /^[0-9a-f-]{36}$/,
        'date-time': /^\d{4}-\d\d-\d\dT/,
        date: /^\d{4}-/,
        time: /^\d\d:/,
        int64: true,
        double: true,
        password: true,
      },
    });
    ajv.addSchema({ $id: 'api', ...document });
  });
  afterAll(async () => {
    await server?.stop();
    removeFolder(folder);
  });

  async function newUser(): Promise<string> {
    users += 1;
    const answer = await post(server.base, '/user/register', {
      username: `fuzz-${users}`,
      password: 'correct horse 1',
    });
    known.push(answer.data.root_id);
    return answer.data.token as string;
  }

  const validators = new Map<string, ValidateFunction>();
  function validatorOf(operation: Operation, status: string, type: string): ValidateFunction | undefined {
    const pointer = ['paths', operation.path, operation.method.toLowerCase(), 'responses', status];
    const named = operation.responses[status]!['$ref'] as string | undefined;
    const place = named === undefined ? pointer : named.slice(2).split('/');
    const response = place.reduce((at, part) => at[part], document);
    if (response['content']?.[type]?.['schema'] === undefined) return undefined;
    const path = [...place, 'content', type, 'schema'].map((part) =>
      encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')),
    );
    const ref = `api#/${path.join('/')}`;
    const validate = validators.get(ref) ?? ajv.compile({ $ref: ref });
    validators.set(ref, validate);
    return validate;
  }

  /** Sends a call and gives what is wrong with its answer. */
  async function judge(operation: Operation, call: MadeCall, token: string | undefined): Promise<string | undefined> {
    const response = await sendCall(server.base, operation, call, token);
    const text = await response.text();
    const { status } = response;
    const shown = `${status} ${text.slice(0, 600)}`;
    if (status >= 500 && !(String(status) in operation.responses && status < 503 && status > 500))
      return `failed: ${shown}`;
    if (operation.needsToken && token === undefined && status !== 401) return `answered without a token: ${shown}`;
    const type = (response.headers.get('content-type') ?? '').split(';')[0]!;
    if (!(String(status) in operation.responses)) {
      if (!general.has(status)) return `not announced: ${shown}`;
      const validate = ajv.compile({ $ref: 'api#/components/schemas/Error' });
      return validate(JSON.parse(text)) ? undefined : `${JSON.stringify(validate.errors?.slice(0, 3))}: ${shown}`;
    }
    const described = validatorOf(operation, String(status), type);
    if (described === undefined)
      return text === '' || type !== 'application/json' ? undefined : `no schema for ${type}: ${shown}`;
    if (type !== 'application/json') return undefined;
    const value: unknown = JSON.parse(text);
    for (const [, id] of text.matchAll(/"_svc_id":"([0-9a-f]{32})"/g)) if (known.length < 40) known.push(id!);
    return described(value) ? undefined : `${JSON.stringify(described.errors?.slice(0, 3))}: ${shown}`;
  }

  test('what needs a token is closed without one, and with a bad one', async () => {
    const closed = operations.filter(({ needsToken }) => needsToken);
    expect(closed.length).toBeGreaterThan(5);
    for (const operation of closed) {
      const [call] = fc.sample(callsOf(operation, document, []), { numRuns: 1, seed });
      for (const token of [undefined, 'not.a.token', `${await newUserToken()}x`]) {
        const response = await sendCall(server.base, operation, call!, token);
        expect([operation.id, token, response.status]).toEqual([operation.id, token, 401]);
        await response.body?.cancel();
      }
    }
    // The metrics endpoint and the like say so in the description; nothing else is open by mistake.
    const protectedPaths = Object.entries<Record<string, any>>(document['paths']).filter(([path]) =>
      path.startsWith('/user/me'),
    );
    expect(protectedPaths.length).toBeGreaterThan(0);
  });
  let oneToken: string | undefined;
  const newUserToken = async () => (oneToken ??= await newUser());

  test('calls that were found', async () => {
    for (const { operation: id, call } of found.filter(({ app }) => app === name)) {
      const operation = operations.find((one) => one.id === id)!;
      const token = operation.takesToken ? await newUser() : undefined;
      expect([id, call, await judge(operation, call, token)]).toEqual([id, call, undefined]);
    }
  });

  test(`${runs} calls of each endpoint (seed ${seed})`, async () => {
    const wrong: string[] = [];
    for (const operation of operations) {
      let token = await newUserToken();
      const property = fc.asyncProperty(callsOf(operation, document, known), async (call) => {
        if (ending.test(operation.id)) token = await newUser();
        const problem = await judge(operation, call, operation.takesToken ? token : undefined);
        if (problem !== undefined) throw new Error(problem);
      });
      const numRuns = costly.test(operation.id) || ending.test(operation.id) ? Math.ceil(runs / 4) : runs;
      const result = await fc.check(property, { numRuns, seed, interruptAfterTimeLimit: 60_000 });
      if (result.failed) {
        const why = (result.errorInstance as Error | null)?.message ?? 'ran too long';
        wrong.push(`${operation.id} ${JSON.stringify(result.counterexample)}\n    ${why}`);
      }
    }
    expect(wrong.join('\n\n')).toBe('');
    expect(server.output()).not.toMatch(/the server failed/);
  }, 1_200_000); // as many calls as were asked for
});
