import { TestRunner } from 'vitest';

/** Kept with a file of tests: the parts it has not found on this machine. */
export interface FileMeta {
  missing?: string[];
}

/**
 * Notes that the file of tests that is being read leaves tests out for want of a part, such as `chromium`. The end of the run lists them
 * (`test/left-out.ts`), so that nobody takes a run without them for one with them.
 */
export function noteMissing(part: string): void {
  const { meta } = TestRunner.getCurrentSuite().file as { readonly meta: FileMeta };
  if (meta.missing?.includes(part) !== true) (meta.missing ??= []).push(part);
}
