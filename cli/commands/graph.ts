import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Stores } from '../../adapters/stores/stores.ts';
import { normaliseIdentity } from '../../core/accounts/identity.ts';
import type { Config } from '../../core/config/config.ts';
import { hops } from '../../core/graph/hops.ts';
import { canonicalId, SHARED_ROOT_ID, SYSTEM_ROOT_ID } from '../../core/graph/ids.ts';
import { lookUp } from '../../core/graph/lookup.ts';
import { Node } from '../../core/graph/objects.ts';
import { printgraph } from '../../core/graph/printgraph.ts';
import { chain } from '../../core/memory/chain.ts';
import { runUnit } from '../../core/memory/unit.ts';
import { snapshotClasses } from '../../library/classes/registry.ts';
import { choiceOf, configOption, flagType, type OptionValues, profileOption } from '../cli-option.ts';
import type { Command } from '../command.ts';
import { CommandFailure, usageFailure } from '../command-failure.ts';
import { exitCodes } from '../exit-codes.ts';
import { loadTypes, requireStoredGraph } from '../program/load-types.ts';
import { openRuntime } from '../program/open-runtime.ts';
import { openStores } from '../program/open-stores.ts';
import { readApp } from '../program/read-app.ts';
import { warningLine } from '../program/warning-line.ts';
import type { Terminal } from '../terminal.ts';

const whole = (min: number): { kind: 'int'; placeholder: string; min: number; max: number } => ({
  kind: 'int',
  placeholder: 'N',
  min,
  max: 1_000_000,
});

export const command: Command = {
  name: 'graph',
  operands: '[app_file]',
  arity: [0, 1],
  about: 'Prints the stored graph as text for drawing tools.',
  examples: [
    ['svc graph --format mermaid --out graph.md', 'a picture for a page'],
    ['svc graph --user ada@example.com --depth 2', 'what is near to the root of a user'],
  ],
  options: [
    { name: 'format', short: 'f', type: choiceOf('FORMAT', 'dot', 'mermaid', 'json'), about: 'Form.', default: 'dot' },
    { name: 'user', short: 'u', type: { kind: 'text', placeholder: 'NAME' }, about: 'The graph of this account.' },
    { name: 'guest', type: flagType, about: 'The graph of callers without an account.' },
    { name: 'node', type: { kind: 'text', placeholder: 'ID' }, about: 'Begin at this node instead of a root.' },
    { name: 'depth', type: whole(0), about: 'How many edges to follow from the start.', default: 'no limit' },
    { name: 'edge-type', type: { kind: 'text', placeholder: 'NAME' }, about: 'Only edges of this type.' },
    { name: 'limit', type: whole(1), about: 'Most nodes, and most edges.', default: '512' },
    { name: 'out', short: 'o', type: { kind: 'text', placeholder: 'FILE' }, about: 'Write to this file.' },
    configOption,
    profileOption,
  ],
  notes: [
    'Without --user, --guest or --node it is the graph of svc run. The program is loaded, entry blocks included, on an empty graph in',
    'memory to learn its types; the stored graph is only read.',
  ],
  async run(args) {
    const { options, terminal } = args;
    const { file, read } = readApp('graph', args);
    const { config } = read;
    requireStoredGraph(config, 'graph', terminal);
    const isLoaded = await loadTypes(file, config, read.env, terminal);
    if (!isLoaded) return exitCodes.failure;
    const stores = await openStores(config, terminal, true);
    try {
      const text = await draw(stores, config, options, terminal);
      const out = options['out'] as string | undefined;
      if (out === undefined) terminal.out(`${text}\n`);
      else writeFileSync(resolve(terminal.cwd, out), `${text}\n`);
      return exitCodes.success;
    } finally {
      await stores.close();
    }
  },
};

async function draw(stores: Stores, config: Config, options: OptionValues, terminal: Terminal): Promise<string> {
  const classes = snapshotClasses();
  const runtime = openRuntime(() => config, {
    store: stores.graph,
    classes: () => classes,
    warn: (message, fields) => terminal.err(`${warningLine(message, fields)}\n`),
  });
  const rootId = await rootOf(stores, options);
  const node = options['node'] as string | undefined;
  if (node !== undefined && canonicalId(node) === undefined)
    throw usageFailure('--node', `'${node}' is not an id of 32 hexadecimal digits`);
  const limit = options['limit'] ?? 512;
  const { depth = -1, format = 'dot' } = options;
  let isEmpty = false;
  const text = await runUnit(runtime, { rootId, userId: null, kind: 'system' }, () =>
    chain(lookUp(node ?? 'root'), (start) => {
      if (start === null) throw new CommandFailure(exitCodes.failure, 'graph', `there is no node ${node}`);
      if (!(start instanceof Node)) throw new CommandFailure(exitCodes.failure, 'graph', `${node} is not a node`);
      return chain(hops(start, 'node', [{ dir: 'out' }]), (near) => {
        isEmpty = near.length === 0;
        return printgraph(start, depth, true, options['edge-type'], true, limit, limit, undefined, format);
      });
    }),
  );
  if (isEmpty && node === undefined && rootId === SYSTEM_ROOT_ID) await hintAtUsers(stores, terminal);
  return text;
}

async function rootOf({ accounts }: Stores, options: OptionValues): Promise<string> {
  const user = options['user'] as string | undefined;
  if (user === undefined) return options['guest'] === true ? SHARED_ROOT_ID : SYSTEM_ROOT_ID;
  const account = await accounts.accountByIdentity('login', normaliseIdentity(user));
  if (account === undefined) throw new CommandFailure(exitCodes.failure, 'graph', `there is no account ${user}`);
  return account.rootId;
}

/** A server keeps nothing under the system's root: an empty picture needs a word. */
async function hintAtUsers({ graph }: Stores, terminal: Terminal): Promise<void> {
  // Two roots are there from the beginning.
  const accounts = (await graph.roots()).keys.length - 2;
  const others = accounts > 0 ? `, --user NAME that of an account (there are ${accounts})` : '';
  terminal.err(`svc: the graph of svc run is empty; --guest shows that of anonymous callers${others}\n`);
}
