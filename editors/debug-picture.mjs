/** Draws a debugger at work, its terminal beside its graph page: `node editors/debug-picture.mjs OUT.png`, with Chromium. */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';

const program = `node Person { has name: str; has hours: float = 0.0; }
edge Manages { }

walker Sum {
    has total: float = 0.0;
    can start with Root entry { visit [-->]; }
    can add with Person entry {
        self.total += here.hours;
        visit [->:Manages:->];
    }
}

with entry {
    ann = Person(name="Ann", hours=4.0);
    root ++> ann;
    for (name, hours) in [("Bob", 6.5), ("Cem", 3.0)] {
        ann +>: Manages() :+> Person(name=name, hours=hours);
    }
    print((root spawn Sum()).total);
}
`;
const commands = ['break 8 if here.name == "Bob"', 'cont', 'vars', 'where', 'graph'];

const [out] = process.argv.slice(2);
const folder = mkdtempSync(join(tmpdir(), 'svc-picture-'));
writeFileSync(join(folder, 'main.svc'), program);
const svc = join(import.meta.dirname, '../bin/svc.mjs');
const debug = spawn(process.execPath, [svc, 'debug', 'main.svc', '--graph-port', '0', '--port', '0'], { cwd: folder });
let said = '';
debug.stdout.on('data', (data) => {
  said += data;
});
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
  args: ['--no-sandbox'],
});
try {
  await until(/> \d+ \|.*\n/);
  const shown = [`$ svc debug main.svc`, said.trimEnd()];
  for (const command of commands) {
    const before = said.length;
    debug.stdin.write(`${command}\nprint "done"\n`);
    await until(/"done" = 'done'\n/, before);
    shown.push(
      `(svc) ${command}`,
      said
        .slice(before)
        .replace(/"done" = 'done'\n/, '')
        .trimEnd(),
    );
  }
  const [, address] = /graph view: (\S+)/.exec(said);
  const graph = await browser.newPage({ viewport: { width: 640, height: 760 } });
  await graph.goto(address);
  await graph.locator('circle').first().waitFor();
  const picture = (await graph.screenshot()).toString('base64');
  const page = await browser.newPage({ viewport: { width: 1400, height: 800 } });
  const style =
    'body{margin:0;display:inline-flex;align-items:stretch;background:#ddd;gap:1px}pre{margin:0;padding:14px 18px;background:#fff;font:13px/1.5 monospace;width:640px;white-space:pre-wrap}img{display:block}';
  const text = shown.join('\n').replaceAll('&', '&amp;').replaceAll('<', '&lt;');
  await page.setContent(
    `<meta charset="utf-8"><style>${style}</style><body><pre>${text}</pre><img src="data:image/png;base64,${picture}"></body>`,
  );
  await page.locator('body').screenshot({ path: out });
} finally {
  debug.kill();
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
}

/** Waits for a text behind a place of what was printed. */
async function until(pattern, from = 0) {
  while (!pattern.test(said.slice(from))) await new Promise((resolve) => setTimeout(resolve, 50));
}
