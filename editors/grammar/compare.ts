/** Compares classes that a grammar gives to the characters of programs with those of the scanner. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { type ClassedToken, scannerClasses, type TokenClass } from './scanner-classes.ts';

const root = resolve(import.meta.dirname, '../..');

/** Paths of every program of the repository. */
export const programs: readonly string[] = programsIn(root);

/** Without git, which a machine may not have: folders of packages and of builds are passed over by their names. */
function programsIn(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isFile()) return entry.name.endsWith('.svc') ? [path] : [];
    return entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.') ? programsIn(path) : [];
  });
}

export interface Comparison {
  /** Tokens looked at. */
  readonly tokens: number;
  /** Programs with syntax errors, which are passed over. */
  readonly broken: readonly string[];
  /** Sentences about tokens with another class. */
  readonly wrong: readonly string[];
}

/** `classesOf` gives a class for each character of a text, '' where the grammar says nothing. */
export function compareClasses(classesOf: (text: string, index: number) => readonly string[]): Comparison {
  const broken: string[] = [];
  const wrong: string[] = [];
  let count = 0;
  for (const [index, file] of programs.entries()) {
    const text = readFileSync(file, 'utf8');
    const tokens = scannerClasses(text);
    if (tokens === undefined) {
      broken.push(file);
      continue;
    }
    const classes = classesOf(text, index);
    count += tokens.length;
    for (const token of tokens) {
      const found = wrongClass(text, token, classes);
      const spelt = JSON.stringify(text.slice(token.start, token.end));
      if (found !== undefined)
        wrong.push(`${place(file.slice(root.length + 1), text, token.start)} ${spelt} is ${token.class}, not ${found}`);
    }
  }
  return { tokens: count, broken, wrong };
}

function place(file: string, text: string, offset: number): string {
  const lines = text.slice(0, offset).split('\n');
  return `${file}:${lines.length}:${lines.at(-1)!.length + 1}`;
}

/** Class that some character of the token has and should not have; undefined when all fit. */
function wrongClass(text: string, token: ClassedToken, classes: readonly string[]): string | undefined {
  for (let i = token.start; i < token.end; i++)
    if (!/\s/.test(text.charAt(i)) && !fits(token.class, classes[i]!)) return classes[i] || 'nothing';
  return undefined;
}

function fits(expected: TokenClass, found: string): boolean {
  switch (expected) {
    case 'soft':
      return found === 'keyword';
    case 'word':
    case 'special':
      return found === 'keyword' || found === 'name';
    case 'type':
      return found === 'type' || found === 'name';
    case 'operator':
    case 'punctuation':
      return found === 'operator';
    case 'field':
      return found !== 'comment';
    case 'tag':
      return found === 'tag';
    default:
      return found === expected;
  }
}
