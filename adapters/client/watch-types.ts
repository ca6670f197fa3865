/** `[plugins.client] typescript` while a program is written: types of the files that the page has loaded, checked when one of them comes or changes. */
import type { Plugin } from 'vite';
import { throwOutside } from '../../base/throw-outside.ts';
import type { ClientProblem } from './failure.ts';
import type { ClientJob } from './job.ts';

/** Changes of an editor come several at a time. */
const quietMs = 200;

/** `tell` gets the problems whenever they are others than before: none when all is well again. */
export function watchTypes(config: ClientJob['config'], tell: (problems: readonly ClientProblem[]) => void): Plugin {
  const files = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let isChecking = false;
  let told = '[]';
  return {
    name: 'svc:types',
    apply: 'serve',
    transform: {
      filter: { id: /\.[mc]?tsx?(\?|$)/ },
      handler(_code, id) {
        files.add(id.replace(/\?.*$/, ''));
        soon();
      },
    },
    buildEnd: () => clearTimeout(timer),
  };

  function soon(): void {
    clearTimeout(timer);
    timer = setTimeout(() => check().catch(throwOutside), quietMs);
    timer.unref();
  }

  async function check(): Promise<void> {
    if (isChecking) return soon();
    isChecking = true;
    try {
      const { typeProblems } = await import('./client-types.ts');
      const problems = await typeProblems([...files], config);
      const text = JSON.stringify(problems);
      if (text === told) return;
      told = text;
      tell(problems);
    } catch (error) {
      tell([{ message: `types of TypeScript files cannot be checked: ${(error as Error).message}` }]);
    } finally {
      isChecking = false;
    }
  }
}
