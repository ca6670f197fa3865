/** Port that runs applications for the test client: given by `svc test`, absent elsewhere. */
export interface TestHost {
  /**
   * Absolute path of the program to serve; without `file` the one whose tests run.
   *
   * @throws FileNotFoundError
   */
  find(file: string | undefined, folder: string | undefined): string;
  /** Loads a program with an empty graph and no users. Its entry blocks run. */
  open(path: string): Promise<TestApp>;
}

export interface TestApp {
  send(request: TestRequest): Promise<TestReply>;
  close(): Promise<void>;
}

export interface TestRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly body: Uint8Array | undefined;
}

export interface TestReply {
  readonly status: number;
  readonly headers: Iterable<readonly [string, string]>;
  readonly body: Uint8Array;
}

let current: TestHost | undefined;

export function setTestHost(host: TestHost | undefined): void {
  current = host;
}

export function testHost(): TestHost | undefined {
  return current;
}
