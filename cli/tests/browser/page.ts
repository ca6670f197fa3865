/** A page that Playwright drives, as tests ask it (core/program/test-browser-host.ts). */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import type { BrowserContext, Locator, Page } from 'playwright-core';
import { placeOfPackage } from '../../../adapters/client/packages.ts';
import { PageFailure, type Target, type TestPage } from '../../../core/program/test-browser-host.ts';

export interface PageParts {
  readonly context: BrowserContext;
  readonly page: Page;
  readonly base: string;
  readonly cwd: string;
  readonly projectDir: string;
}

/** Milliseconds that a test waits for what it asks for. */
const patienceMs = 10_000;

/** Roles of things that people click, by the text on them. */
const clickable = ['button', 'link', 'menuitem', 'tab', 'option', 'checkbox', 'radio', 'switch'] as const;

export function makePage({ context, page, base, cwd, projectDir }: PageParts): TestPage {
  const errors: string[] = [];
  page.setDefaultTimeout(patienceMs);
  page.on('pageerror', (error) => void errors.push(String(error.stack ?? error)));
  // A refused request is no fault of the page, though a browser writes it to the console.
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(message.text());
  });
  page.on('dialog', (dialog) => void dialog.accept().catch(() => {}));

  const whole = (path: string) => new URL(path, base).href;
  const click = (target: Target) => find(page, target, 'click');
  const field = (target: Target) => find(page, target, 'field');
  const shown = (target: Target) => find(page, target, 'text');

  return {
    url: () => page.url(),
    errors: () => errors,
    goto: (path) => act(`the page ${path}`, () => page.goto(whole(path)).then(() => drawn(page))),
    reload: () => act('the page', () => page.reload().then(() => drawn(page))),
    back: () => act('the page before', () => page.goBack()),
    click: (target) => act(named(target), async () => (await one(click(target), target)).click()),
    hover: (target) => act(named(target), async () => (await one(click(target), target)).hover()),
    fill: (target, text) => act(named(target), async () => (await one(field(target), target)).fill(text)),
    check: (target, isChecked) =>
      act(named(target), async () => setChecked(await one(field(target), target), target, isChecked)),
    select: (target, option) => act(named(target), async () => (await one(field(target), target)).selectOption(option)),
    upload: (target, file) =>
      act(named(target), async () => (await one(field(target), target)).setInputFiles(resolve(cwd, file))),
    drag: (target, to) =>
      act(`${named(target)} or ${named(to)}`, async () =>
        dragSlowly(page, await one(shown(target), target), await one(shown(to), to)),
      ),
    press: (key, target) =>
      act(target === undefined ? 'the page' : named(target), async () =>
        target === undefined
          ? page.keyboard.press(key)
          : (await one(field(target).or(click(target)), target)).press(key),
      ),
    text: (target) => ask(named(target), async () => (await one(shown(target), target)).innerText()),
    value: (target) => ask(named(target), async () => (await one(field(target), target)).inputValue()),
    isChecked: (target) => ask(named(target), async () => (await one(field(target), target)).isChecked()),
    count: (target) => ask(named(target), () => shown(target).filter({ visible: true }).count()),
    expect: (target, isThere) => act(named(target), () => awaited(page, shown(target), target, isThere, errors)),
    async expectPath(path) {
      const isThere = (url: URL) => url.pathname === path;
      await page.waitForURL(isThere, { timeout: patienceMs }).catch(() => {
        throw new PageFailure(`the page is ${new URL(page.url()).pathname}, not ${path}`);
      });
    },
    title: () => page.title(),
    setSize: (width, height) => page.setViewportSize({ width, height }),
    evaluate: (expression) => page.evaluate(expression),
    screenshot: (file) => act('the page', () => page.screenshot({ path: resolve(cwd, file), fullPage: true })),
    async accessibilityProblems() {
      const found = await page.evaluate<AxeResult, string>(runAxe, await axeText(projectDir));
      return found.violations.flatMap(({ id, help, nodes }) =>
        nodes.map(({ html }) => `${id}: ${help} (${html.slice(0, 120)})`),
      );
    },
    close: () => context.close(),
  };
}

/** Waits until the application has put something into its page; pages that are none have nothing to wait for. */
async function drawn(page: Page): Promise<void> {
  await page.locator('#root > *, body:not(:has(#root))').first().waitFor({ state: 'attached', timeout: patienceMs });
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly help: string;
    readonly nodes: readonly { readonly html: string }[];
  }[];
}

async function axeText(projectDir: string): Promise<string> {
  const from = placeOfPackage('axe-core', projectDir);
  if (from === undefined)
    throw new PageFailure('accessibility_problems() needs axe-core: npm install --save-dev axe-core');
  return readFile(createRequire(join(from, 'package.json')).resolve('axe-core/axe.min.js'), 'utf8');
}

/** Runs in the page. */
async function runAxe(text: string): Promise<AxeResult> {
  const scope = globalThis as unknown as { axe?: { run(): Promise<AxeResult> }; eval(text: string): unknown };
  if (scope.axe === undefined) scope.eval(text);
  return await scope.axe!.run();
}

