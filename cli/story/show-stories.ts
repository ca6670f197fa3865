/** `svc story`: asks a running server for stories and prints them (docs/guide/stories.md#asking). */
import { findProjectFile, readConfig } from '../../adapters/config/read-config.ts';
import type { ToldReplay } from '../../handlers/http/stories/replay.ts';
import type { StoryHead, ToldStory } from '../../handlers/http/stories/tell-story.ts';
import type { CommandArgs } from '../command.ts';
import { CommandFailure, usageFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import type { Terminal } from '../terminal.ts';
import { headLine, replayText, storyText } from './story-text.ts';

const timeoutMs = 30_000;
const usualLast = 10;

/** @throws CommandFailure when no server answers, and when it refuses */
export async function showStories({ operands, options, terminal }: CommandArgs): Promise<number> {
  const [id] = operands;
  const { last, walker, url } = options;
  if (id !== undefined && (last !== undefined || walker !== undefined))
    throw usageFailure('svc story', 'a request id names one call: leave out --last and --walker');
  if (id === undefined && options['replay'] === true)
    throw usageFailure('svc story --replay', 'name the call by its request id');
  const server = await serverOf(url as string | undefined, options['token'] as string | undefined, terminal);
  const isJson = options['json'] === true;
  if (id !== undefined && options['replay'] === true) return await replay(server, id, isJson, terminal);
  if (id !== undefined) return print(await storyOf(server, id), isJson, terminal);
  const limit = last === undefined ? 1 : last === true ? usualLast : Number(last);
  const query = new URLSearchParams({
    limit: String(limit),
    ...(walker === undefined ? {} : { walker: String(walker) }),
  });
  const found = (await ask(server, `/studio/api/stories?${query}`)) as { stories: readonly StoryHead[] } | undefined;
  const stories = found?.stories ?? [];
  if (stories.length === 0) return tellNothing(terminal);
  if (last === undefined) return print(await storyOf(server, stories[0]!.id), isJson, terminal);
  for (const head of stories) terminal.out(isJson ? `${JSON.stringify(head)}\n` : `${headLine(head)}\n`);
  return exitCodes.success;
}

interface Server {
  readonly url: string;
  readonly token: string | undefined;
}

async function replay(server: Server, id: string, isJson: boolean, terminal: Terminal): Promise<number> {
  const path = `/studio/api/stories/${encodeURIComponent(id)}/replay`;
  const told = (await ask(server, path, 'POST')) as ToldReplay | undefined;
  if (told === undefined) return tellNothing(terminal);
  terminal.out(isJson ? `${JSON.stringify(told)}\n` : `${storyText(told.story)}${replayText(told)}`);
  return told.same ? exitCodes.success : exitCodes.failure;
}

function print(story: ToldStory | undefined, isJson: boolean, terminal: Terminal): number {
  if (story === undefined) return tellNothing(terminal);
  terminal.out(isJson ? `${JSON.stringify(story)}\n` : storyText(story));
  return exitCodes.success;
}

function tellNothing(terminal: Terminal): number {
  terminal.err('svc: story: no such call is kept\n');
  return exitCodes.failure;
}

async function serverOf(url: string | undefined, token: string | undefined, terminal: Terminal): Promise<Server> {
  const { env, cwd } = terminal;
  const given = url ?? `http://127.0.0.1:${portOf(cwd, env)}`;
  if (!/^https?:\/\//.test(given) || !URL.canParse(given))
    throw usageFailure('svc story', `--url takes an address with http:// or https://, not '${given}'`);
  return { url: given.replace(/\/+$/, ''), token: token ?? env['SVC_TOKEN'] };
}

function portOf(cwd: string, env: Terminal['env']): number {
  if (findProjectFile(cwd) === undefined) return 8000;
  const { config } = readConfig({ startDir: cwd, cwd, env, isTerminal: false });
  return config.serve.port === 0 ? 8000 : config.serve.port;
}

async function storyOf(server: Server, id: string): Promise<ToldStory | undefined> {
  const found = (await ask(server, `/studio/api/stories/${encodeURIComponent(id)}`)) as ToldStory | undefined;
  if (found === undefined) return undefined;
  return Object.fromEntries(members.map((name) => [name, found[name]])) as unknown as ToldStory;
}

/** Members in the order in which they are documented. */
const members = ['id', 'at', 'target', 'caller', 'status', 'duration_ms', 'request', 'attempts', 'steps'].concat([
  'reports',
  'error',
  'truncated',
]) as readonly (keyof ToldStory)[];

/** The data of an answer; undefined for 404. */
async function ask({ url, token }: Server, path: string, method = 'GET'): Promise<unknown> {
  const headers: Record<string, string> = token === undefined ? {} : { Authorization: `Bearer ${token}` };
  let answer: Response;
  let body: { data?: unknown; error?: { message?: string; code?: string } | null };
  try {
    answer = await fetch(`${url}${path}`, { method, headers, signal: AbortSignal.timeout(timeoutMs) });
    body = (await answer.json().catch(() => ({}))) as typeof body;
  } catch (error) {
    const reason = (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).message;
    throw new CommandFailure(exitCodes.prerequisite, 'no server answers', `${url} (${reason})`, [
      'svc start starts one; --url says where it is',
    ]);
  }
  if (answer.status === 404) return undefined;
  if (answer.ok) return body.data;
  throw new CommandFailure(exitCodes.failure, `the server answered ${answer.status}`, body.error?.message ?? url, [
    ...(answer.status === 401 || answer.status === 403 ? ['--token takes the token of an administrator'] : []),
  ]);
}
