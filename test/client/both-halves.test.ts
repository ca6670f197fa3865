/** `svc start --dev`: a page that is saved together with what it asks of the server. */
import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type RunningServer, startServer } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';
import { chromium, type Page, type Pages, startPages } from './pages-of.ts';

/** A component that asks the n-th walker and the n-th function when it comes, and says what they answered. */
const component = (n: number) => `def:pub Asked() -> JsxElement {
    has said: str = "";
    async can with entry {
        r = root spawn Say${n}();
        said = f"{r.reports[0]} {await count${n}()}";
    }
    return <p>{said}</p>;
}
`;
const walker = (n: number) => `walker:pub Say${n} { can go with Root entry { report "walker ${n}"; } }\n`;
const ask = (n: number, mark = ':pub') =>
  `def${mark} count${n}() -> str { print("of the server"); return "function ${n}"; }\n`;
/** The same for a walker, in TypeScript. */
const script = (n: number) => `import { svcSpawn } from '@svc/runtime';
import { useEffect, useState } from 'react';
export function Script() {
  const [said, say] = useState('');
  useEffect(() => {
    svcSpawn('Tell${n}').then(({ reports }) => say(String(reports[0])));
  }, []);
  return <b>{said}</b>;
}
`;
const main = (n: number) => `import from .asked { Asked }
import from .side { other }
import from "./script" { Script }
def:pub app() -> JsxElement { return <main><Asked/><Script/></main>; }
with entry { print(other); }
${walker(n).replace('Say', 'Tell')}`;

/** Opens a file and empties it, as an editor does that saves. */
function openFile(path: string) {
  const file = openSync(path, 'w');
  return { write: (text: string) => writeSync(file, text), [Symbol.dispose]: () => closeSync(file) };
}

describe.skipIf(chromium === undefined)('a page that is saved with what it asks for', () => {
  const folder = folderWith({
    'main.svc': main(0),
    'side.svc': 'glob other: int = 1;\n',
    'script.tsx': script(0),
    'asked.svc': component(0) + walker(0) + ask(0),
    'svc.toml': '[plugins.client]\nport = 0\n',
  });
  let server: RunningServer;
  let pages: Pages;
  let page: Page;
  let n = 0;
  /** Answers of this test that were refusals: `<status> <address>`. */
  const missed: string[] = [];
  beforeAll(async () => {
    [server, pages] = await Promise.all([
      startServer({ folder: folder.path, args: ['--dev'], env: { SVC_ENV: 'development' } }),
      startPages(),
    ]);
    ({ page } = await pages.open(server.base));
    page.on('response', (response) => {
      if (response.status() >= 400) missed.push(`${response.status()} ${response.url()}`);
    });
    await answered();
  });
  afterAll(async () => {
    await pages[Symbol.asyncDispose]();
    await server.stop();
    folder[Symbol.dispose]();
  });
  beforeEach(() => {
    missed.length = 0;
  });

  const save = (name: string, text: string) => writeFileSync(join(folder.path, name), text);
  const answered = async () => {
    await page.waitForSelector(`p:text-is("walker ${n} function ${n}")`);
  };
  const inSide = (text: string) => `import from .side { Say${n}, count${n} }\n${text}`;

  test.each([
    ['in one file', () => save('asked.svc', component(n) + walker(n) + ask(n))],
    [
      'in two files of one save, the page first',
      () => {
        save('asked.svc', inSide(component(n)));
        save('side.svc', `glob other: int = 1;\n${walker(n)}${ask(n)}`);
      },
    ],
    [
      'in two saves of which the second comes while the first one is compiled',
      async () => {
        save('asked.svc', inSide(component(n)));
        await setTimeout(30);
        save('side.svc', `glob other: int = 1;\n${walker(n)}${ask(n)}`);
      },
    ],
  ])('never meets a server that does not know it yet: %s', async (_, saveBoth) => {
    for (let round = 0; round < 12; round++) {
      n += 1;
      await saveBoth();
      await answered();
    }
    expect(missed).toEqual([]);
  });

  test.each([
    ['first', 0, ['script.tsx', 'main.svc']],
    ['last', 0, ['main.svc', 'script.tsx']],
    ['30 ms before it', 30, ['script.tsx', 'main.svc']],
  ])('nor does a script that is saved with a walker: %s', async (_, pauseMs, order) => {
    for (let round = 0; round < 8; round++) {
      n += 1;
      for (const [i, name] of order.entries()) {
        if (i > 0 && pauseMs > 0) await setTimeout(pauseMs);
        save(name, name === 'main.svc' ? main(n) : script(n));
      }
      await page.waitForSelector(`b:text-is("walker ${n}")`);
    }
    expect(missed).toEqual([]);
  });

  // To save is to empty and to write: a machine that is busy, or an editor, takes a while between the two.
  test.each([8, 20, 60])('shows a script that is emptied, and written %s ms later', async (pauseMs) => {
    for (let round = 0; round < 5; round++) {
      n += 1;
      using file = openFile(join(folder.path, 'script.tsx'));
      await setTimeout(pauseMs);
      file.write(script(n));
      save('main.svc', main(n));
      await page.waitForSelector(`b:text-is("walker ${n}")`);
    }
    expect(missed).toEqual([]);
  });

  test('asks for a function that nobody else asked for when the server has it', async () => {
    const next = [1, 2, 3, 4, 5].map((i) => n + i);
    save('side.svc', `glob other: int = 1;\n${walker(n)}${ask(n)}${next.map((i) => ask(i, '')).join('')}`);
    await setTimeout(500);
    for (const i of next) {
      // Nobody is signed in: a function that is served says so.
      const answer = page.waitForResponse(`**/function/count${i}`);
      const text = component(n).replace(`await count${n}`, `await count${i}`);
      save('asked.svc', inSide(text).replace(`, count${n} }`, `, count${i} }`));
      expect((await answer).status()).toBe(401);
    }
    expect(missed.filter((one) => one.startsWith('404'))).toEqual([]);
  });
});
