/**
 * Statement that runs at the moment: modules that are compiled for stories say it before statements that can be told of (`lang/5-emit/marks.ts`).
 * One for the process, so it is right only until another call goes on; `story.ts` knows when that may have been.
 */
export interface Mark {
  /** `file:line:column`. */
  place: string | undefined;
}

export const mark: Mark = ((globalThis as any)[Symbol.for('svc.at')] ??= { place: undefined });
