/**
 * An archive into any store that holds nothing yet, by its port alone (decisions/0087): accounts with their roots, nodes, then edges in
 * their order, a few at a time. What broke off goes on where it was.
 */
import type { AccountStore } from '../accounts/account-store.ts';
import type { NodeRow, StoredType } from '../memory/rows.ts';
import type { GraphStore, NewEdge, NewNode, ReadSet, UnitWrite } from '../memory/store.ts';
import { accountOf } from './account-lines.ts';
import type { ArchiveLine, EdgeLine, NodeLine } from './archive.ts';
import { parseLine } from './check-lines.ts';
import { noteDays, noteKey } from './import-note.ts';
import type { KnownNodes } from './known-nodes.ts';

/**
 * Numbers of nodes and of edges per commit: an edge touches its ends too, and one transaction of a remote store has its
 * limits.
 */
const nodesPerCommit = 50;
const edgesPerCommit = 16;

/** Tells whether a store holds nothing but the records that every one has from the beginning. */
export async function isEmpty(graph: GraphStore): Promise<boolean> {
  const { keys } = await graph.roots();
  if (keys.length > 2) return false;
  for (const root of keys) if ((await graph.ownedBy(root)).length > 0) return false;
  return true;
}

interface Filled {
  readonly graph: GraphStore;
  readonly accounts: AccountStore;
}

export interface ImportedArchive {
  /** SHA-256. */
  readonly digest: string;
  /** Name of the archive, as the one who imports it knows it. */
  readonly name: string;
}

/**
 * Enters an import of the archive. `begins`: nothing was there. `goes on`: one of the same archive broke off. Else there is
 * something the archive does not account for, and the store stays as it is: `full`, or `another` archive's import broke off.
 */
export async function beginImport(
  { graph, accounts }: Filled,
  { digest, name }: ImportedArchive,
  now: number,
): Promise<'begins' | 'goes on' | 'full' | 'another'> {
  const isFull = !(await isEmpty(graph));
  const expiresAt = now + noteDays * 86_400_000;
  const note = { key: noteKey, requestHash: digest, state: 'claimed', status: null, body: name, expiresAt } as const;
  const known = await accounts.claimIdempotency(note);
  if (known === undefined) {
    if (!isFull) return 'begins';
    await accounts.releaseIdempotency(noteKey);
    return 'full';
  }
  if (known.requestHash === digest) return 'goes on';
  if (isFull) return 'another';
  await accounts.finishIdempotency(note);
  return 'begins';
}

/** The name of the archive whose import has begun and not ended. */
export async function unfinishedImport({ accounts }: Pick<Filled, 'accounts'>): Promise<string | undefined> {
  const note = await accounts.readIdempotency(noteKey);
  return note === undefined ? undefined : (note.body ?? 'FILE');
}

/**
 * `lines` is called for each reading of the archive, which was checked before (check-lines.ts). `known` may have its nodes from that. `goesOn`: part of it is there (`beginImport`).
 * `told` gets the number of accounts, nodes and edges that have been gone through. `more` brings what else is in the archive, before what
 * `beginImport` has entered is ended.
 */
export async function importLines(
  { graph, accounts }: Filled,
  lines: () => AsyncIterable<string>,
  known: KnownNodes,
  goesOn = false,
  told: (lines: number) => void = () => {},
  more: () => Promise<void> = async () => {},
): Promise<void> {
  let count = 0;
  for await (const line of parsed(lines())) {
    if (line.kind !== 'account') continue;
    const account = accountOf(line);
    if (!goesOn || (await accounts.accountById(account.userId)) === undefined) await accounts.createAccount(account);
    told(++count);
  }
  const load = new Load(graph, known, goesOn);
  for await (const line of parsed(lines())) {
    if (line.kind === 'node') await load.node(line);
    else if (line.kind === 'edge') await load.edge(line);
    else continue;
    told(++count);
  }
  await load.finish();
  await graph.flush();
  await more();
  await accounts.releaseIdempotency(noteKey);
}

async function* parsed(lines: AsyncIterable<string>): AsyncGenerator<ArchiveLine> {
  for await (const text of lines) if (text.trim() !== '') yield parseLine(text);
}

class Load {
  private readonly graph: GraphStore;
  private readonly known: KnownNodes;
  private readonly types = new Map<string, StoredType>();
  private readonly typesById = new Map<number, StoredType>();
  private nodes: { readonly line: NodeLine; readonly place: NewNode }[] = [];
  private edges: { readonly line: EdgeLine; readonly place: NewEdge }[] = [];

  private readonly goesOn: boolean;

  constructor(graph: GraphStore, known: KnownNodes, goesOn: boolean) {
    this.graph = graph;
    this.known = known;
    this.goesOn = goesOn;
  }

  async node(line: NodeLine): Promise<void> {
    const type = await this.typeOf('node', line);
    if (line.owner === line.id) return this.root(line, type);
    const owner = this.placeOf(line.owner).key;
    const place: NewNode = {
      uid: line.id,
      reserved: undefined,
      type,
      owner,
      access: textOf(line.access),
      data: textOf(line.data) || '{}',
      isRoot: false,
      key: 0,
      topo: 0,
    };
    this.nodes.push({ line, place });
    if (this.nodes.length >= nodesPerCommit) await this.storeNodes();
  }

