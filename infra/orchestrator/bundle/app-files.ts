/** The files an application is deployed as (decisions/0186). */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { packSettings, unpackSettings } from '../../../core/config/packed-settings.ts';
import type { ConfigFile } from '../../../core/config/resolve.ts';
import type { Files } from '../../files.ts';
import { settingsToml } from './settings-toml.ts';

export interface AppFilesRequest {
  readonly projectDir: string;
  /** `svc.toml`, if there is one: it travels without its secrets. */
  readonly configFile: ConfigFile | undefined;
  /** Absolute paths that are no part of the application: where it keeps data. */
  readonly exclude: readonly string[];
}

export interface AppFiles {
  readonly files: Files;
  /** Key files, which stay here: their paths below the project. */
  readonly keyFiles: readonly string[];
}

/** Patterns of names that never travel, as `.dockerignore` has them. */
export const neverDeployed = [
  '.*',
  'node_modules',
  '*.pem',
  '*.key',
  '*.p12',
  '*.pfx',
  '*.jks',
  '*.keystore',
  '*.kdbx',
  'id_rsa*',
  'id_ecdsa*',
  'id_ed25519*',
] as const;

const keyNames = /\.(pem|key|p12|pfx|jks|keystore|kdbx)$|^id_(rsa|ecdsa|ed25519)/i;
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----/;

/** Reads the files of the project's folder without those hidden, installed, linked, kept as data or a key. */
export function readAppFiles({ projectDir, configFile, exclude }: AppFilesRequest): AppFiles {
  const files: Record<string, Uint8Array> = {};
  const keyFiles: string[] = [];
  const visit = (folder: string) => {
    for (const name of readdirSync(folder).sort()) {
      const path = join(folder, name);
      if (name.startsWith('.') || name === 'node_modules' || exclude.includes(path)) continue;
      const found = lstatSync(path);
      if (found.isDirectory()) visit(path);
      else if (found.isFile()) take(path, name);
    }
  };
  const take = (path: string, name: string) => {
    const shown = relative(projectDir, path);
    const contents = readFileSync(path);
    if (keyNames.test(name) || privateKey.test(contents.toString('latin1'))) keyFiles.push(shown);
    else files[shown] = contents;
  };
  visit(projectDir);
  delete files['svc.toml'];
  if (configFile !== undefined) files['svc.toml'] = Buffer.from(packedToml(configFile));
  return { files, keyFiles };
}

function packedToml(configFile: ConfigFile): string {
  return settingsToml(unpackSettings(packSettings(configFile).settings).root);
}

/** A file of the application's own beside `svc.toml`, if there is one. */
export function ownFile(projectDir: string, name: 'Dockerfile' | '.dockerignore'): string | undefined {
  const path = join(projectDir, name);
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined;
}
