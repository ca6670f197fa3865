/** Debug Adapter Protocol over the engine (`svc debug --dap`): one session for each editor that connects. */
import { isAbsolute, relative, resolve } from 'node:path';
import {
  CapabilitiesEvent,
  DebugSession,
  Event,
  ExitedEvent,
  InitializedEvent,
  OutputEvent,
  StoppedEvent,
  TerminatedEvent,
} from '@vscode/debugadapter';
import type { DebugProtocol } from '@vscode/debugprotocol';
import type { Terminal } from '../../terminal.ts';
import { attach } from '../engine/attach.ts';
import { createBreakpointBook, type NewBreakpoint } from '../engine/breakpoint-book.ts';
import { startDebuggee } from '../engine/debuggee.ts';
import { type Launched, launch, type Program } from '../engine/launch.ts';
import type { Session } from '../engine/session.ts';
import { createSources, type Sources } from '../engine/sources.ts';
import {
  connectionLost,
  type ExceptionFilter,
  type Going,
  type Placed,
  type Stop,
  type Told,
  type Value,
} from '../protocol.ts';
import { type AttachArguments, type LaunchArguments, programOf, requireForms } from './launch-arguments.ts';

const threadId = 1;
/** Number of items from which on an editor asks for them in pages. */
const pageSize = 100;
/** Largest number of parts for a request that does not say how many. */
const mostUnasked = 10_000;
const graphDefaults = { depth: 6, limit: 300 };

export class SvcDebugSession extends DebugSession {
  readonly #terminal: Terminal;
  readonly #book = createBreakpointBook();
  #program: Program | undefined;
  #stopOnEntry = false;
  /** Request id of the call that runs again. */
  #replay: string | undefined;
  #session: Session | undefined;
  #launched: Launched | undefined;
  #endPlain: (() => void) | undefined;
  #projectDir = '';
  #sources: Sources | undefined;
  #stop: Stop | undefined;
  #isRestarting = false;
  #isConfigured = false;
  #didEnd = false;
  /** Number of the request that is being answered, and of those that nobody wants to be. */
  #answering: number | undefined;
  readonly #canceled = new Set<number>();
  /** Requests that are being answered, one after the other. */
  #work: Promise<void> = Promise.resolve();

  constructor(terminal: Terminal) {
    super();
    this.#terminal = terminal;
    this.setDebuggerLinesStartAt1(true);
    this.setDebuggerColumnsStartAt1(true);
  }

  // The protocol's default, which the base class refuses when it is not named.
  protected override dispatchRequest(request: DebugProtocol.Request): void {
    const isFirst = request.command === 'initialize';
    super.dispatchRequest({ ...request, arguments: { ...(isFirst && { pathFormat: 'path' }), ...request.arguments } });
  }

  // The base class answers a request that a handler cannot read with the stack of the failure.
  protected override sendErrorResponse(
    response: DebugProtocol.Response,
    ...[code, format, variables, dest]: [number | DebugProtocol.Message, string?, any?, number?]
  ): void {
    if (format !== '{_stack}') super.sendErrorResponse(response, code as number, format, variables, dest);
    else {
      const text = `the arguments of ${response.command} cannot be read: {_exception}`;
      super.sendErrorResponse(response, 1, text, { _exception: variables._exception }, 1);
    }
  }

  protected override initializeRequest(response: DebugProtocol.InitializeResponse): void {
    response.body = {
      supportsConfigurationDoneRequest: true,
      supportsFunctionBreakpoints: true,
      supportsConditionalBreakpoints: true,
      supportsHitConditionalBreakpoints: true,
      supportsLogPoints: true,
      supportsDataBreakpoints: true,
      supportsEvaluateForHovers: true,
      supportsSetVariable: true,
      supportsSetExpression: true,
      supportsRestartRequest: true,
      supportsCancelRequest: true,
      supportsTerminateRequest: true,
      supportTerminateDebuggee: true,
      supportsExceptionInfoRequest: true,
      exceptionBreakpointFilters: [
        { filter: 'uncaught', label: 'Uncaught exceptions', default: true },
        { filter: 'all', label: 'All exceptions' },
      ],
    };
    this.sendResponse(response);
  }

