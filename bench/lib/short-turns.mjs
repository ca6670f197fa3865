// Load in turns of a tenth of a second: wrk takes a second at least, in which a shared machine changes its speed by more than is asked for. This
// process is the load generator, on the processor that is wrk's elsewhere, and has 32 connections that stay.
import { execFileSync } from 'node:child_process';
import net from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { cpuSeconds, loadCpu } from './server.mjs';

const connections = 32;

/** Text of a request, the same each time. */
export function requestText({ port }, path, body, headers = {}) {
  const lines = Object.entries({ Host: `127.0.0.1:${port}`, 'Content-Type': 'application/json', ...headers });
  const length = Buffer.byteLength(body);
  return Buffer.from(
    `POST ${path} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}Content-Length: ${length}\r\n\r\n${body}`,
  );
}

/** Opens connections to a server. `turn` sends a request again and again for some milliseconds, and gives the answers per second of its processor. */
export async function shortTurns(server) {
  execFileSync('taskset', ['-cp', loadCpu, String(process.pid)]);
  let request;
  let answered = 0;
  let resting = 0;
  let isOver = true;
  const sockets = Array.from({ length: connections }, () => {
    const socket = net.connect(server.port, '127.0.0.1').setNoDelay(true);
    socket.on('data', (part) => {
      if (!part.toString('latin1', 0, 12).startsWith('HTTP/1.1 200')) throw new Error(part.toString().slice(0, 400));
      answered += 1;
      if (isOver) resting += 1;
      else socket.write(request);
    });
    socket.on('error', (error) => {
      throw error;
    });
    return socket;
  });
  return {
    async turn(text, ms = 100) {
      request = text;
      isOver = false;
      answered = resting = 0;
      const before = cpuSeconds(server.pid);
      for (const socket of sockets) socket.write(request);
      await pause(ms);
      isOver = true;
      while (resting < connections) await pause(1);
      return answered / (cpuSeconds(server.pid) - before);
    },
    close() {
      for (const socket of sockets) socket.destroy();
    },
  };
}
