/** Entry of the http function, `handlers/http.handler`. */
import { createHttpHandler } from '../../adapters/hosts/lambda/http-handler.ts';
import { observed } from './observed.ts';
import { openFunction } from './open-function.ts';

const opened = await openFunction(import.meta.url);

export const handler = observed(opened, createHttpHandler(opened.version.app));
