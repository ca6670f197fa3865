/**
 * Matches what JavaScript's expressions cannot, as Python does: conditions, atomic groups, possessive repeats, groups kept from earlier rounds,
 * and a match that must not be empty. A pattern becomes a list of steps; places to come back to are kept on a stack of their own, so that long
 * texts do not use up the one of JavaScript.
 */
import { look as lookAtClock } from '../../limits/look.ts';
import type { Case, Node, Parsed, Place } from './parse.ts';
import { characterScript, createWidths } from './script.ts';

/** Match in the form of JavaScript's, and the group that ended last. */
export interface Found {
  readonly index: number;
  readonly length: number;
  readonly [group: number]: string | undefined;
  readonly indices: readonly (readonly [number, number] | undefined)[];
  readonly last: number | null;
}

export interface Wanted {
  /** The match ends where the text ends. */
  readonly whole?: boolean;
  readonly notEmpty?: boolean;
}

/** A match that begins at `from`. */
export type Matcher = (text: string, from: number, wanted: Wanted) => Found | null;

type Test = (code: number) => boolean;

type Step =
  | { readonly op: 'one'; readonly test: Test }
  /** Step that takes as many characters as there are, then fewer. */
  | { readonly op: 'many'; readonly next: number; readonly test: Test; readonly min: number; readonly max: number }
  | { readonly op: 'split'; readonly first: number; readonly second: number }
  | { readonly op: 'jump'; readonly to: number }
  | { readonly op: 'save'; readonly register: number; readonly closes: number | undefined }
  | { readonly op: 'at'; readonly test: (text: string, at: number) => boolean }
  | { readonly op: 'reference'; readonly group: number; readonly folds: ((char: string) => string) | undefined }
  | { readonly op: 'condition'; readonly group: number; readonly no: number }
  | { readonly op: 'look'; readonly back: number; readonly negated: boolean; readonly next: number }
  | { readonly op: 'atomic'; readonly next: number }
  | { readonly op: 'begin'; readonly loop: number }
  | { readonly op: 'round'; readonly loop: number; readonly repeat: Node & { kind: 'repeat' }; readonly next: number }
  | { readonly op: 'again'; readonly loop: number; readonly repeat: Node & { kind: 'repeat' }; readonly body: number }
  | { readonly op: 'done' }
  | { readonly op: 'accept' };

export function makeMatcher(parsed: Parsed): Matcher {
  const { steps, registers } = compile(parsed);
  const lastRegister = registers - 1;
  return (text, from, wanted) => {
    const state = openState(
      steps,
      text,
      registers,
      (at) => (!wanted.whole || at === text.length) && !(wanted.notEmpty && at === from),
    );
    const end = state.run(0, from);
    if (end < 0) return null;
    const indices = Array.from({ length: parsed.groups + 1 }, (_, group) => {
      const [start, stop] = group === 0 ? [from, end] : [state.registers[2 * group]!, state.registers[2 * group + 1]!];
      return start < 0 || stop < 0 ? undefined : ([start, stop] as const);
    });
    const last = state.registers[lastRegister]!;
    const groups = indices.map((span) => (span === undefined ? undefined : text.slice(...span)));
    return Object.assign(groups, { index: from, indices, last: last < 0 ? null : last });
  };
}

