/** One connection that misbehaves: what it sends, what it waits for, and how it ends. */
import { connect, type Socket } from 'node:net';

/** `until`: what the peer has answered so far, as Latin-1, has to match. */
export type Move = { readonly send: string | Uint8Array } | { readonly until: RegExp } | { readonly pauseMs: number };

export interface Attack {
  readonly name: string;
  readonly moves: readonly Move[];
  /** `reset`: RST. `close`: FIN. `half`: FIN of the sending half, then the rest is read. `wait`: until the peer ends it. */
  readonly end: 'reset' | 'close' | 'half' | 'wait';
}

export interface Outcome {
  readonly attack: Attack;
  /** Everything was sent, or the peer ended the connection because of what had been; all that was waited for came. */
  readonly hasFired: boolean;
  /** Part of the attack that did not happen, for the message of a test. */
  readonly missing: string;
  /** Beginning of the answer, as Latin-1. */
  readonly answer: string;
}

const keptAnswer = 65_536;

/** Performs one attack on a port of this machine. Never rejects. */
export async function perform(port: number, attack: Attack): Promise<Outcome> {
  const peer = new Peer(port);
  let missing = '';
  if (!(await peer.connected)) missing = 'the connection was not taken';
  for (const move of attack.moves) {
    if (missing !== '' || peer.isOver) break;
    if ('send' in move) await peer.send(move.send);
    else if ('pauseMs' in move) await new Promise((resolve) => setTimeout(resolve, move.pauseMs));
    else if (!(await peer.until(move.until))) missing = `no answer like ${move.until}: ${peer.answer.slice(0, 200)}`;
  }
  await peer.end(attack.end);
  return { attack, hasFired: missing === '', missing, answer: peer.answer };
}

class Peer {
  readonly connected: Promise<boolean>;
  answer = '';
  isOver = false;
  private readonly socket: Socket;
  private readonly over: Promise<void>;
  private wake: () => void = () => {};

  constructor(port: number) {
    // A connection that the peer ends is ended here when the attack says so.
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true, noDelay: true });
    this.socket = socket;
    socket.on('data', (chunk) => {
      if (this.answer.length < keptAnswer) this.answer += chunk.toString('latin1');
      this.wake();
    });
    socket.on('error', () => {});
    const ended = () => {
      this.isOver = true;
      this.wake();
    };
    socket.on('end', ended);
    this.over = new Promise((resolve) => {
      socket.on('close', () => {
        ended();
        resolve();
      });
    });
    this.connected = new Promise((resolve) => {
      socket.once('connect', () => resolve(true));
      socket.once('close', () => resolve(false));
    });
  }

  send(bytes: string | Uint8Array): Promise<void> {
    // The callback comes when the system has taken the bytes, or the connection is over.
    return new Promise((resolve) => this.socket.write(bytes, () => resolve()));
  }

  async until(pattern: RegExp): Promise<boolean> {
    for (;;) {
      if (pattern.test(this.answer)) return true;
      if (this.isOver) return false;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  async end(how: Attack['end']): Promise<void> {
    const { socket } = this;
    if (how === 'reset') socket.resetAndDestroy();
    else if (how === 'close') socket.destroy();
    else {
      if (how === 'half') socket.end();
      while (!this.isOver) {
        await new Promise<void>((resolve) => {
          this.wake = resolve;
        });
      }
      socket.destroy();
    }
    await this.over;
  }
}
