/** The part of a client that is the same for every program: modules of `client/` in one text (decisions/0690). */
import { existsSync, readFileSync } from 'node:fs';
import { findRuntime } from '../../adapters/client/runtime-files.ts';

export type Language = 'ts' | 'js';

/** Modules in the order in which each may name what is before it. */
const modules = ['net/kept-socket', 'net/live-socket', 'net/connection', 'net/events', 'sdk'];

/** Their text without imports. A checkout has them in TypeScript alone, the published package in both languages. */
export async function clientRuntime(language: Language): Promise<string> {
  const texts = await Promise.all(modules.map((name) => moduleText(name, language)));
  return texts.map((text) => text.trim()).join('\n\n');
}

async function moduleText(name: string, language: Language): Promise<string> {
  const { directory } = findRuntime();
  const script = `${directory}/${name}.mjs`;
  const isScript = language === 'js' && existsSync(script);
  const text = withoutImports(readFileSync(isScript ? script : `${directory}/${name}.ts`, 'utf8'), name);
  if (isScript || language === 'ts') return text;
  const { transform } = await import('esbuild');
  const { code } = await transform(text, { loader: 'ts', target: 'es2022' });
  return code;
}

/** Only what the last module exports is for users; of the others types may be named. */
function withoutImports(text: string, name: string): string {
  const plain = text.replace(/^import [^;]*?;\n/gm, '').replace(/^\/\*\*(?:(?!\*\/)[\s\S])*\*\/\n(?=\n|$)/, '');
  if (name === 'sdk') return plain;
  return plain
    .replace(/^export \{[^}]*\};?\n/gm, '')
    .replace(/^export (?=(?:async )?(?:function|class|const)\b)/gm, '');
}
