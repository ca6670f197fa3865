/** Start-up validation of targets (docs/server/programs.md#start-validation): all problems together, one line each. */
import { wordList } from '../../base/word-list.ts';
import { isReferences } from '../config/packed-settings.ts';
import type { FunctionTarget, WalkerTarget } from './program.ts';

type Target = WalkerTarget | FunctionTarget;

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];
const reserved = new Set(
  '/walker /walkers /function /functions /webhook /ws /user /api-key /sso /traverse /graph /live /static /cl /openapi.json /asyncapi.json /docs /redoc /__build_status'.split(
    ' ',
  ),
);

const protocols = ['HTTP', 'WEBHOOK', 'WEBSOCKET'];
const senders = ['github', 'stripe', 'slack', 'standard', 'none'];
/** An application may claim these; its route then wins. */
const claimable = new Set(['/', '/healthz', '/healthz/live', '/healthz/ready']);

export interface Declared {
  readonly walkers: readonly WalkerTarget[];
  readonly functions: readonly FunctionTarget[];
  readonly metricsEndpoint: string;
}

export function validateTargets({ walkers, functions, metricsEndpoint }: Declared): string[] {
  const targets: readonly Target[] = [...walkers, ...functions];
  return [
    ...duplicates('walker', walkers),
    ...duplicates('function', functions),
    ...targets.flatMap(protocolProblems),
    ...targets.flatMap((target) => pathProblems(target, metricsEndpoint)),
    ...collisions(targets),
  ];
}

function duplicates(kind: string, targets: readonly Target[]): string[] {
  const first = new Map<string, Target>();
  return targets.flatMap((target) => {
    const known = first.get(target.name);
    if (known === undefined) {
      first.set(target.name, target);
      return [];
    }
    return [`duplicate ${kind} ${target.name} (${known.module}, ${target.module})`];
  });
}

/** Fixed endpoints that the program's own routes replace, for a warning at start. */
export function claimedPaths(targets: readonly Target[]): string[] {
  return targets
    .filter(({ rest, path }) => rest.protocol === 'HTTP' && claimable.has(path))
    .map(({ name, path }) => `${name}: takes over ${path}`);
}

function protocolProblems(target: Target): string[] {
  const { name, rest, kind } = target;
  if (!protocols.includes(rest.protocol))
    return [`${name}: unsupported protocol ${rest.protocol} (${wordList(protocols)})`];
  const problems: string[] = [];
  if (rest.broadcast && rest.protocol !== 'WEBSOCKET') problems.push(`${name}: broadcast requires protocol WEBSOCKET`);
  if (rest.protocol === 'WEBSOCKET' && kind === 'walker' && !target.isAsync)
    problems.push(`${name}: a WEBSOCKET walker must be async`);
  if (rest.protocol === 'WEBHOOK' && kind === 'function') problems.push(`${name}: WEBHOOK applies to walkers only`);
  if (rest.protocol !== 'HTTP' && (rest.method !== 'POST' || rest.path !== ''))
    problems.push(`${name}: method/path do not apply to protocol ${rest.protocol}`);
  for (const method of target.methods)
    if (!methods.includes(method)) problems.push(`${name}: unsupported method ${method} (${wordList(methods)})`);
  if (kind === 'walker' && !rest.envelope && rest.verify === '')
    problems.push(`${name}: envelope=false applies to functions, and to webhooks with verify, only`);
  problems.push(...senderProblems(target));
  return problems;
}

/** Webhooks of services with signatures of their own (decisions/0420). */
function senderProblems({ name, rest: { protocol, verify, secret } }: Target): string[] {
  if (verify === '') return secret === '' ? [] : [`${name}: secret needs verify`];
  if (protocol !== 'WEBHOOK') return [`${name}: verify requires protocol WEBHOOK`];
  if (!senders.includes(verify)) return [`${name}: unknown verify ${verify} (known: ${senders.join(', ')})`];
  if (verify === 'none') return secret === '' ? [] : [`${name}: verify none takes no secret`];
  if (secret === '') return [`${name}: verify ${verify} needs secret="\${NAME}", the variable that has it`];
  return isReferences(secret)
    ? []
    : [`${name}: secret must name the variable that has it, secret="\${NAME}", not hold it`];
}

function pathProblems(target: Target, metricsEndpoint: string): string[] {
  const { name, rest } = target;
  if (rest.protocol !== 'HTTP' || rest.path === '') return [];
  const { path } = rest;
  const why = badPath(target, path);
  if (why !== undefined) return [`${name}: invalid path ${path} (${why})`];
  const first = `/${path.slice(1).split('/', 1)[0]}`;
  const metrics = `/${metricsEndpoint.slice(1).split('/', 1)[0]}`;
  // The paths of older walkers lie below the generated one.
  const isOwn = target.kind === 'walker' && path.startsWith(`/walker/${name}/`);
  const isTaken = reserved.has(first) || (metrics !== '/' && first === metrics);
  return isTaken && !isOwn ? [`${name}: path ${path} is reserved`] : [];
}

/** A segment is either literal or one parameter, and a parameter is a declared field. */
function badPath(target: Target, path: string): string | undefined {
  if (!path.startsWith('/')) return 'it must start with /';
  if (path === '/') return undefined;
  const fields =
    target.kind === 'walker'
      ? target.meta.fields.filter((field) => field.isPublic).map((field) => field.name)
      : target.spec.params.map((param) => param.name);
  const seen = new Set<string>();
  for (const segment of path.slice(1).split('/')) {
    if (segment === '') return 'it has an empty segment';
    if (!/[{}]/.test(segment)) continue;
    const name = /^\{([^{}]+)\}$/.exec(segment)?.[1];
    if (name === undefined) return `a segment is either literal or one parameter, not ${segment}`;
    if (!fields.includes(name)) return `{${name}} is not a declared field`;
    if (seen.has(name)) return `{${name}} occurs twice`;
    seen.add(name);
  }
  return undefined;
}

function collisions(targets: readonly Target[]): string[] {
  const claimed = new Map<string, Target>();
  return targets.flatMap((target) =>
    (target.rest.protocol === 'HTTP' ? target.methods : ['*']).flatMap((method) => {
      const place = `${method} ${target.path.replace(/\{[^{}]+\}/g, '{}')}`;
      const known = claimed.get(place);
      if (known === undefined) claimed.set(place, target);
      // The same name twice has been reported.
      return known === undefined || (known.name === target.name && known.kind === target.kind)
        ? []
        : [`${known.name} and ${target.name} both claim ${method} ${target.path}`];
    }),
  );
}
