/** A value that subscribers get: its text, written once, and what it differs from the ones before in. */
import { hash } from 'node:crypto';
import { patchOf } from './json-patch.ts';

export class LiveValue {
  /** JSON text of `data`. */
  readonly text: string;
  /** Equal for equal texts, in all processes; 22 characters. */
  readonly digest: string;
  private decoded: unknown = undefined;
  /** Patches by the digest of what they begin with; made when somebody wants one. */
  private patches: Map<string, string | undefined> | undefined = undefined;

  constructor(text: string) {
    this.text = text;
    this.digest = hash('sha256', text, 'base64url').slice(0, 22);
  }

  private get json(): unknown {
    this.decoded ??= JSON.parse(this.text);
    return this.decoded;
  }

  /** JSON text of the operations that make this value of another one; undefined where they are not smaller than half of it. */
  patchFrom(before: LiveValue): string | undefined {
    this.patches ??= new Map();
    if (this.patches.has(before.digest)) return this.patches.get(before.digest);
    const isExact = !longNumber.test(this.text) && !longNumber.test(before.text);
    const text = isExact ? JSON.stringify(patchOf(before.json, this.json)) : undefined;
    const patch = text !== undefined && text.length * 2 < this.text.length ? text : undefined;
    this.patches.set(before.digest, patch);
    return patch;
  }
}

/** Integers that JavaScript would round. */
const longNumber = /[[:,]-?\d{16,}/;
