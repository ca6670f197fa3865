import type { Terminal } from '../../terminal.ts';
import type { BreakpointBook, NewBreakpoint } from '../engine/breakpoint-book.ts';
import type { Launched } from '../engine/launch.ts';
import type { Scope } from '../protocol.ts';
import { type BreakAt, type DebugCommand, helpText } from './parse-command.ts';
import { graphText, placeText, sourceText } from './show.ts';

/** The program that is being debugged, and what it does at the moment. */
export interface Standing {
  readonly launched: Launched;
  readonly book: BreakpointBook;
  /** The frame that variables are shown of. */
  frame: number;
  readonly file: () => Promise<string | undefined>;
}

export interface ExecutorParts {
  readonly terminal: Terminal;
  readonly standing: Standing;
  readonly sourceOf: (file: string) => string | undefined;
  /** Address of the page with the graph; undefined when there is none. */
  readonly openGraph: () => Promise<string | undefined>;
}

const [graphDepth, graphLimit] = [6, 200];
const shownVariables = 100;

/** Gives what carries out the commands of a program that stands. What fails is printed. */
export function createExecutor({ terminal, standing, sourceOf, openGraph }: ExecutorParts) {
  const { book } = standing;
  const { session } = standing.launched;
  const say = (text: string) => terminal.out(`${text}\n`);

  async function add(wanted: NewBreakpoint): Promise<void> {
    const { id, place, message } = await book.add(session, wanted);
    if (place === undefined) return say(message ?? 'there is nothing to stop at');
    say(`breakpoint ${id} at ${placeText(place)}${message === undefined ? '' : ` (${message})`}`);
  }

  async function addBreak({ at, ...rest }: Extract<DebugCommand, { name: 'break' }>): Promise<void> {
    const { name: _, ...how } = rest;
    if (at.kind === 'function') return await add({ kind: 'function', name: at.function, ...how });
    const file = await findFile(at);
    await add({ kind: 'line', file, line: at.line, column: at.column, ...how });
  }

  /** The file that somebody means: the current one, or the one whose path ends so. */
  async function findFile({ file }: Extract<BreakAt, { kind: 'line' }>): Promise<string> {
    if (file === undefined) return (await standing.file()) ?? '';
    const { files } = await session.ask({ ask: 'files' });
    const plain = file.replace(/^\.\//, '');
    const ending = files.filter((one) => one === plain || one.endsWith(`/${plain}`) || plain.endsWith(`/${one}`));
    return files.find((one) => one === plain) ?? ending[0] ?? plain;
  }

  async function list(): Promise<void> {
    for (const { breakpoint: one, placed } of book.all()) {
      const what = one.kind === 'line' ? '' : `${one.kind === 'data' ? 'writes ' : ''}${one.name} `;
      const where = placed?.place === undefined ? 'nowhere' : placeText(placed.place);
      const when = [
        one.condition && `if ${one.condition}`,
        one.hits && `hits ${one.hits}`,
        one.kind === 'line' && one.log,
      ];
      say([`${one.id}: ${what}${where}`, ...when.filter(Boolean)].join(' '));
    }
    say(`exceptions: ${book.filter()}`);
  }

  async function variables(): Promise<void> {
    const scopes = await session.ask({ ask: 'scopes', frame: standing.frame });
    const shown: readonly Scope['name'][] = ['Locals', 'Walk'];
    for (const { name, ref } of scopes) {
      if (!shown.includes(name)) continue;
      const list = await session.ask({ ask: 'children', ref, start: 0, count: shownVariables });
      for (const one of list) say(`${one.name} = ${one.text}`);
    }
  }

  async function where(): Promise<void> {
    const frames = await session.ask({ ask: 'stack' });
    for (const { id, name, place } of frames)
      say(`${id === standing.frame ? '>' : ' '} ${id}: ${name} at ${placeText(place)}`);
  }

  async function showSource(): Promise<void> {
    const frame = (await session.ask({ ask: 'stack' }))[standing.frame];
    if (frame !== undefined) terminal.out(sourceText(sourceOf(frame.place.file), frame.place.line, 5));
  }

  async function chooseFrame(number: number): Promise<void> {
    const frames = await session.ask({ ask: 'stack' });
    if (frames[number] === undefined) return say(`there is no frame ${number}`);
    standing.frame = number;
    await where();
  }

  async function print(text: string): Promise<void> {
    const value = await session.evaluate(standing.frame, text);
    say(`${text} = ${value.text}`);
  }

  async function carryOut(command: DebugCommand): Promise<void> {
    switch (command.name) {
      case 'break':
        return await addBreak(command);
      case 'watch':
        return await add({ kind: 'data', name: command.field, condition: command.condition });
      case 'clear':
        return say(
          (await book.remove(session, command.id))
            ? `breakpoint ${command.id} is gone`
            : `there is no breakpoint ${command.id}`,
        );
      case 'catch':
        await book.setFilter(session, command.filter);
        return say(`exceptions: ${command.filter}`);
      case 'breakpoints':
        return await list();
      case 'print':
        return await print(command.text);
      case 'set':
        await session.evaluate(standing.frame, `${command.target} = ${command.text}`);
        return await print(command.target);
      case 'vars':
        return await variables();
      case 'where':
        return await where();
      case 'frame':
        return await chooseFrame(command.number);
      case 'list':
        return await showSource();
      case 'graph': {
        const graph = await session.ask({ ask: 'graph', depth: graphDepth, limit: graphLimit });
        return void terminal.out(graphText(graph, await openGraph()));
      }
      case 'help':
        return void terminal.out(helpText);
      case 'wrong':
        return say(command.message);
      default:
    }
  }

  return async (command: DebugCommand): Promise<void> => {
    try {
      await carryOut(command);
    } catch (error) {
      say(error instanceof Error ? error.message : String(error));
    }
  };
}
