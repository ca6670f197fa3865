import { $stored, type Tagged } from '../archetypes/codec.ts';

/** Instances of `cls` are stored as a text under `tag`; `registerStored` says how it is read. */
export function storeAs(tag: string, cls: { prototype: any }, write: (value: any) => string): void {
  Object.defineProperty(cls.prototype, $stored, {
    value(this: unknown): Tagged {
      return { $t: tag, v: write(this) };
    },
  });
}
