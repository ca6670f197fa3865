import { SYSTEM_ROOT_ID } from '../../core/graph/ids.ts';
import { type ExecutionContext, runInContext } from '../../core/memory/context.ts';
import { LiveSession } from '../../core/memory/live-session.ts';
import type { Runtime } from '../../core/memory/runtime.ts';
import { commitLast } from '../../core/memory/session-commit.ts';
import { openRoot } from '../../core/memory/session-rows.ts';
import { runEffects } from '../../core/memory/unit.ts';
import type { Trace } from '../../core/trace/trace.ts';
import { SystemExit } from '../../library/values/objects/exceptions.ts';

/**
 * Runs a program outside any call: as the system, on its root, committing after each outermost walk and at the normal end
 * (docs/language/graph.md#persistence). What is not committed when it fails is dropped. `story`: told what happens.
 */
export async function runScript(runtime: Runtime, work: () => Promise<unknown>, story?: Trace): Promise<void> {
  const warnings: string[] = [];
  const session = new LiveSession(
    runtime,
    { rootId: SYSTEM_ROOT_ID, kind: 'system', commitsAfterWalks: true },
    warnings,
  );
  session.trace = story;
  const context: ExecutionContext = {
    runtime,
    session,
    rootId: SYSTEM_ROOT_ID,
    userId: null,
    callerKind: 'system',
    warnings,
  };
  let exit: unknown;
  if (!runtime.store.isSync) await openRoot(session);
  try {
    await runInContext(context, work);
  } catch (error) {
    if (!(error instanceof SystemExit)) throw error;
    exit = error;
  }
  await commitLast(session);
  session.close();
  await runEffects(context);
  if (exit !== undefined) throw exit;
}
