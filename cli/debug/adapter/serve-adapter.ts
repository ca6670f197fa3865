import { createServer } from 'node:net';
import { CommandFailure } from '../../command-failure.ts';
import { exitCodes } from '../../exit-codes.ts';
import type { Terminal } from '../../terminal.ts';
import { SvcDebugSession } from './adapter.ts';

/** Speaks the Debug Adapter Protocol: on standard input and output, or to all who connect to a port of this machine. Resolves at the end of the input. */
export async function serveAdapter(terminal: Terminal, port: number | undefined): Promise<number> {
  if (port === undefined) {
    const session = new SvcDebugSession(terminal);
    session.setRunAsServer(true);
    session.start(process.stdin, process.stdout);
    await new Promise((resolve) => process.stdin.once('end', resolve).once('close', resolve));
    await session.end();
    return exitCodes.success;
  }
  // Answers and events are small and come one after the other: none waits until those before are acknowledged.
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on('error', () => {});
    const session = new SvcDebugSession(terminal);
    session.setRunAsServer(true);
    session.start(socket, socket);
    socket.once('close', () => void session.end());
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', () =>
      reject(new CommandFailure(exitCodes.cannotBind, `cannot use port ${port}`, 'it is taken')),
    );
    server.listen(port, '127.0.0.1', resolve);
  });
  terminal.err(`svc: debug adapter on 127.0.0.1:${(server.address() as { port: number }).port}\n`);
  await new Promise((resolve) => process.once('SIGINT', resolve).once('SIGTERM', resolve));
  server.close();
  return exitCodes.success;
}
