/** `e.__traceback__`: the calls an exception came through. Their text, with places of the runtime in it, stays inside. */
import { $repr, $typeName } from '../objects/protocol.ts';
import { address } from '../objects/repr.ts';

export interface TracedCall {
  readonly line: number;
}

let callsIn: (stack: string) => readonly TracedCall[] = () => [];

/** Makes tracebacks know the calls of the program in a stack text, innermost first. */
export function setTracedCalls(find: (stack: string) => readonly TracedCall[]): void {
  callsIn = find;
}

export class Traceback {
  readonly $stack: string;
  private readonly $depth: number;

  constructor(stack: string, depth = 0) {
    this.$stack = stack;
    this.$depth = depth;
  }

  get tb_lineno(): number {
    return this.$calls().at(this.$depth)?.line ?? 0;
  }

  get tb_next(): Traceback | null {
    return this.$depth + 1 < this.$calls().length ? new Traceback(this.$stack, this.$depth + 1) : null;
  }

  /** Outermost first. */
  $calls(): readonly TracedCall[] {
    return [...callsIn(this.$stack)].reverse();
  }

  get [$typeName](): string {
    return 'traceback';
  }

  [$repr](): string {
    return `<traceback object at ${address(this)}>`;
  }
}
