/** The types of `svc-scale/hono`, apart from the code so that its declarations need no others. */
import type { Context, Hono } from 'hono';

export interface AppOptions {
  /** Path of the configuration file; left out: `svc.toml` of the project. */
  readonly config?: string;
  /** Profile of the configuration. */
  readonly profile?: string;
  /**
   * Ends a call that computes without end with 504 at its limit, also while it keeps the event loop (true, in Node's main thread). It never ends the
   * process. False: such a call goes on, and nothing else runs meanwhile.
   */
  readonly watchdog?: boolean;
  /** Address of the peer of a request, for rate limits and logs; left out: that of the socket under `@hono/node-server`, else none. */
  readonly peer?: (context: Context) => string | undefined;
}

/** An application as a Hono sub-application: `server.route('/api', served)`. It can be mounted at several paths. */
export type ServedApp = Hono &
  AsyncDisposable & {
    /** Refuses new calls with 503, lets those that run end, for as long as `serve.drain_timeout_seconds` says, then closes the stores. */
    close(): Promise<void>;
  };

/**
 * Opens the application of a program file in this process: reads its configuration, compiles what has changed, opens its stores, runs its entry
 * blocks.
 *
 * @param file path of the program, `main.svc`, from the working directory
 * @throws Error saying what is wrong with the program, its configuration or its store; diagnostics are printed to standard error
 */
export declare function app(file: string, options?: AppOptions): Promise<ServedApp>;
