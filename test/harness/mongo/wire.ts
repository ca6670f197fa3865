/** Messages of the MongoDB wire protocol: OP_MSG both ways, and OP_QUERY for the first greeting of a driver. */
import { deserialize, serialize } from 'bson';

export type Doc = Record<string, any>;

export interface Request {
  readonly id: number;
  readonly command: Doc;
  /** The client wants no answer. */
  readonly isSilent: boolean;
  /** True when it was asked in the old form, so it is answered in it. */
  readonly isLegacy: boolean;
}

const opReply = 1;
const opQuery = 2004;
const opMsg = 2013;
const headerBytes = 16;
const checksumPresent = 1;
const moreToCome = 2;

/** Cuts a stream of bytes into whole messages. */
export function createCutter(take: (message: Buffer) => void): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    while (rest.length >= 4 && rest.length >= rest.readInt32LE(0)) {
      const length = rest.readInt32LE(0);
      const message = rest.subarray(0, length);
      rest = rest.subarray(length);
      take(message);
    }
  };
}

/** @throws when it is no message this server knows */
export function readRequest(message: Buffer): Request {
  const id = message.readInt32LE(4);
  const code = message.readInt32LE(12);
  if (code === opQuery) return { id, command: readQuery(message), isSilent: false, isLegacy: true };
  if (code !== opMsg) throw new Error(`operation ${code} is not known here`);
  const flags = message.readUInt32LE(headerBytes);
  const end = message.length - ((flags & checksumPresent) === 0 ? 0 : 4);
  let command: Doc = {};
  const lists: Doc = {};
  for (let at = headerBytes + 4; at < end; ) {
    const kind = message[at++];
    const size = message.readInt32LE(at);
    if (kind === 0) command = read(message, at, size);
    else Object.assign(lists, readSequence(message, at, size));
    at += size;
  }
  return { id, command: { ...command, ...lists }, isSilent: (flags & moreToCome) !== 0, isLegacy: false };
}

function readQuery(message: Buffer): Doc {
  const nameEnd = message.indexOf(0, headerBytes + 4);
  const collection = message.toString('utf8', headerBytes + 4, nameEnd);
  const at = nameEnd + 1 + 8;
  return { ...read(message, at, message.readInt32LE(at)), $db: collection.split('.')[0] };
}

/** A list that travels beside the command: its name and documents one after another. */
function readSequence(message: Buffer, start: number, size: number): Doc {
  const nameEnd = message.indexOf(0, start + 4);
  const documents: Doc[] = [];
  for (let at = nameEnd + 1; at < start + size; ) {
    const length = message.readInt32LE(at);
    documents.push(read(message, at, length));
    at += length;
  }
  return { [message.toString('utf8', start + 4, nameEnd)]: documents };
}

function read(message: Buffer, at: number, size: number): Doc {
  return deserialize(message.subarray(at, at + size), { bsonRegExp: false });
}

export function writeReply({ id, isLegacy }: Request, document: Doc): Buffer {
  const body = serialize(document, { ignoreUndefined: true });
  const head = Buffer.alloc(headerBytes + (isLegacy ? 20 : 5));
  head.writeInt32LE(head.length + body.length, 0);
  head.writeInt32LE(id, 8);
  head.writeInt32LE(isLegacy ? opReply : opMsg, 12);
  if (isLegacy) head.writeInt32LE(1, headerBytes + 16);
  return Buffer.concat([head, body]);
}
