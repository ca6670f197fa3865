/** A server that the transcripts pass on. */
export interface Variant {
  readonly name: string;
  /** What it adds to `svc start`. */
  readonly args: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  readonly closesWithOwnCodes?: boolean;
  /** Transcripts that do not apply, with the reason. */
  readonly differs?: Readonly<Record<string, string>>;
}

export const variants: readonly Variant[] = [
  { name: 'one process', args: [] },
  { name: '2 workers', args: ['--workers', '2'] },
  {
    name: 'emulated functions',
    args: ['--emulate'],
    env: { SVC_EMULATE_JSON: '1' },
    closesWithOwnCodes: false,
    // Rows of server.md 21.8; adapters/hosts/emulated has the tests of what happens instead.
    differs: {
      'MET-01': 'metrics are off: nothing could scrape instances that come and go',
      'SYS-01': 'its description has the metrics endpoint',
      'GEN-10': 'the gateway reads a body before it calls the function',
      'WSK-06': 'a login that is late is noticed with the next frame or by the sweeper',
      'WSK-16': 'a cap refuses the handshake, because nothing can be posted before it is answered',
    },
  },
];
