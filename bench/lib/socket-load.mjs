// Clients of one socket endpoint, in a process of their own. `node socket-load.mjs PORT PATH CLIENTS`; then, over its IPC channel,
// { echo: seconds } runs every client in a closed loop, { broadcasts: n } has one client send n messages, each when all have the one
// before. Answers { received }.
import { WebSocket } from 'ws';

const [port, path, count] = process.argv.slice(2);
const text = JSON.stringify({ message: 'x'.repeat(180) });
const clients = [];
let received = 0;
let onMessage = () => {};

for (let begun = 0; begun < Number(count); begun += 100) {
  const batch = Array.from({ length: Math.min(100, Number(count) - begun) }, () => open());
  clients.push(...(await Promise.all(batch)));
}

function open() {
  return new Promise((resolve, reject) => {
    const socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, { perMessageDeflate: false });
    socket.on('open', () => resolve(socket));
    socket.on('error', reject);
    socket.on('message', (data) => {
      if (data.length < 100) return; // heartbeats
      received++;
      onMessage(socket);
    });
  });
}

process.on('message', async ({ echo, broadcasts }) => {
  received = 0;
  if (echo !== undefined) await runEcho(echo);
  else await runBroadcasts(broadcasts);
  process.send({ received });
});

function runEcho(seconds) {
  return new Promise((resolve) => {
    let isOver = false;
    onMessage = (socket) => isOver || socket.send(text);
    for (const socket of clients) socket.send(text);
    setTimeout(() => {
      isOver = true;
      setTimeout(resolve, 100);
    }, seconds * 1000);
  });
}

function runBroadcasts(n) {
  return new Promise((resolve) => {
    let left = n;
    const next = () => {
      if (left-- === 0) return resolve();
      let missing = clients.length;
      onMessage = () => {
        if (--missing === 0) next();
      };
      clients[0].send(text);
    };
    next();
  });
}

process.send({ ready: true });
