/** Facts of a server that has just become ready. */
export interface ReadyFacts {
  readonly version: string;
  readonly mode: string;
  readonly app: { readonly name: string; readonly version: string };
  readonly counts: TargetCounts;
  /** `sqlite (.svc/data/svc.db)`. */
  readonly store: string;
  readonly cache: string;
  /** Way in which live subscriptions hear of other processes, where that takes time; undefined otherwise. */
  readonly live?: string | undefined;
  readonly port: number;
  /** Address the browser uses on this machine, `http://localhost:8000`. */
  readonly localUrl: string;
  readonly networkUrls: readonly string[];
  readonly hasDocs: boolean;
  /** `cloud` when calls go through its events; undefined otherwise. */
  readonly emulating?: string | undefined;
  readonly readyMs: number;
}

export interface TargetCounts {
  readonly walkers: number;
  readonly functions: number;
  readonly webhooks: number;
  readonly websockets: number;
  /** Functions that no client can call. */
  readonly internal: number;
}

/** The banner of docs/server/commands.md#output. */
export function banner(facts: ReadyFacts): string {
  const row = (label: string, text: string) => `  ${`${label}:`.padEnd(10)}${text}`;
  return [
    `  svc server v${facts.version} (${facts.mode})`,
    '',
    row('App', `${facts.app.name} ${facts.app.version}    ${countsText(facts.counts)}`),
    row('Store', `${facts.store}    Cache: ${facts.cache}`),
    ...(facts.live === undefined ? [] : [row('Live', facts.live)]),
    row('Local', `${facts.localUrl}/`),
    ...facts.networkUrls.map((url, i) => (i === 0 ? row('Network', `${url}/`) : `            ${url}/`)),
    ...(facts.emulating === undefined ? [] : [`  Emulating: ${facts.emulating}`]),
    ...(facts.hasDocs ? [row('Docs', `${facts.localUrl}/docs`)] : []),
    '',
    `  Server ready in ${Math.round(facts.readyMs)} ms`,
    '',
  ].join('\n');
}

/** `12 walkers, 3 functions, 2 webhooks, 1 websocket served; 7 functions are internal`; the last three only when there are any. */
export function countsText({ walkers, functions, webhooks, websockets, internal }: TargetCounts): string {
  const parts = [counted(walkers, 'walker'), counted(functions, 'function')];
  if (webhooks > 0) parts.push(counted(webhooks, 'webhook'));
  if (websockets > 0) parts.push(counted(websockets, 'websocket'));
  const served = parts.join(', ');
  return internal === 0
    ? served
    : `${served} served; ${counted(internal, 'function')} ${internal === 1 ? 'is' : 'are'} internal`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
