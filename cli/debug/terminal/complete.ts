import type { Session } from '../engine/session.ts';
import { commandNames, shorts as fullNames } from './parse-command.ts';

/** Variables of a scope that are looked through. */
const most = 500;

/** Texts that the last word of a line may become: commands, and behind one of them variables of the frame, files, or sorts of exceptions. */
export async function completionsOf(
  line: string,
  session: Session | undefined,
  frame: number,
): Promise<readonly string[]> {
  const [, command, word = ''] = /^\s*(?:(\S+)\s.*?)?([\w./]*)$/s.exec(line) ?? [];
  const fits = (names: readonly string[]) => [...new Set(names)].filter((name) => name.startsWith(word)).sort();
  if (command === undefined) return fits(commandNames);
  const full = fullNames[command] ?? command;
  if (full === 'catch') return fits(['uncaught', 'all', 'none']);
  if (session?.isStopped !== true || session.isEvaluating) return [];
  if (full === 'print' || full === 'set') return fits(await variablesOf(session, frame));
  return full === 'break' || full === 'log' ? fits((await session.ask({ ask: 'files' })).files) : [];
}

async function variablesOf(session: Session, frame: number): Promise<readonly string[]> {
  const scopes = await session.ask({ ask: 'scopes', frame });
  const shown = scopes.filter(({ name }) => name !== 'Call');
  const lists = await Promise.all(shown.map(({ ref }) => session.ask({ ask: 'children', ref, start: 0, count: most })));
  return lists.flat().map(({ name }) => name);
}
