import type { Progress } from '../../infra/targets/target.ts';
import type { Terminal } from '../terminal.ts';

/** Details that are told line by line where nothing is live. */
const told = /^(replicas|docdb|kvcache|Add |Modify |Remove |Replace |Import |[A-Z]+_[A-Z_]+ )/;

/**
 * Steps as lines `[3/9] wait for the rollout ... ok (1.2s)`; on a terminal the present one is live. With `isJson` each is an object:
 * `{"event": "step", "n": 3, "of": 9, "name": "…", "ms": 1240}`. No step begins when `signal` has ended.
 */
export function showProgress(terminal: Terminal, isJson: boolean, signal: AbortSignal): Progress {
  const isLive = terminal.isOutTerminal && !isJson;
  let of = 0;
  let n = 0;
  let shown = '';
  let last = '';
  const tell = (event: object) => terminal.out(`${JSON.stringify(event)}\n`);
  const clear = () => (isLive ? '\r\u001b[2K' : '');
  const note = (text: string) => {
    if (isJson) tell({ event: 'note', text });
    else terminal.err(`${isLive && terminal.isErrTerminal ? '\n' : ''}note: ${text}\n`);
  };
  signal.addEventListener('abort', () => note('stopping after what is under way; Ctrl-C again ends it at once'));
  return {
    note,
    begin(steps) {
      of = n + steps;
    },
    async step(name, work) {
      signal.throwIfAborted();
      n++;
      of = Math.max(of, n);
      const began = terminal.elapsedMs();
      shown = `[${n}/${of}] ${name} ...`;
      last = '';
      if (isLive) terminal.out(shown);
      const end = (outcome: string) => {
        const ms = Math.round(terminal.elapsedMs() - began);
        if (isJson) tell({ event: 'step', n, of, name, ms, ...(outcome === 'ok' ? {} : { failed: true }) });
        else terminal.out(`${clear()}${shown} ${outcome} (${(ms / 1000).toFixed(1)}s)\n`);
      };
      try {
        const result = await work();
        end('ok');
        return result;
      } catch (error) {
        end('failed');
        throw error;
      }
    },
    detail(text) {
      if (text === last) return;
      last = text;
      if (isJson) tell({ event: 'detail', n, of, text });
      else if (isLive) terminal.out(`${clear()}${shown} ${text}`);
      else if (told.test(text)) terminal.out(`      ${text}\n`);
    },
  };
}
