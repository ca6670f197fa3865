/**
 * `publish`, `subscribe`, `unsubscribe` of `svc_scale` (docs/server/topics.md). They act after the commit, once, as functions given to
 * `on_commit` do: never for an attempt that failed or runs again.
 */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { RuntimeError, TypeError, ValueError } from '../../library/values/objects/exceptions.ts';
import { typeName } from '../../library/values/objects/type-name.ts';
import { Failure } from '../errors.ts';
import { idOf } from '../graph/ids.ts';
import { chain } from '../memory/chain.ts';
import { currentContext, type ExecutionContext } from '../memory/context.ts';
import { requireWritable } from '../memory/read-only.ts';
import type { Runtime } from '../memory/runtime.ts';
import type { Membership, MembershipChange, TopicAct, TopicStep, Topics } from './topics.ts';

const maxNameBytes = 200;

export function publish(topic: unknown, value: unknown): null {
  const context = currentContext();
  requireWritable(context.session, 'called publish()');
  const name = requireName(topic);
  const { topics } = context.runtime;
  requireTopics(topics);
  // Outside of a server nobody can have subscribed.
  if (topics !== undefined) stepsOf(context).push({ topic: name, data: topics.textOf(value) });
  return null;
}

export function subscribe(topic: unknown): null {
  const context = currentContext();
  const name = requireName(topic);
  const membership = requireMembership(context, 'subscribe');
  const steps = stepsOf(context);
  const wanted = new Set(steps.flatMap((step) => ('joins' in step && step.joins ? [step.topic] : [])));
  wanted.add(name);
  const further = [...wanted].filter((each) => !membership.has(each)).length;
  if (further > membership.free) {
    throw new Failure('LIMIT_REACHED', 'This connection is subscribed to as many topics as it may be.');
  }
  steps.push({ topic: name, joins: true });
  return null;
}

/** Ends the membership of the connection, or those of a root, wherever its connections are. */
export function unsubscribe(topic: unknown, rootId: unknown = null): null {
  const context = currentContext();
  const name = requireName(topic);
  if (rootId === null) {
    requireMembership(context, 'unsubscribe');
    stepsOf(context).push({ topic: name, joins: false });
    return null;
  }
  requireWritable(context.session, 'expelled somebody from a topic');
  const expelled = idOf(rootId);
  if (expelled === undefined) throw new ValueError('root_id must be the id of a root');
  const { topics } = context.runtime;
  requireTopics(topics);
  if (topics !== undefined) stepsOf(context).push({ topic: name, expelled });
  return null;
}

function requireTopics(topics: Runtime['topics']): asserts topics is Topics | undefined {
  if (topics === 'none') throw new RuntimeError('topics are not served by cloud functions');
}

function requireName(topic: unknown): string {
  if (typeof topic !== 'string') throw new TypeError(`topic must be str, not '${typeName(topic)}'`);
  if (topic === '') throw new ValueError('topic must not be empty');
  if (Buffer.byteLength(topic) > maxNameBytes) throw new ValueError(`topic must have at most ${maxNameBytes} bytes`);
  return topic;
}

function requireMembership({ call }: ExecutionContext, name: string): Membership {
  const membership = call?.membership;
  if (membership !== undefined) return membership;
  throw new RuntimeError(
    `${name}() needs a connection that hears topics: a message of a socket, or a call with Accept: text/event-stream`,
  );
}

/** Steps of the unit since its last commit. */
function stepsOf(context: ExecutionContext): TopicStep[] {
  const { session } = context;
  if (session.topicSteps !== undefined) return session.topicSteps;
  const steps: TopicStep[] = [];
  session.topicSteps = steps;
  session.effects.push(() => {
    session.topicSteps = undefined;
    return take(steps, context);
  });
  return steps;
}

/**
 * Messages of a unit leave together. Memberships that change before the last of them are changed before: who joins a room and greets it hears
 * the greeting.
 */
function take(steps: readonly TopicStep[], { call, runtime }: ExecutionContext): MaybePromise<void> {
  const isAct = (step: TopicStep): step is TopicAct => !('joins' in step);
  const isChange = (step: TopicStep): step is MembershipChange => 'joins' in step;
  const acts = steps.filter(isAct);
  const last = steps.findLastIndex(isAct);
  const change = (some: readonly TopicStep[]) => {
    const changes = some.filter(isChange);
    return changes.length === 0 ? undefined : call!.membership!.apply(changes);
  };
  return chain(change(steps.slice(0, last + 1)), () =>
    chain(acts.length === 0 ? undefined : (runtime.topics as Topics).send(acts), () => change(steps.slice(last + 1))),
  );
}
