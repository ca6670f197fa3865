import { run } from '../../lang/5-emit/testing.ts';
import { createRandom } from '../harness/random.ts';
import { generateRunnable } from './runnable.ts';

/** Runs a program of a seed in several ways that must print the same. */
export async function compare(seed: number): Promise<{ readonly fault: string | undefined; readonly text: string }> {
  const text = generateRunnable(createRandom(seed), false);
  const plain = await outcome(text, {});
  if (/not a function|undefined|Cannot (read|mix)|is not iterable \(|\$\./.test(plain))
    return { fault: `no error of the language:\n${plain}`, text };
  const typed = generateRunnable(createRandom(seed), true);
  const asTyped = await outcome(typed, {});
  if (asTyped !== plain) return { fault: `annotated otherwise:\n${difference(plain, asTyped)}`, text: typed };
  const asLater = await outcome(seed % 2 === 0 ? typed : text, { graph: 'async', slowStore: true });
  if (asLater !== plain) return { fault: `later otherwise:\n${difference(plain, asLater)}`, text };
  return { fault: undefined, text };
}

async function outcome(text: string, options: Parameters<typeof run>[1]): Promise<string> {
  try {
    const { output, error } = await run(text, options);
    return error === undefined ? output : `${output}uncaught ${error}`;
  } catch (error) {
    return `failed: ${error instanceof Error ? error.stack : error}`;
  }
}

function difference(a: string, b: string): string {
  const [left, right] = [a.split('\n'), b.split('\n')];
  const at = left.findIndex((line, i) => line !== right[i]);
  return `line ${at + 1}\n- ${left[at]}\n+ ${right[at]}`;
}