function compile(parsed: Parsed): { steps: Step[]; registers: number } {
  const steps: any[] = [];
  const widths = createWidths();
  let registers = 2 * parsed.groups + 2;
  const put = (step: object) => steps.push(step) - 1;
  const write = (node: Node): void => {
    switch (node.kind) {
      case 'char':
      case 'any':
      case 'set':
        put({ op: 'one', test: testOf(node) });
        return;
      case 'sequence':
        node.items.forEach(write);
        return;
      case 'choice':
        writeChoice(node.options);
        return;
      case 'group':
        if (node.number !== undefined) put({ op: 'save', register: 2 * node.number });
        write(node.body);
        if (node.number !== undefined) put({ op: 'save', register: 2 * node.number + 1, closes: node.number });
        return;
      case 'repeat':
        if (node.how === 'possessive') writeApart('atomic', { ...node, how: 'greedy' });
        else writeRepeat(node);
        return;
      case 'atomic':
        writeApart('atomic', node.body);
        return;
      case 'look':
        writeApart('look', node.body, { back: node.behind ? widths(node.body)[0] : 0, negated: node.negated });
        return;
      case 'at':
        put({ op: 'at', test: placeTest(node.place, node.ascii) });
        return;
      case 'reference':
        put({ op: 'reference', group: node.number, folds: folds[node.letters] });
        return;
      case 'condition': {
        const condition = put({ op: 'condition', group: node.number });
        write(node.yes);
        const jump = put({ op: 'jump' });
        steps[condition].no = steps.length;
        write(node.no);
        steps[jump].to = steps.length;
      }
    }
  };
  const writeChoice = (options: readonly Node[]): void => {
    const jumps = options.slice(0, -1).map((option) => {
      const split = put({ op: 'split' });
      steps[split].first = steps.length;
      write(option);
      const jump = put({ op: 'jump' });
      steps[split].second = steps.length;
      return jump;
    });
    write(options.at(-1)!);
    for (const jump of jumps) steps[jump].to = steps.length;
  };
  const writeApart = (op: 'atomic' | 'look', body: Node, more: object = {}): void => {
    const apart = put({ op, ...more });
    write(body);
    put({ op: 'done' });
    steps[apart].next = steps.length;
  };
  const writeRepeat = (node: Node & { kind: 'repeat' }): void => {
    if (node.how === 'greedy' && isCharacter(node.body)) {
      put({ op: 'many', next: steps.length + 1, test: testOf(node.body), min: node.min, max: node.max });
      return;
    }
    const loop = registers;
    registers += 2;
    put({ op: 'begin', loop });
    // A lazy loop comes back to the step behind `round` for one more.
    const round = put({ op: 'round', loop, repeat: node });
    if (node.how === 'lazy') put({ op: 'again', loop, repeat: node, body: steps.length + 1 });
    write(node.body);
    put({ op: 'jump', to: round });
    steps[round].next = steps.length;
  };
  widths(parsed.tree);
  write(parsed.tree);
  put({ op: 'accept' });
  return { steps, registers: registers + 1 };
}

function isCharacter(node: Node): boolean {
  return node.kind === 'char' || node.kind === 'any' || node.kind === 'set';
}

function testOf(node: Node): Test {
  const flags = 'letters' in node && node.letters === 'ignored' ? 'iu' : 'u';
  const expression = new RegExp(`^${characterScript(node, 'u', flags === 'iu')}$`, flags);
  const known = new Map<number, boolean>();
  return (code) => {
    let is = known.get(code);
    if (is === undefined) {
      is = expression.test(String.fromCodePoint(code));
      known.set(code, is);
    }
    return is;
  };
}

const folds: Readonly<Record<Case, ((text: string) => string) | undefined>> = {
  exact: undefined,
  ignored: (text) => text.toLowerCase(),
  'ignored-ascii': (text) => text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
};

function placeTest(place: Place, isAscii: boolean): (text: string, at: number) => boolean {
  const word = isAscii ? /^[A-Za-z0-9_]$/ : /^[\p{L}\p{N}_]$/u;
  const isWord = (text: string, at: number) =>
    at >= 0 && at < text.length && word.test(String.fromCodePoint(text.codePointAt(at)!));
  const isEdge = (text: string, at: number) => isWord(text, before(text, at)) !== isWord(text, at);
  switch (place) {
    case 'start':
      return (_, at) => at === 0;
    case 'line-start':
      return (text, at) => at === 0 || text[at - 1] === '\n';
    case 'end':
      return (text, at) => at === text.length || (at === text.length - 1 && text[at] === '\n');
    case 'line-end':
      return (text, at) => at === text.length || text[at] === '\n';
    case 'last':
      return (text, at) => at === text.length;
    case 'boundary':
      return isEdge;
    case 'inside':
      return (text, at) => text !== '' && !isEdge(text, at);
  }
}

/** The place one character before `at`. */
function before(text: string, at: number): number {
  const isPair = at > 1 && (text.codePointAt(at - 2) ?? 0) > 0xffff;
  return at - (isPair ? 2 : 1);
}

