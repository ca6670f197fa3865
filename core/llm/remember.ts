/**
 * Answers within one call (decisions/0030). A unit of work that meets a conflict runs again from the start; what it asks a model then is
 * answered from before as long as the question is the same, so a replay costs no second request and sees the same answers.
 */
import { currentContext } from '../memory/context.ts';

type Answers = Map<string, Promise<unknown>[]>;

/** Answers by call, in the order in which the same question was asked. */
const byCall = new WeakMap<object, Answers>();
/** Numbers of times each question was asked so far, by run. */
const byRun = new WeakMap<object, Map<string, number>>();

/** `ask()`, or what an earlier run of this call was answered to the same `question`. Failures are not kept. */
export function rememberedIn<T>(question: string, ask: () => Promise<T>): Promise<T> {
  const context = currentContext();
  if (context.call === undefined) return ask();
  const asked = entry(byRun, context, () => new Map<string, number>());
  const turn = asked.get(question) ?? 0;
  asked.set(question, turn + 1);
  const answers = entry(byCall, context.call, (): Answers => new Map());
  let known = answers.get(question);
  if (known === undefined) answers.set(question, (known = []));
  const before = known[turn];
  if (before !== undefined) return before as Promise<T>;
  // Others that want the same objects do not wait for a model.
  context.endTurn?.();
  context.endTurn = undefined;
  const answer = ask();
  known[turn] = answer;
  answer.catch(() => {
    if (known[turn] === answer) delete known[turn];
  });
  return answer;
}

function entry<V>(map: WeakMap<object, V>, key: object, make: () => V): V {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make()));
  return value;
}
