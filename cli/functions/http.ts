/** Entry of the http function, `handlers/http.handler`. */
import { behindAnyGateway } from '../../adapters/hosts/lambda/any-gateway.ts';
import { createHttpHandler } from '../../adapters/hosts/lambda/http-handler.ts';
import { observed } from './observed.ts';
import { openFunction } from './open-function.ts';

const opened = await openFunction(import.meta.url);

const { app } = opened.version;

export const handler = observed(opened, behindAnyGateway(app, createHttpHandler(app)));
