/** Renames over the examples whose programs are then run. */
import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sitesWhere } from '../../lang/editor/references.ts';
import { renameAt, renameableAt } from '../../lang/editor/rename.ts';
import { type View, viewsOf } from '../../lang/editor/view.ts';
import { runSvc } from '../harness/server.ts';
import { drivers } from './drivers.ts';
import { allExamples, type Example, exampleAnalyst, loadModules } from './examples.ts';
import { sample } from './usefulness.ts';

export const newName = 'Another_name';

/** Texts of an example after one name was renamed; undefined where that was refused. */
export function renamed(view: View, offset: number, to = newName): ReadonlyMap<string, string> | undefined {
  const result = renameAt(view, offset, to);
  if (result.refused !== undefined) return undefined;
  const texts = new Map<string, string>();
  for (const edit of [...result.edits].sort((a, b) => b.start - a.start)) {
    const text = texts.get(edit.source.path) ?? edit.source.text;
    texts.set(edit.source.path, text.slice(0, edit.start) + edit.text + text.slice(edit.end));
  }
  return texts;
}

/** The exit code and the output of the program. */
async function output(example: Example, texts: ReadonlyMap<string, string>): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'svc-rename-'));
  cpSync(example.root, folder, { recursive: true });
  const all = new Map([['drive.svc', drivers[example.name]!], ...texts]);
  for (const [path, text] of all) writeFileSync(join(folder, path), text);
  const { stdout, code } = await runSvc(['run', 'drive.svc', '--no-persist'], { cwd: folder });
  rmSync(folder, { recursive: true, force: true });
  return `${code}\n${stdout}`;
}

/** An output in which a name and the one it was given are the same: shown objects have the names of classes and fields. */
function without(printed: string, name: string): string {
  return printed.replace(new RegExp(`\\b(?:${name}|${newName})\\b`, 'g'), '·');
}

/** Renames `count` names at random, each alone, and gives those after which a program prints something else. @throws Error when there are not so many */
export async function renameAtRandom(count: number, seed: number): Promise<readonly string[]> {
  await loadModules();
  const places = allExamples().flatMap((one) => {
    const driver = drivers[one.name];
    if (driver === undefined) return [];
    const example = { ...one, entry: join(one.root, 'drive.svc') };
    const views = viewsOf(exampleAnalyst(example)(new Map([[example.entry, driver]])));
    const sites = views.flatMap((view) =>
      sitesWhere(view, () => true).map(({ start, site }) => ({ example, view, start, name: site.name })),
    );
    return sites.filter(({ view, start }) => !('refused' in renameableAt(view, start)));
  });
  const plain = new Map<string, string>();
  let done = 0;
  const wrong: string[] = [];
  for (const { example, view, start, name } of sample(places, places.length, seed)) {
    if (done >= count) break;
    const texts = renamed(view, start);
    if (texts === undefined) continue;
    done++;
    if (!plain.has(example.name)) plain.set(example.name, await output(example, new Map()));
    const after = without(await output(example, texts), name);
    if (after !== without(plain.get(example.name)!, name))
      wrong.push(`${example.name} ${name} in ${view.source.path} at ${start}: ${after.slice(0, 400)}`);
  }
  if (done < count) throw new Error(`only ${done} of ${places.length} places can be renamed`);
  return wrong;
}
