/** Port of pages that tests look at: given by `svc test --browser`, absent elsewhere. */
export interface TestBrowser {
  /** A page of the application as a new visitor sees it: nothing is stored, nobody is signed in. */
  open(path: string, size: { readonly width: number; readonly height: number }): Promise<TestPage>;
}

/** A thing in a page: what a person reads (a name, label or text), or a CSS selector; `role` and `within` narrow it. */
export interface Target {
  readonly name: string;
  readonly role?: string | undefined;
  /** CSS selector, or text, of a thing that holds it. */
  readonly within?: string | undefined;
}

/** Methods wait until the thing they are about is there. They reject with `PageFailure` when it does not come. */
export interface TestPage {
  readonly url: () => string;
  /** Errors that the page wrote to its console or did not catch. */
  readonly errors: () => readonly string[];
  goto(path: string): Promise<void>;
  reload(): Promise<void>;
  back(): Promise<void>;
  click(target: Target): Promise<void>;
  hover(target: Target): Promise<void>;
  fill(target: Target, text: string): Promise<void>;
  check(target: Target, isChecked: boolean): Promise<void>;
  select(target: Target, option: string): Promise<void>;
  upload(target: Target, file: string): Promise<void>;
  drag(target: Target, to: Target): Promise<void>;
  /** `Enter`, `Control+A`; in the focused thing without a target. */
  press(key: string, target: Target | undefined): Promise<void>;
  text(target: Target): Promise<string>;
  value(target: Target): Promise<string>;
  isChecked(target: Target): Promise<boolean>;
  /** Things there are now: does not wait. */
  count(target: Target): Promise<number>;
  expect(target: Target, isThere: boolean): Promise<void>;
  expectPath(path: string): Promise<void>;
  title(): Promise<string>;
  setSize(width: number, height: number): Promise<void>;
  /** Value of a JavaScript expression, as JSON. */
  evaluate(expression: string): Promise<unknown>;
  screenshot(file: string): Promise<void>;
  /** `rule: what is wrong (element)` for each breach of accessibility rules. */
  accessibilityProblems(): Promise<readonly string[]>;
  close(): Promise<void>;
}

export class PageFailure extends Error {
  override readonly name = 'PageFailure';
}

let current: TestBrowser | undefined;

export function setTestBrowser(browser: TestBrowser | undefined): void {
  current = browser;
}

export function testBrowser(): TestBrowser | undefined {
  return current;
}
