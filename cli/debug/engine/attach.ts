import { openSession, type Session, type SessionEvents } from './session.ts';

const answerMs = 5000;

/** Connects to a program that `--inspect` has opened on a port of this machine. @throws Error with a sentence when there is none */
export async function attach(port: number, events: SessionEvents): Promise<Session> {
  let list: readonly { readonly webSocketDebuggerUrl?: string }[];
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/json/list`, { signal: AbortSignal.timeout(answerMs) });
    list = (await answer.json()) as typeof list;
  } catch {
    throw new Error(`no program listens for a debugger on port ${port}`);
  }
  const url = list[0]?.webSocketDebuggerUrl;
  if (url === undefined) throw new Error(`no program listens for a debugger on port ${port}`);
  const session = await openSession(url, events);
  try {
    await session.ask({ ask: 'files' });
  } catch (error) {
    await session.release();
    throw error;
  }
  return session;
}
