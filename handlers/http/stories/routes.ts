/** `/studio/api/stories` (docs/guide/stories.md#asking): for whoever sits at the machine in development, else for administrators. */
import { Failure } from '../../../core/errors.ts';
import type { FixedRoute, RouteContext } from '../../routes.ts';
import { isAdmitted } from './admission.ts';
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
  const admit = (context: RouteContext) => {
    if (!isAdmitted(context, opensToLoopback)) throw new Failure('FORBIDDEN', 'Only administrators see stories.');
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
