import { expect, test } from 'vitest';
import { type CorsConfig, createCors } from './cors.ts';

const base: CorsConfig = {
  allowOrigins: ['*'],
  allowMethods: ['GET', 'POST'],
  allowHeaders: ['*'],
  exposeHeaders: ['X-Request-ID'],
  allowCredentials: false,
  maxAgeSeconds: 600,
};

test('any origin without credentials is answered with a literal star', () => {
  const cors = createCors(base);
  expect(cors.answerHeaders('https://a.example')).toEqual([
    'Access-Control-Allow-Origin',
    '*',
    'Access-Control-Expose-Headers',
    'X-Request-ID',
  ]);
  expect(cors.answerHeaders(undefined)).toEqual([]);
});

test('a preflight echoes the requested header names', () => {
  const headers = createCors(base).preflightHeaders('https://a.example', 'authorization,content-type');
  expect(headers).toEqual([
    ...['Access-Control-Allow-Origin', '*'],
    ...['Access-Control-Allow-Methods', 'GET, POST'],
    ...['Access-Control-Allow-Headers', 'authorization,content-type'],
    ...['Access-Control-Max-Age', '600'],
  ]);
  expect(createCors(base).preflightHeaders('https://a.example', 'x\r\nSet-Cookie: a')).not.toContain(
    'x\r\nSet-Cookie: a',
  );
});

test('listed origins are echoed with Vary; a star is one label', () => {
  const cors = createCors({
    ...base,
    allowOrigins: ['https://app.example', 'https://*.example.com'],
    allowCredentials: true,
  });
  expect(cors.answerHeaders('https://app.example')).toEqual([
    ...['Access-Control-Allow-Origin', 'https://app.example', 'Vary', 'Origin'],
    ...['Access-Control-Allow-Credentials', 'true', 'Access-Control-Expose-Headers', 'X-Request-ID'],
  ]);
  expect(cors.answerHeaders('https://x.example.com')).toContain('https://x.example.com');
  for (const origin of [
    'https://x.y.example.com',
    'https://evil.example',
    'https://x.example.com.evil',
    'http://x.example.com',
  ]) {
    expect(cors.answerHeaders(origin)).toEqual(['Vary', 'Origin']);
    expect(cors.preflightHeaders(origin, 'a')).toEqual(['Vary', 'Origin']);
  }
});
