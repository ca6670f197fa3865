/** Entry of the webhook function, `handlers/webhook.handler`. */
import { createWebhookHandler } from '../../adapters/hosts/lambda/http-handler.ts';
import { observed } from './observed.ts';
import { openFunction } from './open-function.ts';

const opened = await openFunction(import.meta.url);

export const handler = observed(opened, createWebhookHandler(opened.version.app));
