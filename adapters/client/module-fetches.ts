import { EventEmitter, once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';

/** Time for which an update waits for answers with the text before. */
const longestAnswerMs = 3000;
/** Time for which what comes after an update waits for pages to ask for it. */
const longestFetchMs = 150;

/** Modules of the program that pages are asking for. Paths of modules are absolute. */
export class ModuleFetches {
  readonly #open = new Map<string, number>();
  readonly #answered = new EventEmitter().setMaxListeners(0);
  readonly #projectDir: string;
  #working = Promise.resolve();

  constructor(projectDir: string) {
    this.#projectDir = projectDir;
  }

  /** Takes an answer that is being made. `url` stands below the project's folder and may have a query. */
  add(url: string, response: ServerResponse): void {
    const path = pathOf(url, this.#projectDir);
    this.#open.set(path, (this.#open.get(path) ?? 0) + 1);
    response.on('close', () => {
      const left = this.#open.get(path)! - 1;
      if (left > 0) this.#open.set(path, left);
      else this.#open.delete(path);
      this.#answered.emit(path);
    });
  }

  /** Does work when nothing is being answered for these modules, at the latest soon; what was asked of it before comes first. */
  whenAnswered(paths: readonly string[], work: () => void): Promise<void> {
    const done = this.#working.then(() => this.#end(paths)).then(work);
    this.#working = done.catch(() => {});
    return done;
  }

  async #end(paths: readonly string[]): Promise<void> {
    const tooLate = AbortSignal.timeout(longestAnswerMs);
    for (const path of paths) while (this.#open.has(path) && !tooLate.aborted) await this.#next(path, tooLate);
  }

  /** Resolves when an answer for a module has been written, or no page asks for it. */
  next(path: string): Promise<void> {
    return this.#next(path, AbortSignal.timeout(longestFetchMs));
  }

  async #next(path: string, signal: AbortSignal): Promise<void> {
    await once(this.#answered, path, { signal }).catch(() => {});
  }
}

/** `/card.svc?import` -> the path of the file; '' for an address that is none. */
function pathOf(url: string, projectDir: string): string {
  try {
    return join(projectDir, decodeURIComponent(url.replace(/\?.*$/, '')));
  } catch {
    return '';
  }
}
