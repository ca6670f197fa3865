import type { ExceptionFilter, Placed } from '../protocol.ts';
import type { Session } from './session.ts';

/** A breakpoint as somebody set it. Its number is never given again, and it outlives the program. */
export type Breakpoint = {
  readonly id: number;
  readonly condition?: string | undefined;
  readonly hits?: string | undefined;
} & (
  | {
      readonly kind: 'line';
      readonly file: string;
      readonly line: number;
      readonly column?: number | undefined;
      readonly log?: string | undefined;
    }
  | { readonly kind: 'function'; readonly name: string }
  | { readonly kind: 'data'; readonly name: string }
);

type WithoutId<T> = T extends unknown ? Omit<T, 'id'> : never;
export type NewBreakpoint = WithoutId<Breakpoint>;

export interface BreakpointBook {
  readonly all: () => readonly { readonly breakpoint: Breakpoint; readonly placed: Placed | undefined }[];
  /** Gives the new ones their numbers; they replace those of the same kind, and of lines those of the same file. Takes what the program says of them. */
  replace(
    session: Session,
    kind: Breakpoint['kind'],
    file: string | undefined,
    wanted: readonly NewBreakpoint[],
  ): Promise<readonly Placed[]>;
  add(session: Session, wanted: NewBreakpoint): Promise<Placed>;
  /** False when there is none of this number. */
  remove(session: Session, id: number): Promise<boolean>;
  setFilter(session: Session, filter: ExceptionFilter): Promise<void>;
  readonly filter: () => ExceptionFilter;
  /** Tells a program that has just begun of everything. */
  tellAll(session: Session): Promise<void>;
}

export function createBreakpointBook(): BreakpointBook {
  let next = 1;
  let filter: ExceptionFilter = 'uncaught';
  let known: readonly Breakpoint[] = [];
  const places = new Map<number, Placed>();

  async function tell(session: Session, kind: Breakpoint['kind'], file?: string): Promise<readonly Placed[]> {
    const mine = known.filter((one) => one.kind === kind && (one.kind !== 'line' || one.file === file));
    const placed =
      kind === 'line'
        ? await session.ask({ ask: 'lines', file: file!, breakpoints: mine as Extract<Breakpoint, { kind: 'line' }>[] })
        : kind === 'function'
          ? await session.ask({ ask: 'functions', breakpoints: mine as Extract<Breakpoint, { kind: 'function' }>[] })
          : await session.ask({ ask: 'data', breakpoints: mine as Extract<Breakpoint, { kind: 'data' }>[] });
    for (const one of placed) places.set(one.id, one);
    return placed;
  }
  const fileOf = (one: Breakpoint | NewBreakpoint) => (one.kind === 'line' ? one.file : undefined);

  return {
    all: () => known.map((breakpoint) => ({ breakpoint, placed: places.get(breakpoint.id) })),
    filter: () => filter,
    async replace(session, kind, file, wanted) {
      const made = wanted.map((one) => ({ ...one, id: next++ }) as Breakpoint);
      known = [...known.filter((one) => one.kind !== kind || (one.kind === 'line' && one.file !== file)), ...made];
      return await tell(session, kind, file);
    },
    async add(session, wanted) {
      const made = { ...wanted, id: next } as Breakpoint;
      known = [...known, made];
      const placed = (await tell(session, made.kind, fileOf(made))).find(({ id }) => id === made.id)!;
      if (placed.place !== undefined) next += 1;
      else known = known.filter((one) => one !== made);
      return placed;
    },
    async remove(session, id) {
      const found = known.find((one) => one.id === id);
      if (found === undefined) return false;
      known = known.filter((one) => one !== found);
      await tell(session, found.kind, fileOf(found));
      return true;
    },
    async setFilter(session, wanted) {
      filter = wanted;
      await session.ask({ ask: 'exceptions', filter });
    },
    async tellAll(session) {
      await session.ask({ ask: 'exceptions', filter });
      const files = new Set(known.flatMap((one) => fileOf(one) ?? []));
      for (const file of files) await tell(session, 'line', file);
      for (const kind of ['function', 'data'] as const)
        if (known.some((one) => one.kind === kind)) await tell(session, kind);
    },
  };
}