function openState(steps: readonly Step[], text: string, count: number, accepts: (at: number) => boolean) {
  const registers = new Array<number>(count).fill(-1);
  // Former contents of registers, to be put back: pairs of register and value.
  const trail: number[] = [];
  // Places to go on from when nothing else is left: step, place, length of the trail, and how far the place may still
  // go back.
  const stack: number[] = [];

  function set(register: number, value: number): void {
    trail.push(register, registers[register]!);
    registers[register] = value;
  }

  function undo(length: number): void {
    while (trail.length > length) {
      const value = trail.pop()!;
      registers[trail.pop()!] = value;
    }
  }

  function later(step: number, at: number, floor = at): void {
    stack.push(step, at, trail.length, floor);
  }

  /**
   * Runs the steps from `step` on and gives the place at which they end; -1 where they find nothing, and then all
   * registers are as before.
   */
  function run(step: number, from: number): number {
    const base = stack.length;
    const mark = trail.length;
    let at = from;
    for (;;) {
      if ($due) lookAtClock();
      const next = follow(step, at);
      if (next === finished) {
        stack.length = base;
        return place;
      }
      if (next !== failed) {
        step = next;
        at = place;
        continue;
      }
      if (stack.length === base) {
        undo(mark);
        return -1;
      }
      const floor = stack.pop()!;
      undo(stack.pop()!);
      at = stack.pop()!;
      step = stack.pop()!;
      if (at > floor) later(step, before(text, at), floor);
    }
  }

  let place = 0;

  // One step: the number of the next one, with `place` where it goes on.
  function follow(number: number, at: number): number {
    const step = steps[number]!;
    place = at;
    switch (step.op) {
      case 'one': {
        const code = text.codePointAt(at);
        if (code === undefined || !step.test(code)) return failed;
        place = at + (code > 0xffff ? 2 : 1);
        return number + 1;
      }
      case 'many':
        return many(step, at) ? number + 1 : failed;
      case 'split':
        later(step.second, at);
        return step.first;
      case 'jump':
        return step.to;
      case 'save':
        set(step.register, at);
        if (step.closes !== undefined) set(count - 1, step.closes);
        return number + 1;
      case 'at':
        return step.test(text, at) ? number + 1 : failed;
      case 'reference':
        return refer(step, at) ? number + 1 : failed;
      case 'condition':
        return registers[2 * step.group + 1]! >= 0 ? number + 1 : step.no;
      case 'look':
        return look(step, number, at) ? step.next : failed;
      case 'atomic': {
        const end = run(number + 1, at);
        place = end;
        return end < 0 ? failed : step.next;
      }
      case 'begin':
        set(step.loop, 0);
        set(step.loop + 1, -1);
        return number + 1;
      case 'round':
        return round(step, number, at);
      case 'again':
        return again(step, at);
      case 'done':
        return finished;
      case 'accept':
        return accepts(at) ? finished : failed;
    }
  }

  function many(step: Step & { op: 'many' }, at: number): boolean {
    let end = at;
    let least = at;
    for (let n = 0; n < step.max; n += 1) {
      if ($due) lookAtClock();
      const code = text.codePointAt(end);
      if (code === undefined || !step.test(code)) {
        if (n < step.min) return false;
        break;
      }
      end += code > 0xffff ? 2 : 1;
      if (n + 1 <= step.min) least = end;
    }
    if (end > least) later(step.next, before(text, end), least);
    place = end;
    return true;
  }

  function refer({ group, folds: fold }: Step & { op: 'reference' }, at: number): boolean {
    const [start, end] = [registers[2 * group]!, registers[2 * group + 1]!];
    if (start < 0 || end < start) return false;
    const wanted = text.slice(start, end);
    place = at + wanted.length;
    const given = text.slice(at, place);
    return fold === undefined ? given === wanted : fold(given) === fold(wanted);
  }

  function look(step: Step & { op: 'look' }, number: number, at: number): boolean {
    let start = at;
    for (let n = 0; n < step.back; n += 1) start = start > 0 ? before(text, start) : -1;
    const mark = trail.length;
    const isFound = start >= 0 && run(number + 1, start) >= 0;
    place = at;
    if (step.negated) undo(mark);
    return isFound !== step.negated;
  }

  function round({ loop, repeat, next }: Step & { op: 'round' }, number: number, at: number): number {
    const rounds = registers[loop]!;
    if (rounds < repeat.min) {
      set(loop, rounds + 1);
      return number + (repeat.how === 'lazy' ? 2 : 1);
    }
    if (repeat.how === 'lazy') {
      later(number + 1, at);
      return next;
    }
    if (rounds >= repeat.max || at === registers[loop + 1]) return next;
    later(next, at);
    set(loop, rounds + 1);
    set(loop + 1, at);
    return number + 1;
  }

  function again({ loop, repeat, body }: Step & { op: 'again' }, at: number): number {
    const rounds = registers[loop]!;
    if (rounds >= repeat.max || at === registers[loop + 1]) return failed;
    set(loop, rounds + 1);
    set(loop + 1, at);
    return body;
  }

  return { registers, run };
}

const failed = -1;
const finished = -2;
