/** `.svc/types`: what `.svc` modules are to TypeScript, for `svc check` and editors (decisions/0102). */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { declarationsFolder } from '../../adapters/typescript/check-types.ts';
import { below } from '../../adapters/typescript/script-files.ts';
import { declareModules } from '../../lang/declare.ts';
import type { Project } from '../../lang/project.ts';
import { signatures } from '../../library/signatures/signatures.ts';

/** Files that say what they said before are left alone, so that editors do not start over. */
export function writeDeclarations(projects: readonly Project[], projectDir: string): void {
  const folder = declarationsFolder(projectDir);
  const wanted = new Map<string, string>();
  for (const project of projects)
    for (const { path, text } of declareModules(project, signatures))
      wanted.set(`${below(path, projectDir)}.d.ts`, text);
  for (const name of filesIn(folder)) if (!wanted.has(name)) rmSync(join(folder, name));
  for (const [name, text] of wanted) {
    const path = join(folder, name);
    if (textOf(path) === text) continue;
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

function filesIn(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile())
      .map((entry) =>
        join(entry.parentPath, entry.name)
          .slice(folder.length + 1)
          .replaceAll('\\', '/'),
      );
  } catch {
    return [];
  }
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
