import { expect, test } from 'vitest';
import { type RememberedDisk, rememberDisk } from './remembered-disk.ts';

function disk() {
  const texts = new Map([['/p/main.svc', 'print(1);']]);
  const asked: string[] = [];
  const note = <T>(what: string, answer: T): T => {
    asked.push(what);
    return answer;
  };
  const remembered: RememberedDisk = rememberDisk({
    readFile: (path) => note(`read ${path}`, texts.get(path)),
    exists: (path) => note(`exists ${path}`, texts.has(path) ? 'file' : undefined),
    listDir: (path) =>
      note(
        `list ${path}`,
        [...texts.keys()].map((name) => name.slice('/p/'.length)),
      ),
  });
  return { texts, asked: () => asked.splice(0), ...remembered };
}

test('the disk is asked once, and again when somebody looks whether its answers hold', () => {
  const { files, asked, holds } = disk();
  for (let round = 0; round < 2; round++) {
    expect(files.readFile('/p/main.svc')).toBe('print(1);');
    expect(files.exists('/p/other.svc')).toBe(undefined);
    expect(files.listDir('/p')).toEqual(['main.svc']);
  }
  const once = ['read /p/main.svc', 'exists /p/other.svc', 'list /p'];
  expect(asked()).toEqual(once);
  expect(holds()).toBe(true);
  expect(asked()).toEqual(once);
  files.readFile('/p/main.svc');
  expect(asked()).toEqual([]);
});

test('answers that no longer hold are asked for anew: a text, a file that has come, a folder', () => {
  for (const path of ['/p/main.svc', '/p/other.svc']) {
    const { files, texts, holds } = disk();
    const ask = () => [files.readFile('/p/main.svc'), files.exists('/p/other.svc'), files.listDir('/p')];
    const before = ask();
    texts.set(path, 'print(2);');
    expect(ask()).toEqual(before);
    expect(holds()).toBe(false);
    expect(ask()).not.toEqual(before);
    expect(holds()).toBe(true);
  }
});

test('texts of other languages are read by who wants them', () => {
  const { files, asked } = disk();
  for (let round = 0; round < 2; round++) files.readFile('/p/package.json');
  expect(asked()).toEqual(['read /p/package.json', 'read /p/package.json']);
});

test('what was asked on the way to another name is not remembered for ever', () => {
  const { files, asked, holds } = disk();
  files.exists('/p/main.svc');
  holds();
  for (let i = 0; i < 200; i++) files.exists(`/p/m${i}`);
  expect(holds()).toBe(true);
  asked();
  expect(holds()).toBe(true);
  expect(asked()).toEqual([]);
});
