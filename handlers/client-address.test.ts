import { expect, test } from 'vitest';
import { parseAddress } from '../base/parse-address.ts';
import { callOf } from '../test/harness/call-of.ts';
import { createClientAddresses, limitKey } from './client-address.ts';

const from = (peer: string, headers: Record<string, string> = {}) => callOf('GET', '/', undefined, { peer, headers });

test('without trusted proxies forwarded headers are ignored', () => {
  const clients = createClientAddresses([]);
  expect(clients.address(from('::ffff:10.0.0.1', { 'x-forwarded-for': '1.2.3.4' }))).toBe('10.0.0.1');
  expect(clients.origin(from('10.0.0.1', { 'x-forwarded-proto': 'https', host: 'a.example' }))).toBe(
    'http://a.example',
  );
});

test('the right-most untrusted entry is the client', () => {
  const clients = createClientAddresses(['10.0.0.0/8', 'fd00::/8']);
  expect(clients.address(from('10.1.2.3', { 'x-forwarded-for': '6.6.6.6, 1.2.3.4, 10.9.9.9' }))).toBe('1.2.3.4');
  expect(clients.address(from('fd00::1', { 'x-forwarded-for': '1.2.3.4:5555' }))).toBe('1.2.3.4');
  expect(clients.address(from('10.1.2.3', { forwarded: 'for="[2001:db8::1]:80";proto=https' }))).toBe('2001:db8::1');
  expect(clients.address(from('10.1.2.3', { 'x-forwarded-for': 'nonsense' }))).toBe('10.1.2.3');
  expect(clients.address(from('11.1.2.3', { 'x-forwarded-for': '1.2.3.4' }))).toBe('11.1.2.3');
  const headers = { 'x-forwarded-proto': 'https', 'x-forwarded-host': 'api.example', host: 'inner' };
  expect(clients.origin(from('10.1.2.3', headers))).toBe('https://api.example');
  expect(clients.origin(from('11.1.2.3', headers))).toBe('http://inner');
});

test('addresses', () => {
  for (const good of ['1.2.3.4', '::', '::1', '2001:db8::8a2e:370:7334', 'fe80::1%eth0', '1:2:3:4:5:6:7:8']) {
    expect(parseAddress(good), good).toBeDefined();
  }
  for (const bad of ['', '1.2.3', '256.1.1.1', ':::', '1:2', 'g::1', '1::2::3', 'localhost']) {
    expect(parseAddress(bad), bad).toBeUndefined();
  }
  expect(limitKey('2001:db8:0:1:aaaa::1')).toBe(limitKey('2001:db8:0:1:bbbb::2'));
  expect(limitKey('2001:db8:0:1::1')).not.toBe(limitKey('2001:db8:0:2::1'));
  expect(limitKey('1.2.3.4')).toBe('1.2.3.4');
});
