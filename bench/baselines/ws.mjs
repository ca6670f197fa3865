// The `ws` package by hand: `/ws/Talk` answers the sender, `/ws/Room` sends a string to everybody, one by one.
import { createServer } from 'node:http';
import { WebSocketServer } from 'ws';

const server = createServer();
const sockets = new WebSocketServer({ server, perMessageDeflate: false });
const room = new Set();
const answerTo = (data) => {
  const { message } = JSON.parse(data);
  return JSON.stringify({
    ok: true,
    data: {
      result: { _svc_type: 'Talk', _svc_id: null, _svc_archetype: 'walker', message },
      reports: [{ echo: message }],
    },
  });
};
sockets.on('connection', (socket, request) => {
  if (request.url === '/ws/Room') {
    room.add(socket);
    socket.on('close', () => room.delete(socket));
    socket.on('message', (data) => {
      const text = answerTo(data);
      for (const one of room) one.send(text);
    });
  } else socket.on('message', (data) => socket.send(answerTo(data)));
});
server.listen(Number(process.env.PORT), '127.0.0.1');
