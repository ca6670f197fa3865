/** Values that a recorded call got from outside, source by source in the order of asking, and their giving again in a replay. */
import type { OutsideTape } from '../../../library/outside.ts';
import { RuntimeError } from '../../../library/values/objects/exceptions.ts';

/** Values, and about how many bytes of them, that one call keeps. With more it cannot be replayed. */
const mostValues = 20_000;
const mostBytes = 1_048_576;

/** Sources that may be asked again, as nobody notices: a replay that asks for more of them than the call did gets new values. */
const harmless: ReadonlySet<string> = new Set(['clock', 'random', 'bytes', 'id']);

class Raised {
  readonly error: unknown;
  constructor(error: unknown) {
    this.error = error;
  }
}

export class Tape implements OutsideTape {
  readonly isReplay = false;
  /** More came than is kept. */
  isCut = false;
  bytes = 0;
  private count = 0;
  private tracks: Map<string, unknown[]> | undefined = undefined;

  take<T>(source: string, make: () => T): T {
    const track = this.trackOf(source);
    if (track === undefined) return make();
    const at = track.push(undefined) - 1;
    try {
      const value = make();
      track[at] = value;
      if (value instanceof Promise)
        value.then(
          (settled) => this.add(settled),
          () => {},
        );
      else this.add(value);
      return value;
    } catch (error) {
      track[at] = new Raised(error);
      throw error;
    }
  }

  refuse(): void {}

  /** Tape that gives the recorded values again. */
  again(): ReplayTape {
    return new ReplayTape(this.tracks ?? new Map());
  }

  private trackOf(source: string): unknown[] | undefined {
    if (this.isCut || ++this.count > mostValues) {
      this.cut();
      return undefined;
    }
    this.tracks ??= new Map();
    let track = this.tracks.get(source);
    if (track === undefined) this.tracks.set(source, (track = []));
    return track;
  }

  private add(value: unknown): void {
    this.bytes += sizeOf(value, 0);
    if (this.bytes > mostBytes) this.cut();
  }

  private cut(): void {
    this.isCut = true;
    this.tracks = undefined;
  }
}

export class ReplayTape implements OutsideTape {
  readonly isReplay = true;
  readonly bytes = 0;
  /** Sources that the call had not asked, or not so often. */
  readonly strayed = new Set<string>();
  private readonly tracks: ReadonlyMap<string, readonly unknown[]>;
  private readonly places = new Map<string, number>();

  /** @throws RuntimeError */
  refuse(what: string): never {
    throw new RuntimeError(`a replay ${what}`);
  }

  constructor(tracks: ReadonlyMap<string, readonly unknown[]>) {
    this.tracks = tracks;
  }

  /** @throws RuntimeError where only the outside could answer */
  take<T>(source: string, make: () => T): T {
    const at = this.places.get(source) ?? 0;
    const track = this.tracks.get(source);
    if (track !== undefined && at < track.length) {
      this.places.set(source, at + 1);
      const value = track[at];
      if (value instanceof Raised) throw value.error;
      return value as T;
    }
    this.strayed.add(source);
    if (harmless.has(source)) return make();
    throw new RuntimeError(`a replay asks nobody, and the call had no answer from ${source}`);
  }
}

/** About how many bytes a value takes. */
function sizeOf(value: unknown, depth: number): number {
  if (typeof value === 'string') return value.length;
  if (ArrayBuffer.isView(value)) return value.byteLength;
  if (typeof value !== 'object' || value === null || depth > 6) return 8;
  let sum = 50;
  for (const item of Object.values(value)) sum += sizeOf(item, depth + 1);
  return sum;
}
