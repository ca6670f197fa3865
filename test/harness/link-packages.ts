import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { repository } from './server.ts';

/** Gives a new application the packages of the repository, in place of what `npm install` would bring. */
export function linkPackages(folder: string): void {
  symlinkSync(join(repository, 'node_modules'), join(folder, 'node_modules'));
}
