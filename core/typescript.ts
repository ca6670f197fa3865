/**
 * `svc-scale`: what a program written in TypeScript imports. Everything registers with the same functions that compiled `.svc` modules
 * use (`core/runtime.ts`), so both kinds of module are stored, served and described alike (docs/typescript.md).
 */
import { type Declarations, declarationsOf } from './authoring/declare.ts';
import '../library/builtins/open-border.ts';
import './runtime.ts';

export { type Arriving, entry, exit, type Trigger } from './authoring/abilities.ts';
export {
  type Document,
  type DocumentId,
  type DocumentStore,
  type Filter,
  type FindOptions,
  type KeyValueStore,
  type KvStoreOptions,
  kvstore,
  literal,
  type Projection,
  type SortBy,
  trusted,
  type UpsertOptions,
} from './authoring/databases.ts';
export {
  type Declarations,
  type Decorator,
  declarationsOf,
  type EnumClass,
  type EnumMember,
  type ModuleInfo,
  type Param,
  param,
  type TestCase,
  type WalkerOptions,
} from './authoring/declare.ts';
export { ConnectionError, HTTPError, KeyError, PermissionError, TimeoutError, ValueError } from './authoring/errors.ts';
export {
  any,
  bool,
  bytes,
  date,
  datetime,
  dict,
  float,
  int,
  list,
  member,
  oneOf,
  optional,
  ref,
  set,
  str,
  upload,
} from './authoring/fields.ts';
export {
  type FileFacts,
  type FileMetadata,
  type FileSource,
  type FileStore,
  StorageFactory,
  store,
} from './authoring/files.ts';
export {
  adjacent,
  allowRoot,
  allRoots,
  byId,
  commit,
  connect,
  connectBothWays,
  disallowRoot,
  disconnect,
  type EdgeOptions,
  edges,
  grant,
  type HopOptions,
  idOf,
  incoming,
  isA,
  type Origin,
  onCommit,
  outgoing,
  remove,
  resetGraph,
  revoke,
  root,
  save,
  sharedRoot,
} from './authoring/graph.ts';
export { Edge, type Has, has, Node, Obj, Root, Walker } from './authoring/has.ts';
export { isoText, now, parseDate, parseDateTime, today } from './authoring/moments.ts';
export { type IncomingMessage, request } from './authoring/request.ts';
export { publish, subscribe, unsubscribe } from './authoring/topics.ts';
export type {
  Access,
  AnyClass,
  Archetype,
  Bytes,
  CalendarDate,
  DateTime,
  Dict,
  Field,
  Fields,
  Level,
  Place,
  Served,
  SetOf,
  UploadedBytes,
  UploadFile,
  Waiting,
} from './authoring/types.ts';
export { disengage, here, report, spawn, visit, visitor } from './authoring/walks.ts';

/** Outside `svc` there is one module, `main`; `svc` gives each module declarations of its own. */
const own: Declarations = declarationsOf({ id: 'main', file: 'main.ts', docs: {}, isMain: true });

/** Registers a class that extends `has(Node, …)`: `@node` or `@node({ … })` in front of it. */
export const node: Declarations['node'] = own.node;
/** Registers a class that extends `has(Edge, …)`. */
export const edge: Declarations['edge'] = own.edge;
/** Registers a class that extends `has(Obj, …)`: values of it are kept in fields and answers. */
export const obj: Declarations['obj'] = own.obj;
/** Registers a walker; one that the started file exports is served: `POST /walker/<name>` unless the options say otherwise. */
export const walker: Declarations['walker'] = own.walker;
/** Declares a function that the started file serves when it exports it: `POST /function/<name>`, with a token, unless the options say otherwise. */
export const def: Declarations['def'] = own.def;
/** An enumeration, stored by the names of its members and served by their values. */
export const enumeration: Declarations['enumeration'] = own.enumeration;
/** Runs when this file is run by `svc run`, not when it is served or imported. */
export const main: Declarations['main'] = own.main;
/** A test for `svc test`; it has a graph of its own. */
export const test: Declarations['test'] = own.test;
