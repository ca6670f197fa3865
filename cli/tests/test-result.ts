/** Findings of `svc test`, for both halves of a program. */

export interface TestResult {
  /** Path of the file as shown, relative to the working directory; the block begins at `line` and `column`, from 1. */
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly name: string;
  readonly ms: number;
  /** Undefined when the test passed or was skipped. */
  readonly failure: TestFailure | undefined;
  /** Reason why the test was skipped; undefined when it ran. */
  readonly skipped: string | undefined;
}

export interface TestFailure {
  /** `AssertionError: message` */
  readonly title: string;
  /** Text of the failure with code frame and calls. */
  readonly text: string;
  /** Innermost place in application source. */
  readonly at: { readonly file: string; readonly line: number; readonly column: number } | undefined;
}

export interface BrokenFile {
  readonly file: string;
  /** Undefined when it did not compile. */
  readonly failure: TestFailure | undefined;
}
