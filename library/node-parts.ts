/**
 * Parts of Node that are slow to load and that most programs never use, loaded when they are first asked for. Who is read at every start
 * takes them from here instead of importing them.
 */

/** An import of `node:http` makes Node 22 and later load their `fetch` too, 25 ms of the main thread; asked for like this they do not. */
export const nodeHttp = () => process.getBuiltinModule('node:http');
export const nodeHttps = () => process.getBuiltinModule('node:https');
export const nodeZlib = () => process.getBuiltinModule('node:zlib');
export const nodeCrypto = () => process.getBuiltinModule('node:crypto');
export const nodeProcesses = () => process.getBuiltinModule('node:child_process');
export const nodeOs = () => process.getBuiltinModule('node:os');
export const nodeThreads = () => process.getBuiltinModule('node:worker_threads');
export const nodeV8 = () => process.getBuiltinModule('node:v8');
export const nodeVm = () => process.getBuiltinModule('node:vm');
export const nodeStream = () => process.getBuiltinModule('node:stream');
