/** Entry of `svc-scale/hono`. Small, because Node shows the line of code that an import failed at. */
import { createRequire } from 'node:module';
import type * as types from './app-types.ts';

refuseWithoutHono();

export const app: typeof types.app = async (file, options) => (await import('./app.ts')).app(file, options);

/** `hono` is an optional peer: without it an import of its own would not say how to add it. */
function refuseWithoutHono(): void {
  try {
    createRequire(import.meta.url).resolve('hono');
  } catch {
    const error = new Error('svc-scale/hono needs the package hono, which is not installed: npm install hono');
    delete error.stack;
    throw error;
  }
}
