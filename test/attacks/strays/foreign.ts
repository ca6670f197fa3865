import { EventEmitter } from 'node:events';

export function throwLater(how: string): void {
  setTimeout(() => {
    throw new Error(`stray ${how}`);
  }, 10);
}

export function rejectLater(how: string): void {
  void (async () => {
    await null;
    throw new Error(`stray ${how}`);
  })();
}

export function emitLater(how: string): void {
  const emitter = new EventEmitter();
  setImmediate(() => emitter.emit('error', new Error(`stray ${how}`)));
}
