/** Webhooks as AsyncAPI describes them: headers that sign a call, its fields, the answers. */
import type { Config } from '../../../core/config/config.ts';
import type { ServedTarget } from '../../served-targets.ts';
import { senderSchemes } from '../../webhook/sender-schemes.ts';
import type { Channel } from './asyncapi-sockets.ts';
import { envelope, senderScheme } from './common.ts';
import { fieldsOf } from './request.ts';
import type { Schema } from './schema-forms.ts';
import type { SchemaBook } from './schemas.ts';

export function webhookChannel(
  target: ServedTarget,
  book: SchemaBook,
  { signatureHeader }: Pick<Config['scale']['webhook'], 'signatureHeader'>,
): Channel {
  const { name, doc, path } = target;
  const id = `webhook_${name}`;
  const schemes = schemesOf(target);
  const inChannel = (one: string) => ({ $ref: `#/channels/${id}/messages/${one}` });
  return {
    id,
    channel: {
      address: path,
      title: name,
      summary: doc.trim().split('\n')[0] || name,
      ...(doc.trim() !== '' && { description: doc.trim() }),
      servers: [{ $ref: '#/servers/webhooks' }],
      messages: {
        call: { $ref: `#/components/messages/${id}_call` },
        answer: { $ref: `#/components/messages/${id}_answer` },
        failure: { $ref: `#/components/messages/${id}_failure` },
      },
    },
    operations: {
      [id]: {
        action: 'receive',
        channel: { $ref: `#/channels/${id}` },
        ...(schemes.length > 0 && {
          security: schemes.map((one) => ({ $ref: `#/components/securitySchemes/${one}` })),
        }),
        messages: [inChannel('call')],
        reply: { channel: { $ref: `#/channels/${id}` }, messages: [inChannel('answer'), inChannel('failure')] },
        bindings: { http: { method: 'POST', bindingVersion: '0.3.0' } },
      },
    },
    messages: {
      [`${id}_call`]: {
        title: `${name} call`,
        headers: headersOf(target, signatureHeader),
        payload: book.members(fieldsOf(target)),
      },
      [`${id}_answer`]: { title: `${name} answer`, payload: answerOf(target, book) },
      [`${id}_failure`]: { title: 'failure', payload: { $ref: '#/components/schemas/Error' } },
    },
  };
}

/** Any of several would suffice, so the key stands for itself: its signature is among the headers. */
function schemesOf({ rest: { verify } }: ServedTarget): string[] {
  if (verify === '') return ['ApiKeyAuth'];
  return verify === 'none' ? [] : [senderScheme(verify)];
}

function headersOf({ rest: { verify } }: ServedTarget, signatureHeader: string): Schema {
  const text = { type: 'string' };
  if (verify === 'none') return { type: 'object' };
  if (verify !== '') {
    const { header, further } = senderSchemes[verify];
    const properties = Object.fromEntries([header, ...further].map((name) => [name, text]));
    return { type: 'object', properties, required: verify === 'github' ? [header] : [header, ...further] };
  }
  const hex = { ...text, description: 'HMAC-SHA256 of the body in hexadecimal, keyed with the API key.' };
  const timestamp = {
    ...text,
    description: 'Unix seconds; then `<timestamp>.<body>` is signed, with the signing secret.',
  };
  const properties = {
    'X-API-Key': text,
    [signatureHeader]: hex,
    'X-Webhook-Timestamp': timestamp,
    'Idempotency-Key': text,
  };
  return { type: 'object', properties, required: ['X-API-Key'] };
}

function answerOf({ meta, rest }: ServedTarget, book: SchemaBook): Schema {
  if (!rest.envelope) return { description: 'What the walker reported last, as it is.' };
  const reports = { type: 'array', items: {} };
  const result = meta === undefined ? {} : book.instance(meta);
  const data = { type: 'object', properties: { result, reports }, required: ['result', 'reports'] };
  return envelope(200, data, { reports });
}
