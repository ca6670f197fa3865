import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Terminal } from '../../terminal.ts';
import { createBreakpointBook } from '../engine/breakpoint-book.ts';
import { attachTo, type LaunchEvents, type Launched, launch, type Program } from '../engine/launch.ts';
import type { GraphPage } from '../graph-page/serve-graph.ts';
import type { Going, Stop } from '../protocol.ts';
import { createExecutor, type Standing } from './execute.ts';
import { type Input, openInput } from './input.ts';
import { type DebugCommand, parseCommand } from './parse-command.ts';
import { placeText, sourceText, stopText } from './show.ts';

export interface TerminalJob {
  /** A program to start, or the port of one that runs. */
  readonly program: Program | number;
  readonly terminal: Terminal;
  /** Opens the page with the graph, when first asked. */
  readonly openGraph: (ask: GraphPage['ask']) => Promise<GraphPage | undefined>;
}

/** Two of Ctrl-C within this time end the debugger. */
const doubleMs = 1000;
const [interrupted, terminated] = [130, 143];

/** Debugs a program from the terminal until it ends, or somebody quits; gives the exit code. */
export async function runTerminal(job: TerminalJob): Promise<number> {
  const state = createState(job);
  const onEnd = () => process.exit(terminated);
  process.once('SIGTERM', onEnd).once('SIGHUP', onEnd);
  try {
    return await state.run();
  } finally {
    process.off('SIGTERM', onEnd).off('SIGHUP', onEnd);
    await state.end();
  }
}

function createState(job: TerminalJob) {
  const { terminal } = job;
  /** Folder that places are relative to. */
  let projectDir = '';
  const book = createBreakpointBook();
  let launched: Launched | undefined;
  let page: GraphPage | undefined;
  let hear: (event: Stop | 'interrupted') => void = () => {};
  let interruptedAt = Number.NEGATIVE_INFINITY;
  let lastStep: DebugCommand = { name: 'step' };
  const sources = new Map<string, string | undefined>();
  const changed = new Set<string>();

  const input: Input = openInput(() => {
    const now = performance.now();
    if (now - interruptedAt < doubleMs) return hear('interrupted');
    interruptedAt = now;
    if (launched === undefined) return hear('interrupted');
    if (launched.session.isStopped) terminal.out('\n(once more to quit)\n');
    else launched.session.pause().catch(() => {});
  });

  /** Source texts as they were when the program began: it may have been changed since. */
  function sourceOf(file: string): string | undefined {
    if (!sources.has(file)) sources.set(file, readSource(file));
    return sources.get(file);
  }

  /** Tells once that a file is not what it was when the program began. */
  function tellChanged(file: string): void {
    if (changed.has(file) || readSource(file) === sourceOf(file)) return;
    changed.add(file);
    terminal.out(`${file} has changed: lines are those of the program that runs, restart takes the new text\n`);
  }

  function readSource(file: string): string | undefined {
    try {
      return readFileSync(resolve(projectDir, file), 'utf8');
    } catch {
      return undefined;
    }
  }

  /** The next stop, the exit code when the program ends, or that somebody wants to quit. */
  async function wait(program: Launched): Promise<Stop | number | 'interrupted'> {
    const heard = new Promise<Stop | 'interrupted'>((resolve) => {
      hear = resolve;
    });
    return await Promise.race([heard, program.exited]);
  }

  async function begin(): Promise<Launched | number> {
    sources.clear();
    changed.clear();
    const events: LaunchEvents = {
      onOutput: (stream, text) => (stream === 'out' ? terminal.out(text) : terminal.err(text)),
      onStop: (stop) => hear(stop),
      onTold: ({ text, place }) => terminal.out(`${placeText(place)}: ${text}\n`),
    };
    const { program } = job;
    const begun = typeof program === 'number' ? await attachTo(program, events) : await launch(program, events);
    if (typeof begun === 'number') return begun;
    launched = begun;
    const known = await begun.session.ask({ ask: 'files' });
    projectDir = known.projectDir;
    for (const file of known.files) sourceOf(file);
    await book.tellAll(begun.session);
    return begun;
  }

  async function showStop({ session }: Launched, stop: Stop): Promise<void> {
    const [frame] = await session.ask({ ask: 'stack' });
    terminal.out(`${stopText(stop, frame)}\n`);
    if (frame !== undefined) tellChanged(frame.place.file);
    if (frame !== undefined) terminal.out(sourceText(sourceOf(frame.place.file), frame.place.line, 0));
    page?.changed();
  }

  /** Asks for commands until one lets the program go on. */
  async function command(standing: Standing): Promise<Going | 'restart' | 'quit' | 'interrupted'> {
    const execute = createExecutor({ terminal, standing, sourceOf, openGraph });
    for (;;) {
      const quit = new Promise<'interrupted'>((resolve) => {
        hear = (event) => event === 'interrupted' && resolve(event);
      });
      const line = await Promise.race([input.line(), quit, standing.launched.exited]);
      if (line === undefined) return 'quit';
      if (typeof line === 'number') return 'continue';
      if (line === 'interrupted') return 'interrupted';
      const read = line.trim() === '' ? lastStep : parseCommand(line);
      switch (read.name) {
        case 'cont':
          return 'continue';
        case 'step':
        case 'next':
        case 'out':
          lastStep = read;
          return read.name;
        case 'restart':
          if (typeof job.program !== 'number') return 'restart';
          terminal.out('only a program that was started here can be restarted\n');
          break;
        case 'quit':
          return read.name;
        default:
          await execute(read);
      }
    }
  }

  async function openGraph(): Promise<string | undefined> {
    page ??= await job.openGraph(async (depth, limit) => {
      if (launched?.session.isStopped !== true) return undefined;
      return await launched.session.ask({ ask: 'graph', depth, limit });
    });
    return page?.address;
  }

  return {
    async run(): Promise<number> {
      for (;;) {
        const begun = await begin();
        if (typeof begun === 'number') return begun;
        let going: Going | 'entry' = 'entry';
        for (;;) {
          const waiting = wait(begun);
          if (going === 'entry' && typeof job.program === 'number') begun.session.pause().catch(() => {});
          else await begun.session.go(going === 'entry' ? 'continue' : going, going === 'entry').catch(() => {});
          const event = await waiting;
          if (event === 'interrupted') return interrupted;
          if (typeof event === 'number') {
            terminal.err(`svc: the program ended with ${event}\n`);
            return event;
          }
          await showStop(begun, event).catch(() => {});
          const file = async () => (await begun.session.ask({ ask: 'stack' }))[0]?.place.file;
          const next = await command({ launched: begun, book, frame: 0, file });
          if (next === 'quit') return 0;
          if (next === 'interrupted') return interrupted;
          if (next === 'restart') break;
          going = next;
        }
        await begun.kill();
      }
    },
    async end(): Promise<void> {
      input.close();
      page?.close();
      await launched?.kill();
    },
  };
}