  protected override launchRequest(
    response: DebugProtocol.LaunchResponse,
    args: DebugProtocol.LaunchRequestArguments & LaunchArguments,
  ): void {
    this.#answer(response, async () => {
      this.#program = programOf(args, this.#terminal);
      this.#stopOnEntry = args.stopOnEntry === true;
      if (args.noDebug === true) return this.#runPlain(this.#program);
      await this.#begin(this.#program);
    });
  }

  /** Runs without the debugger: output and end are told, nothing stops. */
  #runPlain({ args, rest, cwd, env }: Program): void {
    const line = [...args, ...(rest.length === 0 ? [] : ['--', ...rest])];
    const plain = startDebuggee({ args: line, cwd, env, onOutput: (stream, text) => this.#tellOutput(stream, text) });
    this.#endPlain = plain.kill;
    plain.exited.then((code) => this.#ended(code)).catch(() => {});
    this.#isConfigured = true;
    this.sendEvent(new InitializedEvent());
  }

  async #begin(program: Program): Promise<void> {
    const begun = await launch(program, {
      onOutput: (stream, text) => this.#tellOutput(stream, text),
      onStop: (stop) => this.#stopped(stop),
      onTold: (told) => this.#told(told),
    });
    if (typeof begun === 'number') {
      this.#ended(begun);
      return;
    }
    this.#launched = begun;
    begun.exited.then((code) => begun === this.#launched && !this.#isRestarting && this.#ended(code)).catch(() => {});
    await this.#take(begun.session);
  }

  async #take(session: Session): Promise<void> {
    this.#session = session;
    const { projectDir, files } = await session.ask({ ask: 'files' });
    this.#projectDir = projectDir;
    this.#sources = createSources(projectDir, files);
    await this.#book.tellAll(session);
    if (!this.#isConfigured) this.sendEvent(new InitializedEvent());
  }

  protected override attachRequest(
    response: DebugProtocol.AttachResponse,
    args: DebugProtocol.AttachRequestArguments & AttachArguments,
  ): void {
    this.#answer(response, async () => {
      requireForms(args);
      const { port, host = '127.0.0.1', replay } = args;
      if (!['127.0.0.1', 'localhost', '::1'].includes(host))
        throw new Error('a debugger attaches on this machine only');
      const events = {
        onStop: (stop: Stop) => this.#stopped(stop),
        onTold: (told: Told) => this.#told(told),
        onClose: (isLost: boolean) => {
          if (isLost && !this.#didEnd) this.sendEvent(new OutputEvent(`svc: ${connectionLost}\n`, 'console'));
          this.#ended(undefined);
        },
      };
      this.#replay = replay;
      if (replay !== undefined) this.sendEvent(new CapabilitiesEvent({ supportsStepBack: true }));
      await this.#take(await attach(Number(port), events));
    });
  }

  protected override configurationDoneRequest(response: DebugProtocol.ConfigurationDoneResponse): void {
    this.#answer(response, async () => {
      if (this.#session === undefined) return;
      this.#isConfigured = true;
      if (this.#replay !== undefined) await this.#session.ask({ ask: 'replay', id: this.#replay });
      if (this.#launched !== undefined) await this.#session.go('continue', this.#stopOnEntry);
    });
  }

  protected override restartRequest(response: DebugProtocol.RestartResponse): void {
    this.#answer(response, async () => {
      if (this.#replay !== undefined) return await this.#need().go('first');
      if (this.#program === undefined) throw new Error('only a program that was launched can be restarted');
      this.#isRestarting = true;
      await this.#launched?.kill();
      this.#isRestarting = false;
      await this.#begin(this.#program);
      await this.#session?.go('continue', this.#stopOnEntry);
    });
  }

  // ---------------------------------------------------------------- breakpoints

  protected override setBreakPointsRequest(
    response: DebugProtocol.SetBreakpointsResponse,
    args: DebugProtocol.SetBreakpointsArguments,
  ): void {
    this.#answer(response, async () => {
      const file = this.#fileOf(args.source.path ?? '');
      const wanted = (args.breakpoints ?? []).map(
        (one): NewBreakpoint => ({
          kind: 'line',
          file,
          line: one.line,
          column: one.column,
          condition: one.condition,
          hits: one.hitCondition,
          log: one.logMessage,
        }),
      );
      const placed = await this.#book.replace(this.#need(), 'line', file, wanted);
      response.body = { breakpoints: placed.map((one) => this.#breakpoint(one)) };
    });
  }

  /** Breakpoints of a kind that is known by names replace those of that kind. */
  #replaceNamed(
    response: DebugProtocol.SetFunctionBreakpointsResponse,
    kind: 'function' | 'data',
    named: readonly DebugProtocol.FunctionBreakpoint[],
  ): void {
    this.#answer(response, async () => {
      const wanted = named.map(
        ({ name, condition, hitCondition }): NewBreakpoint => ({ kind, name, condition, hits: hitCondition }),
      );
      const placed = await this.#book.replace(this.#need(), kind, undefined, wanted);
      response.body = { breakpoints: placed.map((one) => this.#breakpoint(one)) };
    });
  }

  protected override setFunctionBreakPointsRequest(
    response: DebugProtocol.SetFunctionBreakpointsResponse,
    args: DebugProtocol.SetFunctionBreakpointsArguments,
  ): void {
    this.#replaceNamed(
      response,
      'function',
      args.breakpoints.map((one) => ({ ...one })),
    );
  }

  protected override dataBreakpointInfoRequest(
    response: DebugProtocol.DataBreakpointInfoResponse,
    { name, variablesReference }: DebugProtocol.DataBreakpointInfoArguments,
  ): void {
    this.#answer(response, async () => {
      const owner =
        variablesReference === undefined || variablesReference === 0
          ? undefined
          : await this.#need().ask({ ask: 'owner', ref: variablesReference });
      const id = owner === undefined || owner === null ? name : `${owner}.${name}`;
      const isField = /^\w+\.\w+$/.test(id);
      response.body = isField
        ? { dataId: id, description: id, accessTypes: ['write'], canPersist: true }
        : { dataId: null, description: `${name} is no field of a class` };
    });
  }

  protected override setDataBreakpointsRequest(
    response: DebugProtocol.SetDataBreakpointsResponse,
    args: DebugProtocol.SetDataBreakpointsArguments,
  ): void {
    this.#replaceNamed(
      response,
      'data',
      args.breakpoints.map((one) => ({ ...one, name: one.dataId })),
    );
  }

  protected override setExceptionBreakPointsRequest(
    response: DebugProtocol.SetExceptionBreakpointsResponse,
    { filters }: DebugProtocol.SetExceptionBreakpointsArguments,
  ): void {
    this.#answer(response, async () => {
      const filter: ExceptionFilter = filters.includes('all')
        ? 'all'
        : filters.includes('uncaught')
          ? 'uncaught'
          : 'none';
      await this.#book.setFilter(this.#need(), filter);
    });
  }

  #breakpoint({ id, place, message }: Placed): DebugProtocol.Breakpoint {
    return {
      id,
      verified: place !== undefined,
      ...(message === undefined ? {} : { message }),
      ...(place === undefined ? {} : { line: place.line, column: place.column, source: this.#source(place.file) }),
    };
  }

  // ---------------------------------------------------------------- going on

  protected override continueRequest(response: DebugProtocol.ContinueResponse): void {
    response.body = { allThreadsContinued: true };
    this.#go(response, 'continue');
  }

  protected override nextRequest(response: DebugProtocol.NextResponse): void {
    this.#go(response, 'next');
  }

  protected override stepInRequest(response: DebugProtocol.StepInResponse): void {
    this.#go(response, 'step');
  }

  protected override stepOutRequest(response: DebugProtocol.StepOutResponse): void {
    this.#go(response, 'out');
  }

  protected override stepBackRequest(response: DebugProtocol.StepBackResponse): void {
    this.#go(response, 'back');
  }

  protected override reverseContinueRequest(response: DebugProtocol.ReverseContinueResponse): void {
    this.#go(response, 'first');
  }

  protected override pauseRequest(response: DebugProtocol.PauseResponse): void {
    this.#answer(response, () => this.#need().pause());
  }

  #go(response: DebugProtocol.Response, going: Going): void {
    this.#answer(response, () => this.#need().go(going));
  }

  // ---------------------------------------------------------------- looking

  protected override threadsRequest(response: DebugProtocol.ThreadsResponse): void {
    response.body = { threads: [{ id: threadId, name: 'program' }] };
    this.sendResponse(response);
  }

  protected override stackTraceRequest(
    response: DebugProtocol.StackTraceResponse,
    { startFrame = 0, levels = 0 }: DebugProtocol.StackTraceArguments,
  ): void {
    this.#answer(response, async () => {
      const all = await this.#need().ask({ ask: 'stack' });
      const shown = all.slice(startFrame, levels > 0 ? startFrame + levels : undefined);
      response.body = {
        stackFrames: shown.map(({ id, name, place: { file, line, column } }) => ({
          id: id + 1,
          name,
          line,
          column,
          source: this.#source(file),
        })),
        totalFrames: all.length,
      };
    });
  }

  protected override scopesRequest(
    response: DebugProtocol.ScopesResponse,
    { frameId }: DebugProtocol.ScopesArguments,
  ): void {
    this.#answer(response, async () => {
      const scopes = await this.#need().ask({ ask: 'scopes', frame: frameId - 1 });
      response.body = {
        scopes: scopes.map(({ name, ref }) => ({
          name,
          variablesReference: ref,
          expensive: name === 'Globals',
          ...(name === 'Locals' ? { presentationHint: 'locals' } : {}),
        })),
      };
    });
  }

  protected override variablesRequest(
    response: DebugProtocol.VariablesResponse,
    { variablesReference: ref, filter, start = 0, count = 0 }: DebugProtocol.VariablesArguments,
  ): void {
    this.#answer(response, async () => {
      const list = await this.#need().ask({
        ask: 'children',
        ref,
        filter,
        start,
        count: count > 0 ? count : mostUnasked,
      });
      response.body = { variables: list.map(({ name, ...value }) => ({ name, ...shown(value), value: value.text })) };
    });
  }

  protected override evaluateRequest(
    response: DebugProtocol.EvaluateResponse,
    { expression, frameId = 1, context }: DebugProtocol.EvaluateArguments,
  ): void {
    this.#answer(response, async () => {
      // Only what somebody typed may wait: an editor asks for the rest at each stop.
      const value = await this.#need().evaluate(frameId - 1, expression, context === 'repl');
      response.body = { ...shown(value), result: value.text };
    });
  }

  protected override setVariableRequest(
    response: DebugProtocol.SetVariableResponse,
    { variablesReference: ref, name, value: text }: DebugProtocol.SetVariableArguments,
  ): void {
    this.#answer(response, async () => {
      const value = await this.#need().ask({ ask: 'setChild', ref, name, text });
      response.body = { ...shown(value), value: value.text };
    });
  }

  protected override setExpressionRequest(
    response: DebugProtocol.SetExpressionResponse,
    { expression, value: text, frameId = 1 }: DebugProtocol.SetExpressionArguments,
  ): void {
    this.#answer(response, async () => {
      const session = this.#need();
      const frame = frameId - 1;
      await session.evaluate(frame, `${expression} = ${text}`);
      const value = await session.evaluate(frame, expression);
      response.body = { ...shown(value), value: value.text };
    });
  }

  protected override exceptionInfoRequest(response: DebugProtocol.ExceptionInfoResponse): void {
    const [, exceptionId = 'exception', description = ''] = /^(\w+)(?:: (.*))?$/s.exec(this.#stop?.text ?? '') ?? [];
    response.body = { exceptionId, description, breakMode: this.#book.filter() === 'all' ? 'always' : 'unhandled' };
    this.sendResponse(response);
  }

  protected override customRequest(command: string, response: DebugProtocol.Response, args: unknown): void {
    if (command !== 'svc/graph') {
      super.customRequest(command, response, args);
      return;
    }
    const { depth, limit } = (args ?? {}) as { readonly depth?: unknown; readonly limit?: unknown };
    this.#answer(response, async () => {
      response.body = await this.#need().ask({
        ask: 'graph',
        depth: between(depth, 100, graphDefaults.depth),
        limit: between(limit, 5000, graphDefaults.limit),
      });
    });
  }

  /** Breaks off what waits, and leaves out what has not begun; what computes goes on until its time is up. */
  protected override cancelRequest(
    response: DebugProtocol.CancelResponse,
    { requestId }: DebugProtocol.CancelArguments = {},
  ): void {
    if (requestId !== undefined && (requestId === this.#answering || requestId > (this.#answering ?? requestId)))
      this.#canceled.add(requestId);
    const isNow = requestId !== undefined && requestId === this.#answering && this.#session?.isEvaluating === true;
    const broken = isNow ? this.#session!.pause() : Promise.resolve();
    broken.then(
      () => this.sendResponse(response),
      () => this.sendResponse(response),
    );
  }

  // ---------------------------------------------------------------- ending

  protected override terminateRequest(response: DebugProtocol.TerminateResponse): void {
    this.#answer(response, () => this.end());
  }

  protected override disconnectRequest(response: DebugProtocol.DisconnectResponse): void {
    this.#answer(response, () => this.end());
  }

  /** Ends the program, or lets one go that was running before. */
  async end(): Promise<void> {
    this.#endPlain?.();
    if (this.#launched !== undefined) return await this.#launched.kill();
    const session = this.#session;
    this.#session = undefined;
    // A program that was running before goes on.
    await session?.release();
  }

  #ended(code: number | undefined): void {
    if (this.#didEnd) return;
    this.#didEnd = true;
    if (code !== undefined) this.sendEvent(new ExitedEvent(code));
    this.sendEvent(new TerminatedEvent());
  }

  // ---------------------------------------------------------------- what the program tells

  #stopped(stop: Stop): void {
    this.#stop = stop;
    const event: DebugProtocol.StoppedEvent = new StoppedEvent(stop.reason, threadId);
    event.body.allThreadsStopped = true;
    if (stop.breakpoints.length > 0) event.body.hitBreakpointIds = [...stop.breakpoints];
    if (stop.text !== undefined) event.body.text = stop.text;
    this.#tellChanged().catch(() => {});
    this.sendEvent(event);
    if (stop.inWalk) this.#tellWalk().catch(() => {});
  }

  async #tellChanged(): Promise<void> {
    const [frame] = await this.#need().ask({ ask: 'stack' });
    const changed = frame && this.#sources?.tellChanged(frame.place.file);
    if (changed !== undefined) this.sendEvent(new OutputEvent(`${changed}\n`, 'console'));
  }

  async #tellWalk(): Promise<void> {
    const { walk } = await this.#need().ask({ ask: 'graph', depth: 0, limit: 1 });
    if (walk !== null) this.sendEvent(new Event('svc/walk', walk));
  }

  #told(told: Told): void {
    if (told.tell === 'replayed') {
      this.sendEvent(new OutputEvent(told.text, 'console'));
      this.#ended(told.same ? 0 : 1);
      return;
    }
    if (told.tell === 'placed') {
      for (const one of told.placed)
        this.sendEvent(new Event('breakpoint', { reason: 'changed', breakpoint: this.#breakpoint(one) }));
      return;
    }
    const { text, place } = told;
    const event: DebugProtocol.OutputEvent = new OutputEvent(`${text}\n`, 'console');
    Object.assign(event.body, { source: this.#source(place.file), line: place.line, column: place.column });
    this.sendEvent(event);
  }

  #tellOutput(stream: 'out' | 'err', text: string): void {
    this.sendEvent(new OutputEvent(text, stream === 'out' ? 'stdout' : 'stderr'));
  }

  // ---------------------------------------------------------------- helpers

  #need(): Session {
    if (this.#session === undefined) throw new Error('there is no program yet');
    return this.#session;
  }

  #source(file: string): DebugProtocol.Source {
    return { name: file.slice(file.lastIndexOf('/') + 1), path: resolve(this.#projectDir, file) };
  }

  #fileOf(path: string): string {
    return isAbsolute(path) ? relative(this.#projectDir, path).replaceAll('\\', '/') : path;
  }

  /** Sends the response when the work, and that of earlier requests, is done; what it throws becomes an error response. */
  #answer(response: DebugProtocol.Response, work: () => void | Promise<void>): void {
    const seq = response.request_seq;
    const begun = () => {
      if (this.#canceled.has(seq)) throw new Error('cancelled');
      this.#answering = seq;
      return work();
    };
    const done = () => {
      this.#answering = undefined;
      return this.#canceled.delete(seq);
    };
    this.#work = this.#work.then(begun).then(
      () => {
        done();
        this.sendResponse(response);
      },
      (error) => {
        if (done()) {
          this.sendErrorResponse(response, { id: 1, format: 'cancelled', showUser: false });
          return;
        }
        const format = error instanceof Error ? error.message : String(error);
        this.sendErrorResponse(response, {
          id: 1,
          format: format.replaceAll('{', '(').replaceAll('}', ')'),
          showUser: true,
        });
      },
    );
  }
}

function shown({ type, ref, items }: Value) {
  return {
    type,
    variablesReference: ref,
    ...(items !== undefined && items > pageSize ? { indexedVariables: items } : {}),
  };
}

/** A whole number from 0 to `most`; what is none means the usual one. */
function between(value: unknown, most: number, usual: number): number {
  return Number.isInteger(value) && (value as number) >= 0 ? Math.min(value as number, most) : usual;
}
