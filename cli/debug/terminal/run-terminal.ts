import type { Terminal } from '../../terminal.ts';
import { createBreakpointBook } from '../engine/breakpoint-book.ts';
import { attachTo, type LaunchEvents, type Launched, launch, type Program } from '../engine/launch.ts';
import { createSources, type Sources } from '../engine/sources.ts';
import type { GraphPage } from '../graph-page/serve-graph.ts';
import { connectionLost, type Going, type Replayed, type Stop } from '../protocol.ts';
import { completionsOf } from './complete.ts';
import { createExecutor, type Standing } from './execute.ts';
import { type Input, openInput } from './input.ts';
import { type DebugCommand, parseCommand } from './parse-command.ts';
import { placeText, sourceText, stopText } from './show.ts';

export interface TerminalJob {
  /** A program to start, or the port of one that runs. */
  readonly program: Program | number;
  /** Request id of a call of that server which is run again. */
  readonly replay?: string | undefined;
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
  const book = createBreakpointBook();
  let launched: Launched | undefined;
  let page: GraphPage | undefined;
  let hear: (event: Stop | Replayed | 'interrupted') => void = () => {};
  let interruptedAt = Number.NEGATIVE_INFINITY;
  let lastStep: DebugCommand = { name: 'step' };
  let sources: Sources = createSources('', []);
  let frame = () => 0;

  const onInterrupt = () => {
    const now = performance.now();
    if (now - interruptedAt < doubleMs) return hear('interrupted');
    interruptedAt = now;
    if (launched === undefined) return hear('interrupted');
    const { isStopped, isEvaluating } = launched.session;
    if (isStopped && !isEvaluating) {
      terminal.out('\n(once more to quit)\n');
      input.again();
    } else launched.session.pause().catch(() => {});
  };
  const input: Input = openInput(onInterrupt, (line) => completionsOf(line, launched?.session, frame()));

  /** The next stop, the end of a replay, the exit code when the program ends, or that somebody wants to quit. */
  async function wait(program: Launched): Promise<Stop | Replayed | number | 'interrupted'> {
    const heard = new Promise<Stop | Replayed | 'interrupted'>((resolve) => {
      hear = resolve;
    });
    return await Promise.race([heard, program.exited]);
  }

  async function begin(): Promise<Launched | number> {
    const events: LaunchEvents = {
      onOutput: (stream, text) => (stream === 'out' ? terminal.out(text) : terminal.err(text)),
      onStop: (stop) => hear(stop),
      onTold: (told) =>
        told.tell === 'replayed'
          ? hear(told)
          : told.tell === 'log' && terminal.out(`${placeText(told.place)}: ${told.text}\n`),
    };
    const { program } = job;
    const begun = typeof program === 'number' ? await attachTo(program, events) : await launch(program, events);
    if (typeof begun === 'number') return begun;
    launched = begun;
    const known = await begun.session.ask({ ask: 'files' });
    sources = createSources(known.projectDir, known.files);
    await book.tellAll(begun.session);
    return begun;
  }

  async function showStop({ session }: Launched, stop: Stop): Promise<void> {
    const [frame] = await session.ask({ ask: 'stack' });
    terminal.out(`${stopText(stop, frame)}\n`);
    if (frame !== undefined) {
      const { file, line } = frame.place;
      const changed = sources.tellChanged(file);
      if (changed !== undefined) terminal.out(`${changed}\n`);
      terminal.out(sourceText(sources.textOf(file), line, 0));
    }
    page?.changed();
  }

  /** Asks for commands until one lets the program go on. */
  async function command(standing: Standing): Promise<Going | 'restart' | 'quit' | 'interrupted'> {
    frame = () => standing.frame;
    const execute = createExecutor({ terminal, standing, sourceOf: (file) => sources.textOf(file), openGraph });
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
        case 'back':
          if (job.replay !== undefined) {
            lastStep = read;
            return 'back';
          }
          terminal.out('only a replay can be walked back: svc debug --replay\n');
          break;
        case 'step':
        case 'next':
        case 'out':
          lastStep = read;
          return read.name;
        case 'restart':
          if (job.replay !== undefined) return 'first';
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
          if (going === 'entry' && job.replay !== undefined) await begun.session.ask({ ask: 'replay', id: job.replay });
          else if (going === 'entry' && typeof job.program === 'number') begun.session.pause().catch(() => {});
          else await begun.session.go(going === 'entry' ? 'continue' : going, going === 'entry').catch(() => {});
          const event = await waiting;
          if (event === 'interrupted') return interrupted;
          if (typeof event === 'number') {
            const isKnown = typeof job.program !== 'number';
            const attached = event === 0 ? 'the program ended' : connectionLost;
            terminal.err(`svc: ${isKnown ? `the program ended with ${event}` : attached}\n`);
            return event;
          }
          if ('same' in event) {
            terminal.out(event.text);
            return event.same ? 0 : 1;
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
