/** Everything that is done to a server: for each protocol attacks at each of its stages. */
import { gzipSync } from 'node:zlib';
import { chunked, frame, handshake, head, message, multipartHead, opcodes, part, post } from './bytes.ts';
import {
  abandoned,
  damaged,
  garble,
  inPieces,
  type MakeAttack,
  type Random,
  randomEnd,
  randomPause,
} from './damage.ts';

const { text, binary, continuation, close, ping, pong } = opcodes;
const ok = /^HTTP\/1\.1 200 /;
const ping200 = post('/walker/Ping', { name: 'Ada' });
const json = 'Content-Type: application/json';

const http: readonly MakeAttack[] = [
  damaged('GET', head('GET /walkers', 'Accept: application/json')),
  damaged('POST', ping200),
  damaged('POST that writes', post('/walker/Add', { n: 1 })),
  damaged(
    'chunked',
    head('POST /walker/Ping', json, 'Transfer-Encoding: chunked') +
      chunked('{"name":') +
      chunked('"Ada"}') +
      '0\r\nTrailer: x\r\n\r\n',
  ),
  damaged(
    'pipelined',
    ping200 + post('/function/slow', { ms: 5 }) + ping200 + post('/function/numbers', { count: 50 }),
  ),
  abandoned('answered, then half a request', { send: ping200 }, { until: ok }, { send: ping200.slice(0, 60) }),
  abandoned('while it runs', { send: post('/function/slow', { ms: 20 }) }),
  abandoned('pipelined behind one that runs', {
    send: post('/function/slow', { ms: 20 }) + ping200.repeat(3) + post('/function/numbers', {}),
  }),
  abandoned('between head and body', { send: head('POST /walker/Ping', json, 'Content-Length: 20') }),
  abandoned('in the body', { send: `${head('POST /walker/Add', json, 'Content-Length: 20')}{"n":` }),
  abandoned('in a chunk', { send: `${head('POST /walker/Add', json, 'Transfer-Encoding: chunked')}ff\r\n{"n":` }),
  abandoned('100-continue, before it', {
    send: head('POST /walker/Ping', json, 'Content-Length: 20', 'Expect: 100-continue'),
  }),
  abandoned(
    '100-continue, after it',
    { send: head('POST /walker/Ping', json, 'Content-Length: 20', 'Expect: 100-continue') },
    { until: /^HTTP\/1\.1 100 Continue/ },
    { send: '{"na' },
  ),
  abandoned(
    'another expectation',
    { send: head('POST /walker/Ping', json, 'Content-Length: 20', 'Expect: magic') },
    { until: /^HTTP\/1\.1 400 / },
  ),
  abandoned(
    'a body that is announced too large',
    { send: `${head('POST /walker/Ping', json, 'Content-Length: 99999999')}{"n` },
    { until: /^HTTP\/1\.1 413 / },
  ),
  abandoned('a line that is too long', { send: head(`GET /${'a'.repeat(9000)}`) }, { until: /^HTTP\/1\.1 414 / }),
  abandoned(
    'headers that are too large',
    { send: head('GET /', `X: ${'a'.repeat(20_000)}`) },
    { until: /^HTTP\/1\.1 431 / },
  ),
  abandoned('headers without end', { send: `GET / HTTP/1.1\r\n${'X: y\r\n'.repeat(20_000)}` }),
  abandoned(
    'two lengths',
    { send: `${head('POST /walker/Ping', json, 'Content-Length: 5', 'Content-Length: 6')}{"n"}}` },
    { until: /^HTTP\/1\.1 400 / },
  ),
  abandoned(
    'chunks of no size',
    { send: `${head('POST /walker/Ping', json, 'Transfer-Encoding: chunked')}zz\r\n` },
    { until: /^HTTP\/1\.1 400 / },
  ),
  abandoned('a chunk of endless size', {
    send: `${head('POST /walker/Ping', json, 'Transfer-Encoding: chunked')}ffffffffffffffff\r\n{`,
  }),
  abandoned(
    'no JSON',
    { send: `${head('POST /walker/Ping', json, 'Content-Length: 4')}{"n}` },
    { until: /^HTTP\/1\.1 400 / },
  ),
  abandoned(
    'a body of another type',
    { send: `${head('POST /walker/Add', 'Content-Type: text/plain', 'Content-Length: 4')}text` },
    { until: /^HTTP\/1\.1 415 / },
  ),
  abandoned('a field of another type', { send: post('/walker/Add', { n: 'many' }) }, { until: /^HTTP\/1\.1 422 / }),
  damaged('gzip', encoded(gzipSync('{"name":"Ada"}'))),
  damaged('gzip that grows', encoded(gzipSync(Buffer.alloc(3_000_000, 0x20)))),
  abandoned('nothing there', { send: head('GET /nowhere') }, { until: /^HTTP\/1\.1 404 / }),
  ...['/', '/docs', '/redoc', '/openapi.json', '/graph', '/graph/data', '/metrics', '/healthz', '/functions'].map(
    (path) => abandoned(`GET ${path}`, { send: head(`GET ${path}`) }),
  ),
  damaged('sign-in', post('/user/login', { username: 'ada', password: 'x' })),
];

