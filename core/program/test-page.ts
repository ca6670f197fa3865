/** Module `svclang.runtimelib.browser`: pages of the application in tests, as visitors see them. */
import type { Members } from '../../library/builtins/module.ts';
import { nativeClass } from '../../library/builtins/native-class.ts';
import { loads } from '../../library/modules/json/json.ts';
import { native } from '../../library/values/calls/signature.ts';
import { AssertionError, RuntimeError } from '../../library/values/objects/exceptions.ts';
import { $repr } from '../../library/values/objects/protocol.ts';
import { strOf } from '../../library/values/objects/repr.ts';
import { PageFailure, type Target, type TestPage, testBrowser } from './test-browser-host.ts';

/** A page of the application. */
class Page {
  readonly $page: TestPage;

  constructor(page: TestPage) {
    this.$page = page;
  }

  get url(): string {
    return this.$page.url();
  }

  /** Path of the address, without query and fragment. */
  get path(): string {
    return new URL(this.$page.url()).pathname;
  }

  get errors(): string[] {
    return [...this.$page.errors()];
  }

  goto(path: unknown): Promise<null> {
    return done(this.$page.goto(strOf(path)));
  }

  reload(): Promise<null> {
    return done(this.$page.reload());
  }

  back(): Promise<null> {
    return done(this.$page.back());
  }

  click(...target: unknown[]): Promise<null> {
    return done(this.$page.click(targetOf(target)));
  }

  hover(...target: unknown[]): Promise<null> {
    return done(this.$page.hover(targetOf(target)));
  }

  fill(name: unknown, text: unknown, ...narrower: unknown[]): Promise<null> {
    return done(this.$page.fill(targetOf([name, ...narrower]), strOf(text)));
  }

  check(...target: unknown[]): Promise<null> {
    return done(this.$page.check(targetOf(target), true));
  }

  uncheck(...target: unknown[]): Promise<null> {
    return done(this.$page.check(targetOf(target), false));
  }

  select(name: unknown, option: unknown, ...narrower: unknown[]): Promise<null> {
    return done(this.$page.select(targetOf([name, ...narrower]), strOf(option)));
  }

  upload(name: unknown, file: unknown, ...narrower: unknown[]): Promise<null> {
    return done(this.$page.upload(targetOf([name, ...narrower]), strOf(file)));
  }

  drag(name: unknown, to: unknown): Promise<null> {
    return done(this.$page.drag(targetOf([name]), targetOf([to])));
  }

  press(key: unknown, name?: unknown): Promise<null> {
    const target = name === undefined || name === null ? undefined : targetOf([name]);
    return done(this.$page.press(strOf(key), target));
  }

  text(...target: unknown[]): Promise<string> {
    return asked(this.$page.text(targetOf(target)));
  }

  value(...target: unknown[]): Promise<string> {
    return asked(this.$page.value(targetOf(target)));
  }

  is_checked(...target: unknown[]): Promise<boolean> {
    return asked(this.$page.isChecked(targetOf(target)));
  }

  count(...target: unknown[]): Promise<number> {
    return asked(this.$page.count(targetOf(target)));
  }

  /** Waits until a text or thing is shown. */
  expect(...target: unknown[]): Promise<null> {
    return done(this.$page.expect(targetOf(target), true));
  }

  expect_gone(...target: unknown[]): Promise<null> {
    return done(this.$page.expect(targetOf(target), false));
  }

  expect_path(path: unknown): Promise<null> {
    return done(this.$page.expectPath(strOf(path)));
  }

  title(): Promise<string> {
    return asked(this.$page.title());
  }

  set_size(width: unknown, height: unknown): Promise<null> {
    return done(this.$page.setSize(Number(width), Number(height)));
  }

  async evaluate(expression: unknown): Promise<unknown> {
    const value = await asked(this.$page.evaluate(strOf(expression)));
    return loads(JSON.stringify(value ?? null));
  }

  screenshot(file: unknown): Promise<null> {
    return done(this.$page.screenshot(strOf(file)));
  }

  async accessibility_problems(): Promise<string[]> {
    return [...(await asked(this.$page.accessibilityProblems()))];
  }

  close(): Promise<null> {
    return done(this.$page.close());
  }

  [$repr](): string {
    return `<Page ${this.$page.url()}>`;
  }
}

const narrower = 'role=None, within=None';
nativeClass(Page, {
  name: 'Page',
  module: 'svclang.runtimelib.browser',
  methods: {
    goto: 'path',
    reload: '',
    back: '',
    click: `target, ${narrower}`,
    hover: `target, ${narrower}`,
    fill: `target, text, ${narrower}`,
    check: `target, ${narrower}`,
    uncheck: `target, ${narrower}`,
    select: `target, option, ${narrower}`,
    upload: `target, file, ${narrower}`,
    drag: 'target, to',
    press: 'key, target=None',
    text: `target, ${narrower}`,
    value: `target, ${narrower}`,
    is_checked: `target, ${narrower}`,
    count: `target, ${narrower}`,
    expect: `target, ${narrower}`,
    expect_gone: `target, ${narrower}`,
    expect_path: 'path',
    title: '',
    set_size: 'width, height',
    evaluate: 'expression',
    screenshot: 'file',
    accessibility_problems: '',
    close: '',
  },
});

const openPage = native('open_page', "path='/', *, width=1280, height=800", async (path, width, height) => {
  const browser = testBrowser();
  if (browser === undefined)
    throw new RuntimeError('pages are opened by tests in files *.e2e.svc: run them with `svc test --browser`');
  const size = { width: Number(width ?? 1280), height: Number(height ?? 800) };
  return new Page(await asked(browser.open(strOf(path ?? '/'), size)));
});

export function makeBrowser(): Members {
  return { open_page: openPage, Page };
}

function targetOf([name, role, within]: unknown[]): Target {
  const text = (x: unknown) => (x === undefined || x === null ? undefined : strOf(x));
  return { name: strOf(name), role: text(role), within: text(within) };
}

async function done(work: Promise<unknown>): Promise<null> {
  await asked(work);
  return null;
}

/** Turns a thing that does not come in time into a failed assertion of the test. */
async function asked<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof PageFailure) throw new AssertionError(error.message);
    throw error;
  }
}
