/** `/studio/api/stories` (docs/guide/stories.md#asking): for whoever sits at the machine in development, else for administrators. */
import { parseAddress } from '../../../base/parse-address.ts';
import { missingToken } from '../../../core/accounts/refusals.ts';
import { Failure } from '../../../core/errors.ts';
import type { FixedRoute, RouteContext } from '../../routes.ts';
import { replayCall } from './replay.ts';
import type { RecordedCall, StoryBook } from './story-book.ts';
import { headOf, type StoryDeps, tellStory } from './tell-story.ts';

export interface StoryRoutesParts extends StoryDeps {
  readonly book: StoryBook;
  /** Development: requests of this machine need no token. */
  readonly opensToLoopback: boolean;
}

/** Stories that one answer lists. */
const mostListed = 500;

export function storyRoutes(parts: StoryRoutesParts): readonly FixedRoute[] {
  const { book, opensToLoopback } = parts;
  const admit = ({ call, caller }: RouteContext) => {
    if (caller.role === 'admin' || (opensToLoopback && isFromHere(call))) return;
    if (caller.kind === 'guest') throw missingToken();
    throw new Failure('FORBIDDEN', 'Only administrators see stories.');
  };
  const shared = { method: 'GET', auth: 'optional', tag: 'Studio', body: 'none', unmirrored: ['stories'] } as const;
  return [
    {
      ...shared,
      method: 'POST',
      template: '/studio/api/stories/{id}/replay',
      operationId: 'studio_replay',
      summary: 'The same call once more on what it saw; nothing is stored',
      unmirrored: ['id', 'same', 'differences', 'notes', 'story'],
      async run(context) {
        if (!opensToLoopback) throw new Failure('FORBIDDEN', 'Calls are replayed in development alone.');
        admit(context);
        return { ...(await replayCall(requireCall(book, context.params['id']!), parts)) };
      },
    },
    {
      ...shared,
      template: '/studio/api/stories',
      operationId: 'studio_stories',
      summary: 'Calls of which the server has a story, newest first',
      run(context) {
        admit(context);
        const [walker, limit] = [context.query.get('walker')?.at(-1), Number(context.query.get('limit')?.at(-1) ?? 50)];
        const wanted = Number.isInteger(limit) && limit > 0 ? Math.min(limit, mostListed) : 50;
        const calls = book.list().filter(({ target }) => walker === undefined || target.name === walker);
        return { stories: calls.slice(0, wanted).map((call) => headOf(call)) };
      },
    },
    {
      ...shared,
      template: '/studio/api/stories/{id}',
      operationId: 'studio_story',
      summary: 'The story of one call',
      unmirrored: storyMembers,
      run(context) {
        admit(context);
        return { ...tellStory(requireCall(book, context.params['id']!), parts) };
      },
    },
  ];
}

/** Members of a story that stand in `data` alone. */
const storyMembers = ['id', 'at', 'target', 'caller', 'status', 'duration_ms'].concat([
  'request',
  'attempts',
  'steps',
  'reports',
  'error',
  'truncated',
]);

function requireCall(book: StoryBook, id: string): RecordedCall {
  const found = book.find(id);
  if (found === undefined) throw new Failure('NOT_FOUND', 'No story of a call with this request id is kept.');
  return found;
}

const proxyHeaders = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-real-ip', 'via'];
const localNames = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * The peer is on this machine and speaks for itself: through no proxy, to a name of this machine (a page of elsewhere may have its own name
 * lead here), and from no page of another origin.
 */
function isFromHere(call: RouteContext['call']): boolean {
  if (proxyHeaders.some((name) => call.header(name) !== undefined)) return false;
  if (!localNames.test(call.header('host') ?? '')) return false;
  const site = call.header('sec-fetch-site');
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return false;
  const origin = call.header('origin');
  if (origin !== undefined && origin !== `http://${call.header('host')}`) return false;
  return isLoopback(call.peer);
}

function isLoopback(address: string): boolean {
  const bytes = parseAddress(address.replace(/%.*$/, ''));
  if (bytes === undefined || !bytes.subarray(0, 10).every((byte) => byte === 0)) return false;
  if (bytes[10] === 0xff && bytes[11] === 0xff) return bytes[12] === 127;
  return bytes.subarray(10, 15).every((byte) => byte === 0) && bytes[15] === 1;
}