/** Names of elements that are selectors by themselves. */
const elements =
  /^(h[1-6]|main|nav|header|footer|section|article|aside|form|fieldset|dialog|table|tr|td|ul|ol|li|p|a|button|input|select|textarea|img|body)$/;

/** `#id`, `.name`, `[name]`, `ul > li`, `css=…`, `main h1`, `h1`: everything else is what a person reads. */
function isSelector(name: string): boolean {
  return (
    /^(css|xpath|text|id|data-testid)=|^[#.[]|^[a-z][a-z0-9-]*([#.[:]\S| > )/.test(name) ||
    name.split(' ').every((part) => elements.test(part))
  );
}

function find(page: Page, { name, role, within }: Target, purpose: 'click' | 'field' | 'text'): Locator {
  const scope = within === undefined ? page : isSelector(within) ? page.locator(within) : holderOf(page, within);
  if (role !== undefined) return scope.getByRole(role as 'button', { name, exact: true });
  if (isSelector(name)) return scope.locator(name);
  if (purpose === 'text') return scope.getByText(name).or(scope.getByRole('textbox', { name, exact: true }));
  const label = scope.getByLabel(name, { exact: true });
  if (purpose === 'field') return label.or(scope.getByPlaceholder(name, { exact: true }));
  const [first, ...others] = clickable.map((one) => scope.getByRole(one, { name, exact: true }));
  return others.reduce((all, next) => all.or(next), first!);
}

/** The smallest list item, row, article or region with a text. */
function holderOf(page: Page, text: string): Locator {
  return page.locator('li, tr, article, section, fieldset, form, dialog, [role]').filter({ hasText: text }).last();
}

/** The one thing that is meant. For clicks a text will do when nothing that is made for them has the name. */
async function one(found: Locator, target: Target): Promise<Locator> {
  const visible = found.filter({ visible: true });
  const page = found.page();
  const isText = target.role === undefined && !isSelector(target.name);
  const text = page.getByText(target.name, { exact: true }).filter({ visible: true });
  await (isText ? visible.or(text) : visible).first().waitFor({ timeout: patienceMs });
  const count = await visible.count();
  if (count === 1 || (count > 1 && isSelector(target.name))) return visible.first();
  if (count === 0) return text.first();
  const shown = await visible.evaluateAll((all) => all.map((element) => element.outerHTML.slice(0, 80)));
  throw new PageFailure(
    `${count} things are called ${named(target)}; say which with role= or within=\n  ${shown.slice(0, 5).join('\n  ')}`,
  );
}

/** Pages may wait for their server before they show what was chosen. */
async function setChecked(box: Locator, target: Target, isChecked: boolean): Promise<void> {
  if ((await box.isChecked()) === isChecked) return;
  await box.click();
  for (
    const until = Date.now() + patienceMs;
    (await box.isChecked()) !== isChecked;
    await box.page().waitForTimeout(20)
  )
    if (Date.now() > until)
      throw new PageFailure(`${named(target)} does not become ${isChecked ? 'checked' : 'unchecked'}`);
}

async function awaited(
  page: Page,
  found: Locator,
  target: Target,
  isThere: boolean,
  errors: readonly string[],
): Promise<void> {
  const visible = found.filter({ visible: true });
  const state = isThere ? 'visible' : 'hidden';
  await visible
    .first()
    .waitFor({ state, timeout: patienceMs })
    .catch(async () => {
      const text = await page
        .locator('body')
        .innerText({ timeout: 1000 })
        .catch(() => '');
      const about = isThere ? `${named(target)} does not come` : `${named(target)} does not go`;
      throw new PageFailure(
        `${about}; the page ${new URL(page.url()).pathname} says:\n${text.trim().slice(0, 1000)}${saidErrors(errors)}`,
      );
    });
}

function saidErrors(errors: readonly string[]): string {
  return errors.length === 0 ? '' : `\nErrors of the page:\n${errors.slice(-3).join('\n').slice(0, 1000)}`;
}

/** In steps: pages that let things be dragged look at where the pointer has been. */
async function dragSlowly(page: Page, from: Locator, to: Locator): Promise<void> {
  await from.scrollIntoViewIfNeeded();
  const [start, end] = [await from.boundingBox(), await to.boundingBox()];
  if (start === null || end === null) throw new PageFailure('nothing can be dragged that is not shown');
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await page.mouse.down();
  await page.mouse.move(start.x + start.width / 2 + 8, start.y + start.height / 2 + 8, { steps: 4 });
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 12 });
  await page.waitForTimeout(100);
  await page.mouse.up();
}

function named({ name, role, within }: Target): string {
  return `'${name}'${role === undefined ? '' : ` (${role})`}${within === undefined ? '' : ` in '${within}'`}`;
}

async function act(what: string, work: () => Promise<unknown>): Promise<void> {
  await ask(what, work);
}

/** Playwright's errors in the words of the test. */
async function ask<T>(what: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof PageFailure) throw error;
    const { message } = error as Error;
    if (/Timeout/.test(message)) throw new PageFailure(`${what} is not there, or not ready`);
    throw new PageFailure(`${what}: ${message.split('\n', 1)[0]}`);
  }
}
