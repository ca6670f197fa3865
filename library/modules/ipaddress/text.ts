/** Texts of IP addresses. */
import { nameException, ValueError } from '../../values/objects/exceptions.ts';
import { reprOf } from '../../values/objects/repr.ts';

export class AddressValueError extends ValueError {}
export class NetmaskValueError extends ValueError {}
nameException(AddressValueError, 'AddressValueError');
nameException(NetmaskValueError, 'NetmaskValueError');

const wrong = (text: string): AddressValueError => new AddressValueError(text);

/** @throws AddressValueError */
export function parse4(text: string): bigint {
  if (text === '') throw wrong('Address cannot be empty');
  const octets = text.split('.');
  if (octets.length !== 4) throw wrong(`Expected 4 octets in ${reprOf(text)}`);
  return octets.reduce((sum, octet) => sum * 256n + BigInt(octetOf(octet, text)), 0n);
}

function octetOf(octet: string, text: string): number {
  const where = `in ${reprOf(text)}`;
  if (octet === '') throw wrong(`Empty octet not permitted ${where}`);
  if (!/^\d+$/.test(octet)) throw wrong(`Only decimal digits permitted in ${reprOf(octet)} ${where}`);
  if (octet.length > 3) throw wrong(`At most 3 characters permitted in ${reprOf(octet)} ${where}`);
  if (octet !== '0' && octet.startsWith('0'))
    throw wrong(`Leading zeros are not permitted in ${reprOf(octet)} ${where}`);
  if (Number(octet) > 255) throw wrong(`Octet ${octet} (> 255) not permitted ${where}`);
  return Number(octet);
}

/** @throws AddressValueError */
export function parse6(text: string): bigint {
  if (text === '') throw wrong('Address cannot be empty');
  const where = `in ${reprOf(text)}`;
  let parts = text.split(':');
  if (parts.length < 3) throw wrong(`At least 3 parts expected ${where}`);
  if (parts.at(-1)!.includes('.')) {
    const low = embedded(parts.at(-1)!, where);
    parts = [...parts.slice(0, -1), (low >> 16n).toString(16), (low & 0xffffn).toString(16)];
  }
  if (parts.length > 9) throw wrong(`At most 8 colons permitted ${where}`);
  const gaps = parts.flatMap((part, i) => (part === '' && i > 0 && i < parts.length - 1 ? [i] : []));
  if (gaps.length > 1) throw wrong(`At most one '::' permitted ${where}`);
  const gap = gaps[0];
  if (gap === undefined) {
    if (parts.length !== 8) throw wrong(`Exactly 8 parts expected without '::' ${where}`);
    if (parts[0] === '') throw wrong(`Leading ':' only permitted as part of '::' ${where}`);
    if (parts[7] === '') throw wrong(`Trailing ':' only permitted as part of '::' ${where}`);
    return join(parts, text);
  }
  if (parts[0] === '' && gap !== 1) throw wrong(`Leading ':' only permitted as part of '::' ${where}`);
  if (parts.at(-1) === '' && gap !== parts.length - 2)
    throw wrong(`Trailing ':' only permitted as part of '::' ${where}`);
  const [before, after] = [parts.slice(0, gap), parts.slice(gap + 1)].map((some) => some.filter((part) => part !== ''));
  const missing = 8 - before!.length - after!.length;
  if (missing < 1) throw wrong(`Expected at most 7 other parts with '::' ${where}`);
  return join([...before!, ...Array.from({ length: missing }, () => '0'), ...after!], text);
}

function embedded(text: string, where: string): bigint {
  try {
    return parse4(text);
  } catch (e) {
    if (e instanceof AddressValueError) throw wrong(`${e.message} ${where}`);
    throw e;
  }
}

function join(parts: readonly string[], text: string): bigint {
  return parts.reduce((sum, part) => {
    const where = `in ${reprOf(part)} in ${reprOf(text)}`;
    if (!/^[0-9a-fA-F]*$/.test(part)) throw wrong(`Only hex digits permitted ${where}`);
    if (part.length > 4) throw wrong(`At most 4 characters permitted ${where}`);
    return sum * 65_536n + BigInt(`0x${part}`);
  }, 0n);
}

export function show4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
}

function parts6(value: bigint): string[] {
  return Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 0xffffn).toString(16));
}

/** Writes an address with the first of the longest runs of zeros left out. */
export function show6(value: bigint): string {
  const parts = parts6(value);
  let [start, length] = [0, 1];
  for (let i = 0; i < 8; i += 1) {
    let end = i;
    while (parts[end] === '0') end += 1;
    if (end - i > length) [start, length] = [i, end - i];
  }
  if (length === 1) return parts.join(':');
  return `${parts.slice(0, start).join(':')}::${parts.slice(start + length).join(':')}`;
}

export function showLong6(value: bigint): string {
  return parts6(value)
    .map((part) => part.padStart(4, '0'))
    .join(':');
}