function encoded(body: Buffer): Buffer {
  const about = head('POST /walker/Ping', json, 'Content-Encoding: gzip', `Content-Length: ${body.length}`);
  return Buffer.concat([Buffer.from(about), body]);
}

const numbers = post('/function/numbers', { count: 10_000 });
/** The same through the address that streams, of the emulated cloud. */
const emulated = numbers.replace('Host: x', 'Host: emulated.lambda-url.localhost');
const streams: readonly MakeAttack[] = [
  abandoned('a stream, before it begins', { send: numbers }),
  abandoned('a stream, in the middle', { send: numbers }, { until: /data: "50 / }),
  abandoned('a stream, at its head', { send: numbers }, { until: /^HTTP\/1\.1 200 / }),
  abandoned('two streams, one behind the other', { send: numbers + numbers }, { until: /data: "9 / }),
  (random) => ({
    name: 'a stream whose reader only sends',
    moves: [
      { send: numbers },
      { until: /data: / },
      { send: garble(random, Buffer.from(ping200)) },
      ...randomPause(random),
    ],
    end: randomEnd(random),
  }),
  abandoned('a stream of a function, before it begins', { send: emulated }),
  abandoned('a stream of a function, in the middle', { send: emulated }, { until: /data: "50 / }),
  damaged('a stream', post('/function/numbers', { count: 20 })),
];

const file = part('file', 'some bytes', 'a.txt');
const uploads: readonly MakeAttack[] = [
  damaged(
    'an upload',
    head('POST /walker/Upload', ...multipartHead) +
      chunked(file + part('note', 'n')) +
      chunked('--X--\r\n') +
      '0\r\n\r\n',
  ),
  damaged(
    'an upload in many chunks',
    head('POST /walker/Upload', ...multipartHead) +
      [...file].map(chunked).join('') +
      chunked('--X--\r\n') +
      '0\r\n\r\n',
  ),
  upload('too many fields', () => [...Array.from({ length: 11 }, (_, i) => fields(i * 100, 100)), '--X--\r\n']),
  upload('no end', () => [file]),
  upload('no end of a file that nobody takes', () => [file, part('other', 'bytes', 'b').slice(0, -2)]),
  upload('no header', () => ['--X\r\n\r\nbody\r\n', file, '--X--\r\n']),
  upload('a header that never ends', () => [`--X\r\nContent-Disposition: ${'a'.repeat(100_000)}`, 'b'.repeat(1000)]),
  upload('another boundary', () => [file.replaceAll('--X', '--Y'), '--Y--\r\n']),
  upload('nothing', () => []),
  upload('what follows the end', () => [file, '--X--\r\n', file, 'more']),
  upload('garbled parts', (random) => [
    garble(random, Buffer.from(file + fields(0, 5))).toString('latin1'),
    '--X--\r\n',
  ]),
  abandoned('in a file', { send: head('POST /walker/Upload', ...multipartHead) + chunked(file.slice(0, 100)) }),
  abandoned('in a file that is kept on disk', {
    send:
      head('POST /walker/Upload', ...multipartHead) + chunked(part('file', 'x'.repeat(1_500_000), 'b').slice(0, -2)),
  }),
  abandoned(
    'a form without a boundary',
    { send: `${head('POST /walker/Upload', 'Content-Type: multipart/form-data', 'Content-Length: 5')}--X--` },
    { until: /^HTTP\/1\.1 4/ },
  ),
];

function fields(from: number, count: number): string {
  return Array.from({ length: count }, (_, i) => part(`f${from + i}`, 'v')).join('');
}

/** A whole chunked request whose body is wrong; the connection ends before or after the answer. */
function upload(name: string, pieces: (random: Random) => readonly string[]): MakeAttack {
  return (random) => {
    const sent = pieces(random).flatMap((piece) => [{ send: chunked(piece) }, ...randomPause(random)]);
    const moves = [{ send: head('POST /walker/Upload', ...multipartHead) }, ...sent, { send: '0\r\n\r\n' }];
    if (random.oneIn(2))
      return {
        name: `an upload: ${name}, answered`,
        moves: [...moves, { until: /^HTTP\/1\.1 \d\d\d / }],
        end: 'reset',
      };
    return { name: `an upload: ${name}`, moves: [...moves, ...randomPause(random)], end: randomEnd(random) };
  };
}

const paths = ['/ws/Echo', '/ws/Room', '/ws/Stream', '/nowhere', '/', '/walker/Ping', '/ws/', '/ws/%ff', '*'];
const upgrades: readonly MakeAttack[] = [
  ...paths.map((path) => abandoned(`an upgrade of ${path}`, { send: handshake(path) })),
  damaged('a handshake', handshake('/ws/Echo', 'Sec-WebSocket-Protocol: svc.v1')),
  damaged(
    'a handshake with frames behind it',
    Buffer.concat([Buffer.from(handshake('/ws/Echo')), message({ text: 'a' }), frame(close)]),
  ),
  abandoned(
    'version 8',
    { send: handshake('/ws/Echo').replace('Version: 13', 'Version: 8') },
    { until: /^HTTP\/1\.1 426 / },
  ),
  abandoned(
    'no key',
    { send: handshake('/ws/Echo').replace(/Sec-WebSocket-Key.*\r\n/, '') },
    { until: /^HTTP\/1\.1 400 / },
  ),
  abandoned('POST', { send: handshake('/ws/Echo').replace('GET', 'POST') }, { until: /^HTTP\/1\.1 4/ }),
  abandoned('nothing there', { send: handshake('/ws/Nobody') }, { until: /^HTTP\/1\.1 404 / }),
  abandoned(
    'another protocol',
    { send: head('GET /walkers', 'Connection: Upgrade', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABk') },
    { until: ok },
  ),
  abandoned('a request behind the handshake', { send: handshake('/ws/Echo') + ping200 }),
  abandoned('an upgrade behind a call that runs', { send: post('/function/slow', { ms: 10 }) + handshake('/ws/Echo') }),
  abandoned('CONNECT', { send: 'CONNECT x:443 HTTP/1.1\r\nHost: x\r\n\r\n' }),
];

const endless = Buffer.alloc(200_000, 0x61);
const frames: Readonly<Record<string, (random: Random) => readonly Uint8Array[]>> = {
  'a message': () => [message({ text: 'a' })],
  'many messages': (random) => Array.from({ length: 1 + random.below(60) }, (_, i) => message({ text: `${i}` })),
  'no JSON': () => [frame(text, '{"text":')],
  'deep JSON': () => [frame(text, '['.repeat(5000))],
  'a token that is none': () => [message({ type: 'auth', token: 'eyJhbGciOiJub25lIn0.e30.' })],
  'half a frame': () => [message({ text: 'abcdef' }).subarray(0, 9)],
  'half a header': () => [Buffer.from([0x81])],
  unmasked: () => [frame(text, '{}', { isMasked: false })],
  'reserved bits': (random) => [frame(text, '{}', { reserved: 1 + random.below(7) })],
  'reserved opcodes': (random) => [frame(random.pick([3, 4, 5, 6, 7, 11, 12, 13, 14, 15]), 'x')],
  'bad UTF-8': () => [frame(text, Buffer.from([0xff, 0xfe, 0xc0, 0x80]))],
  'bad UTF-8 over fragments': () => [
    frame(text, Buffer.from([0xe2, 0x82]), { isLast: false }),
    frame(continuation, 'x'),
  ],
  binary: () => [frame(binary, 'bytes')],
  fragments: () => [frame(text, '{"te', { isLast: false }), frame(ping, 'p'), frame(continuation, 'xt":"a"}')],
  'fragments without end': (random) => [
    frame(text, '{"', { isLast: false }),
    ...Array.from({ length: random.below(20) }, () => frame(continuation, 'a', { isLast: false })),
  ],
  'a continuation of nothing': () => [frame(continuation, 'x')],
  'two beginnings': () => [frame(text, 'a', { isLast: false }), frame(text, 'b', { isLast: false })],
  'a fragmented ping': () => [frame(ping, 'a', { isLast: false }), frame(continuation, 'b')],
  'a large ping': () => [frame(ping, Buffer.alloc(126, 0x61))],
  'many pings': (random) => Array.from({ length: random.below(200) }, () => frame(random.pick([ping, pong]), 'x')),
  'a close': () => [frame(close, Buffer.from([0x03, 0xe8]))],
  'a close of one byte': () => [frame(close, Buffer.from([0x03]))],
  'a close with a bad code': (random) => [frame(close, Buffer.from([random.pick([0, 3, 255]), random.below(256)]))],
  'a close with bad UTF-8': () => [frame(close, Buffer.from([0x03, 0xe8, 0xff]))],
  'a message after the close': () => [frame(close), message({ text: 'a' })],
  'a large message': () => [frame(text, JSON.stringify({ text: endless.toString() }))],
  'a length of 2^63': () => [frame(text, 'x', { declared: 2n ** 63n })],
  'a length of 2^40': () => [frame(text, 'x', { declared: 2n ** 40n })],
  'an announced large frame': () => [frame(text, endless, { declared: 10_000_000 })],
  'no frames at all': (random) => [Buffer.from(Array.from({ length: 1 + random.below(300) }, () => random.below(256)))],
  'a request': () => [Buffer.from(ping200)],
};

/** An open socket that gets frames, whole or garbled, and whose connection then ends, at once or when something came back. */
function session(name: string, make: (random: Random) => readonly Uint8Array[]): MakeAttack {
  return (random) => {
    const path = random.pick(['/ws/Echo', '/ws/Room', '/ws/Stream']);
    const bytes = Buffer.concat(make(random));
    const sent = random.oneIn(4) ? garble(random, bytes) : bytes;
    return {
      name: `a socket: ${name}`,
      moves: [
        { send: handshake(path) },
        { until: /^HTTP\/1\.1 101 [\s\S]*\r\n\r\n/ },
        ...inPieces(random, sent),
        ...randomPause(random),
        ...randomPause(random),
      ],
      end: random.pick(['reset', 'reset', 'reset', 'close']),
    };
  };
}

const open101 = { until: /^HTTP\/1\.1 101 [\s\S]*\r\n\r\n/ };
const sockets: readonly MakeAttack[] = [
  ...Object.entries(frames).map(([name, make]) => session(name, make)),
  abandoned('a socket: reset while open', { send: handshake('/ws/Room') }, open101),
  abandoned(
    'a socket: answered',
    { send: handshake('/ws/Echo') },
    open101,
    { send: message({ text: 'a' }) },
    { until: /"reports":\["a"\]/ },
  ),
  abandoned(
    'a socket: in a stream',
    { send: handshake('/ws/Stream') },
    open101,
    { send: message({ count: 5000 }) },
    { until: /x{50}/ },
  ),
  abandoned('a socket: a broadcast', { send: handshake('/ws/Room') }, open101, { send: message({ text: 'a' }) }),
];

/** Attacks with the bytes that clients of other protocols, and the machines before a server, send to its port. */
const clientHello = Buffer.from(
  '16030100c8010000c40303000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20e0e1e2e3e4e5e6e7e8e9eaebecedeeeff0f1f2f3f4f5f6f7f8f9fafbfcfdfeff000813021303130100ff010000',
  'hex',
);
const foreign: readonly MakeAttack[] = [
  abandoned('a probe that only connects'),
  (random) => ({
    name: 'a probe that waits',
    moves: randomPause(random),
    end: random.pick(['close', 'half', 'reset']),
  }),
  abandoned('HEAD', { send: head('HEAD /') }, { until: ok }),
  abandoned('OPTIONS *', { send: head('OPTIONS *') }, { until: /^HTTP\/1\.1 \d/ }),
  abandoned('a whole address', { send: head('GET http://x/healthz/live') }, { until: ok }),
  abandoned('HTTP/1.0', { send: 'GET /healthz/live HTTP/1.0\r\n\r\n' }, { until: ok }),
  abandoned('HTTP/0.9', { send: 'GET /\r\n' }),
  damaged('TLS', clientHello),
  damaged('HTTP/2', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\u0000\u0000\u0000\u0004\u0000\u0000\u0000\u0000\u0000'),
  damaged('PROXY 1', `PROXY TCP4 192.0.2.1 192.0.2.2 56324 443\r\n${ping200}`),
  damaged(
    'PROXY 2',
    Buffer.concat([
      Buffer.from('0d0a0d0a000d0a515549540a21110000c0000201c0000202dc0401bb', 'hex'),
      Buffer.from(ping200),
    ]),
  ),
  damaged('SSH', 'SSH-2.0-OpenSSH_9.6\r\n'),
  damaged('SOCKS', Buffer.from([5, 1, 0])),
  damaged('Redis', '*1\r\n$4\r\nPING\r\n'),
  damaged('zeros', Buffer.alloc(1000)),
  (random) => ({
    name: 'noise',
    moves: inPieces(random, Buffer.from(Array.from({ length: 1 + random.below(2000) }, () => random.below(256)))),
    end: randomEnd(random),
  }),
];

/** Kinds of attack by protocol. A process that has just started is attacked with one of them first. */
export const kinds: Readonly<Record<string, readonly MakeAttack[]>> = {
  http,
  streams,
  uploads,
  upgrades,
  sockets,
  foreign,
};
