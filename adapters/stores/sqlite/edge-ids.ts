/**
 * Public ids of edges that have no record. The id is worked out from the edge's number and source with a secret of the file: 34 bits of
 * authentication and 88 masked bits, in the layout of a random UUID. So the commonest edges store no id and have no index, yet each has
 * one that is stable, can be looked up, and cannot be guessed.
 */
import { createHmac } from 'node:crypto';

export interface EdgePlace {
  readonly edge: number;
  readonly source: number;
}

export interface EdgeIds {
  uidOf(place: EdgePlace): string;
  /** The place an id stands for; undefined for ids not made here. */
  placeOf(uid: string): EdgePlace | undefined;
}

const edgeBits = 48n;
const sourceBits = 40n;
const bodyBits = edgeBits + sourceBits;
const tagBits = 34n;

export function createEdgeIds(secret: string): EdgeIds {
  const tagOf = (body: bigint): bigint => digest(secret, `tag:${body}`) & ((1n << tagBits) - 1n);
  const maskOf = (tag: bigint): bigint => digest(secret, `mask:${tag}`) & ((1n << bodyBits) - 1n);
  return {
    uidOf({ edge, source }) {
      const body = (BigInt(edge) << sourceBits) | BigInt(source);
      const tag = tagOf(body);
      return layOut((tag << bodyBits) | (body ^ maskOf(tag)));
    },
    placeOf(uid) {
      const bits = read(uid);
      if (bits === undefined) return undefined;
      const tag = bits >> bodyBits;
      const body = (bits & ((1n << bodyBits) - 1n)) ^ maskOf(tag);
      if (tagOf(body) !== tag) return undefined;
      return { edge: Number(body >> sourceBits), source: Number(body & ((1n << sourceBits) - 1n)) };
    },
  };
}

function digest(secret: string, text: string): bigint {
  return BigInt(`0x${createHmac('sha256', secret).update(text).digest('hex').slice(0, 32)}`);
}

// 122 bits around the version digit (4) and the two variant bits (10).
function layOut(bits: bigint): string {
  const high = bits >> 74n;
  const middle = (bits >> 62n) & 0xfffn;
  const low = (bits & ((1n << 62n) - 1n)) | (1n << 63n);
  return `${high.toString(16).padStart(12, '0')}4${middle.toString(16).padStart(3, '0')}${low.toString(16).padStart(16, '0')}`;
}

function read(uid: string): bigint | undefined {
  if (uid[12] !== '4' || !'89ab'.includes(uid[16]!)) return undefined;
  const low = BigInt(`0x${uid.slice(16)}`) & ((1n << 62n) - 1n);
  return (BigInt(`0x${uid.slice(0, 12)}`) << 74n) | (BigInt(`0x${uid.slice(13, 16)}`) << 62n) | low;
}