  /** The root came with the store or with its account; the archive's access rules and data are put on it. */
  private async root(line: NodeLine, type: StoredType): Promise<void> {
    const [row] = await this.graph.nodesByUid([line.id]);
    if (row === undefined) throw new Error(`the root ${line.id} was not made`);
    this.place(line.id, row);
    const [access, data, attic] = [textOf(line.access), textOf(line.data) || '{}', textOf(line.attic)];
    if (access === row.access && data === row.data && attic === row.attic) return;
    await this.commit({ nodeChanges: [nodeChange(row, type, access, data, attic)] });
  }

  async edge(line: EdgeLine): Promise<void> {
    if (this.nodes.length > 0) await this.storeNodes();
    const [source, target] = [this.placeOf(line.source), this.placeOf(line.target)];
    const place: NewEdge = {
      uid: line.id,
      type: await this.typeOf('edge', line),
      source: source.key,
      target: target.key,
      sourceType: source.type,
      targetType: target.type,
      undirected: line.undirected,
      owner: line.owner === null ? undefined : this.placeOf(line.owner).key,
      access: textOf(line.access),
      data: textOf(line.data),
      key: 0,
    };
    this.edges.push({ line, place });
    if (this.edges.length >= edgesPerCommit) await this.storeEdges();
  }

  async finish(): Promise<void> {
    await this.storeNodes();
    await this.storeEdges();
  }

  private async storeNodes(): Promise<void> {
    const batch = this.nodes;
    this.nodes = [];
    if (batch.length === 0) return;
    const there = this.goesOn ? await this.graph.nodesByUid(batch.map(({ line }) => line.id)) : [];
    for (const [i, { place }] of batch.entries()) place.key = there[i]?.key ?? place.key;
    const newNodes = batch.filter((_, i) => there[i] === undefined).map(({ place }) => place);
    if (newNodes.length > 0) await this.commit({ newNodes });
    for (const { line, place } of batch) this.place(line.id, place);
    const aside = batch.filter(({ line }) => line.attic !== null);
    const rows = aside.length === 0 ? [] : await this.graph.nodes(aside.map(({ place }) => place.key));
    const nodeChanges = aside.flatMap(({ line, place }, i) => {
      const [row, attic] = [rows[i]!, textOf(line.attic)];
      return row.attic === attic ? [] : [nodeChange(row, place.type, place.access, place.data, attic)];
    });
    if (nodeChanges.length > 0) await this.commit({ nodeChanges });
  }

  private async storeEdges(): Promise<void> {
    const batch = this.edges;
    this.edges = [];
    if (batch.length === 0) return;
    const there = this.goesOn ? await Promise.all(batch.map(({ line }) => this.graph.edgeByUid(line.id))) : [];
    for (const [i, { place }] of batch.entries()) place.key = there[i]?.key ?? place.key;
    const newEdges = batch.filter((_, i) => there[i] === undefined).map(({ place }) => place);
    if (newEdges.length > 0) await this.commit({ newEdges });
    const aside = batch.filter(({ line }) => line.attic !== null);
    const rows = aside.length === 0 ? [] : await this.graph.edges(aside.map(({ place }) => place.key));
    const edgeChanges = aside.flatMap(({ line, place }, i) => {
      const { sourceType, targetType, type, uid, owner, data, access } = place;
      const [row, attic] = [rows[i]!, textOf(line.attic)];
      return row.attic === attic ? [] : [{ row, sourceType, targetType, type, uid, owner, data, access, attic }];
    });
    if (edgeChanges.length > 0) await this.commit({ edgeChanges });
  }

  private place(id: string, { key, type }: Pick<NodeRow, 'key' | 'type'>): void {
    this.typesById.set(type.id, type);
    this.known.put(id, { key, type: type.id });
  }

  private placeOf(id: string): Pick<NodeRow, 'key' | 'type'> {
    const { key, type } = this.known.placeOf(id)!;
    return { key, type: this.typesById.get(type)! };
  }

  private async typeOf(kind: 'node' | 'edge', { module, type, schema }: NodeLine | EdgeLine): Promise<StoredType> {
    const name = JSON.stringify([kind, module, type, schema]);
    const known = this.types.get(name);
    if (known !== undefined) return known;
    const made = await this.graph.intern({ kind, module, name: type, schema });
    this.types.set(name, made);
    return made;
  }

  private async commit(what: Partial<UnitWrite>): Promise<void> {
    const seen = await this.graph.foreignChanges();
    await this.graph.commit({
      reads: nothingRead(this.graph.log.position, seen),
      newNodes: [],
      newEdges: [],
      nodeChanges: [],
      edgeChanges: [],
      removedNodes: [],
      removedEdges: [],
      answer: undefined,
      entry: () => ({
        revs: [],
        edgeRevs: [],
        topos: [],
        roots: undefined,
        types: [],
        touched: undefined,
        origin: this,
      }),
      applied: () => {},
      ...what,
    });
  }
}

function nodeChange(row: NodeRow, type: StoredType, access: string, data: string, attic: string) {
  return { row, type, access, data, attic, merge: undefined, merged: undefined };
}

function nothingRead(since: number, seen: number): ReadSet {
  return {
    since,
    seen,
    nodes: [],
    edges: [],
    listed: [],
    roots: undefined,
    searched: [],
    types: undefined,
    mayHoldNode: () => false,
    mayHoldEdge: () => false,
  };
}

function textOf(value: unknown): string {
  return value === null || value === undefined ? '' : JSON.stringify(value);
}
