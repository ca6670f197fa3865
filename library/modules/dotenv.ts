/** The module `dotenv`: values of a file `.env` in the environment. The command line has read the project's own already. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { parseEnv } from 'node:util';
import { functions, type Members } from '../builtins/module.ts';
import { std } from '../registry.ts';
import { Dict } from '../values/containers/dict.ts';
import { OSError } from '../values/objects/exceptions.ts';
import { strOf } from '../values/objects/repr.ts';
import { truth } from '../values/objects/truth.ts';

export function makeDotenv(): Members {
  return functions('dotenv', {
    load_dotenv: [
      'dotenv_path=None, stream=None, verbose=False, override=False, interpolate=True, encoding="utf-8"',
      loadDotenv,
    ],
    dotenv_values: ['dotenv_path=None, stream=None, verbose=False, interpolate=True, encoding="utf-8"', dotenvValues],
    find_dotenv: ['filename=".env", raise_error_if_not_found=False, usecwd=False', findDotenv],
  });
}

/** True when the file set anything. Values that are set already win unless `override`. */
function loadDotenv(path: unknown, stream: unknown, _verbose: unknown, override: unknown): boolean {
  const values = Object.entries(readValues(path, stream));
  const environ: Dict = std('os').environ;
  for (const [name, value] of values) {
    if (truth(override) || !environ.has(name)) environ.set(name, value);
  }
  return values.length > 0;
}

function dotenvValues(path: unknown, stream: unknown): Dict {
  const values = new Dict();
  for (const [name, value] of Object.entries(readValues(path, stream))) values.set(name, value);
  return values;
}

function readValues(path: unknown, stream: any): Readonly<Record<string, string>> {
  if (stream !== undefined && stream !== null) return parsed(strOf(stream.read()));
  const file = path === undefined || path === null ? findDotenv('.env', false) : strOf(path);
  return file !== '' && existsSync(file) ? parsed(readFileSync(file, 'utf8')) : {};
}

function parsed(text: string): Readonly<Record<string, string>> {
  return parseEnv(text) as Record<string, string>;
}

/** The file in the working directory or the nearest one above it, '' when there is none. */
function findDotenv(name: unknown, raises: unknown): string {
  const file = strOf(name ?? '.env');
  for (let folder = process.cwd(); ; folder = dirname(folder)) {
    const path = resolve(folder, file);
    if (existsSync(path)) return path;
    if (dirname(folder) === folder) break;
  }
  if (truth(raises)) throw new OSError('File not found');
  return '';
}
