/** `sys.stdout`, `sys.stderr`, `sys.stdin`: text streams over the ports. A program may put other objects in their place. */
import type { MaybePromise } from '../../base/maybe-promise.ts';
import { stepped } from '../values/calls/generators.ts';
import { withEach } from '../values/containers/iteration.ts';
import { RuntimeError } from '../values/objects/exceptions.ts';
import { $typeName } from '../values/objects/protocol.ts';
import { requireText } from '../values/text/text-arguments.ts';
import { inputPort } from './input.ts';
import { output } from './output.ts';

export class OutputStream {
  readonly which: 'out' | 'err';
  readonly encoding = 'utf-8';
  readonly closed = false;
  declare [$typeName]: string;

  constructor(which: 'out' | 'err') {
    this.which = which;
  }

  get name(): string {
    return `<std${this.which}>`;
  }

  write(text: unknown): number {
    const shown = requireText(text, 'write() argument');
    output()[this.which](shown);
    return shown.length;
  }

  writelines(lines: unknown): MaybePromise<null> {
    return withEach(lines, (line) => this.write(line));
  }

  flush(): null {
    return null;
  }

  isatty(): boolean {
    return process[this.which === 'out' ? 'stdout' : 'stderr'].isTTY === true;
  }

  fileno(): number {
    return this.which === 'out' ? 1 : 2;
  }

  writable(): boolean {
    return true;
  }

  reconfigure(): null {
    return null;
  }
}
OutputStream.prototype[$typeName] = 'TextIOWrapper';

class InputStream {
  readonly name = '<stdin>';
  readonly encoding = 'utf-8';
  declare [$typeName]: string;

  readline(): unknown {
    return inputPort().line();
  }

  read(): unknown {
    return inputPort().rest();
  }

  readlines(): unknown {
    const text = inputPort().rest();
    return text instanceof Promise ? text.then(splitKeeping) : splitKeeping(text);
  }

  isatty(): boolean {
    return process.stdin.isTTY === true;
  }

  fileno(): number {
    return 0;
  }

  *[Symbol.iterator](): Generator<string> {
    for (;;) {
      const line = inputPort().line();
      if (line instanceof Promise) throw new RuntimeError('standard input cannot be read line by line here');
      if (line === '') return;
      yield line;
    }
  }

  __iter__(): this {
    return this;
  }

  __next__(): unknown {
    return stepped(this[Symbol.iterator]().next());
  }
}
InputStream.prototype[$typeName] = 'TextIOWrapper';

function splitKeeping(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/** The streams in use; `contextlib.redirect_stdout` and programs change them. */
export const streams: { stdout: any; stderr: any; stdin: any } = {
  stdout: new OutputStream('out'),
  stderr: new OutputStream('err'),
  stdin: new InputStream(),
};
