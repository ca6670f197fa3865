import type { Going } from '../protocol.ts';
import { type Call, isInside } from './calls.ts';

type StepKind = Extract<Going, 'step' | 'next' | 'out'>;

/** Decides where a step ends. */
export interface Steps {
  readonly isGoing: boolean;
  /** True when the first statement of the program is looked for. */
  readonly isEntry: boolean;
  begin(going: StepKind, from: Call): void;
  toEntry(): void;
  end(): void;
  /** Does the step end at the statement that the call is about to run? */
  ends(call: Call): boolean;
}

/** Beginning of a program: in its entry module, in the first ability of a walker, or in its first test. */
export type ProgramStart =
  | { readonly by: 'entry'; readonly module: string }
  | { readonly by: 'walker'; readonly walker: string }
  | { readonly by: 'test' };

export function createSteps(start: ProgramStart): Steps {
  let going: { readonly how: StepKind; readonly from: Call } | 'entry' | undefined;
  let wasEntry = false;
  return {
    get isGoing() {
      return going !== undefined;
    },
    get isEntry() {
      return wasEntry;
    },
    begin(how, from) {
      going = { how, from };
    },
    toEntry() {
      going = 'entry';
    },
    end() {
      going = undefined;
    },
    ends(call) {
      wasEntry = going === 'entry';
      if (going === undefined) return false;
      if (going === 'entry') return isEntry(call, start);
      const { how, from } = going;
      if (how === 'step') return call.unit === from.unit;
      return (how === 'next' && call === from) || isInside(from, call) || follows(call, from);
    },
  };
}

function isEntry({ fn, module, walk }: Call, start: ProgramStart): boolean {
  if (start.by === 'entry') return module.id === start.module;
  if (start.by === 'test') return fn.kind === 'test';
  return fn.kind === 'ability' && walk?.walker.$meta.name === start.walker;
}

/** Goes a walk, or the loading of modules, on with this call after the one that a step began in has ended? */
function follows(call: Call, from: Call): boolean {
  if (!from.isDone) return false;
  for (let at: Call | undefined = from; at?.isDone === true; at = at.parent) {
    if (at.walk !== undefined && at.fn.kind === 'ability') return call.fn.kind === 'ability' && call.walk === at.walk;
    if (at.fn.kind === 'module' && call.fn.kind === 'module') return true;
  }
  return false;
}
