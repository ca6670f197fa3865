/** Rules of axe-core that a page breaks, in light and dark: `rule: element`. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

export async function brokenRules(page: Page): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.evaluate(axe);
    const violations: any[] = await page.evaluate('axe.run().then((found) => found.violations)');
    for (const { id, nodes } of violations)
      broken.push(...nodes.map(({ html }: { html: string }) => `${colorScheme} ${id}: ${html.slice(0, 200)}`));
  }
  return broken;
}

/** Watches how much of the page moves by itself; asked for with `shifts`. To be called before the page is opened. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const scope = globalThis as unknown as { shifts: number };
    scope.shifts = 0;
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[])
        if (!entry.hadRecentInput) scope.shifts += entry.value;
    }).observe({ type: 'layout-shift' as 'measure', buffered: true });
  });
}

export const shifts = (page: Page): Promise<number> => page.evaluate('shifts');

/** Pixels by which the page is wider than a window of this width. */
export async function overflowAt(page: Page, width: number): Promise<number> {
  const before = page.viewportSize();
  await page.setViewportSize({ width, height: 700 });
  const over: number = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  if (before !== null) await page.setViewportSize(before);
  return Math.max(0, over);
}
