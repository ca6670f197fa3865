/** The emitter of the client half as one thing to load: programs without client code do without. */
import { emitClient } from './client.ts';
import { outlineClient, outlinePages } from './outline.ts';

export const clientEmitter = { emitClient, outlineClient, outlinePages } as const;

export type ClientEmitter = typeof clientEmitter;
