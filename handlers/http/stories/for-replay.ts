/** Record of a call for replays (docs/guide/stories.md#replay): what it saw and got from outside, its result and its changes. A replay is given it again. */
import type { NodeRow } from '../../../core/memory/rows.ts';
import type { Question } from '../../../core/story/teller.ts';
import type { Changes } from './changes.ts';
import { Seen } from './seen.ts';
import { type ReplayTape, Tape } from './tape.ts';

const none: readonly Changes[] = [];

export class ForReplay {
  /** Result of a plain envelope, as JSON. */
  result: string | undefined = undefined;
  /** All changes, also where steps were left out. */
  commitsMade: readonly Changes[] = none;
  private sawMore: Seen | undefined = undefined;
  /** The record that was asked for first: most calls ask for that of their root and for nothing else. */
  private firstRow: NodeRow | undefined = undefined;
  private knownTypes = 0;
  private heard: Tape | ReplayTape | undefined;

  /** @param replayed values that a replay gets from outside */
  constructor(replayed?: ReplayTape) {
    this.heard = replayed;
  }

  get isReplay(): boolean {
    return this.heard?.isReplay === true;
  }

  get tape(): Tape | ReplayTape {
    return (this.heard ??= new Tape());
  }

  /** About how many bytes it holds, without the result. */
  get bytes(): number {
    return (this.firstRow?.data.length ?? 0) + (this.sawMore?.bytes ?? 0) + (this.heard?.bytes ?? 0);
  }

  /** State that the call saw; undefined: none. */
  get seen(): Seen | undefined {
    const { sawMore, firstRow } = this;
    if (sawMore !== undefined || firstRow === undefined) return sawMore;
    const seen = new Seen(this.knownTypes);
    seen.note('row', firstRow.uid, firstRow);
    return seen;
  }

  /** A run of the unit begins: what one before kept is forgotten. */
  begin(knownTypes: number): void {
    this.commitsMade = none;
    this.sawMore = this.firstRow = undefined;
    if (!this.isReplay) this.heard = undefined;
    this.knownTypes = knownTypes;
  }

  saw(question: Question, given: unknown, answer: unknown): void {
    if (this.isReplay) return;
    if (question === 'row' && this.firstRow === undefined && this.sawMore === undefined) {
      this.firstRow = answer as NodeRow;
      return;
    }
    this.sawMore ??= this.seen ?? new Seen(this.knownTypes);
    this.sawMore.note(question, given, answer);
  }

  commits(changes: Changes): void {
    this.commitsMade = [...this.commitsMade, changes];
  }
}
