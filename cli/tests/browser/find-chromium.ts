import { accessSync, constants, existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome'];

const elsewhere = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** Path of a Chromium: what `SVC_CHROMIUM` names, else the first on the `PATH`; undefined when there is none. */
export function findChromium(env: Readonly<Record<string, string | undefined>>): string | undefined {
  const given = env['SVC_CHROMIUM'];
  if (given !== undefined && given !== '') return given;
  const folders = (env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  return onPath.find(canRun) ?? elsewhere.find((path) => existsSync(path));
}

function canRun(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
