/** Generated writers for the classes of a program: member names are prepared bytes, not looked up per instance. */

import { compileText } from '../../../base/compile-text.ts';
import type { Edge, GraphObject } from '../../../core/graph/objects.ts';
import type { ClassMeta, Field } from '../../../library/classes/meta.ts';
import { isUpload } from '../bind/is-upload.ts';
import { isClosedTo, type Put, putReference, putValue } from './put-value.ts';
import { putAscii, putByte, putBytes, putQuoted, putText } from './scratch.ts';
import type { Writer } from './writer.ts';

/** The writer for instances of one class. */
export function makePutClass(meta: ClassMeta): Put {
  const names = [meta.name, ...meta.fields.map((field) => field.name)].join('');
  const put =
    meta.kind === 'class'
      ? makePutPlainClass(meta)
      : meta.kind === 'node' || meta.kind === 'edge'
        ? makePutGraph(meta)
        : makePutObject(meta);
  if (/^[\x20-\x7e]*$/.test(names)) return put;
  return (object, writer) => {
    writer.out.isAscii = false;
    put(object, writer);
  };
}

function makePutObject(meta: ClassMeta): Put {
  const kind = meta.kind === 'walker' ? 'walker' : 'archetype';
  const head = Buffer.from(`{"_svc_type":${JSON.stringify(meta.name)},"_svc_id":null,"_svc_archetype":"${kind}"`);
  const putFields = makePutFields(meta);
  return (object: object, writer) => {
    const { out, open } = writer;
    if (isClosedTo(object, writer)) {
      putReference(null, meta.name, out);
      return;
    }
    open.push(object);
    putBytes(out, head);
    putFields?.(object, writer);
    putByte(out, 0x7d);
    open.pop();
  };
}

function makePutGraph(meta: ClassMeta): Put {
  const head = Buffer.from(`{"_svc_type":${JSON.stringify(meta.name)},"_svc_id":`);
  const kind = Buffer.from(`,"_svc_archetype":"${meta.kind}"`);
  const putFields = makePutFields(meta);
  return (object: GraphObject, writer) => {
    const { out, open, graph } = writer;
    const id = graph.idOf(object) ?? null;
    if (writer.written?.has(object) === true || isClosedTo(object, writer) || !graph.isReadable(object)) {
      putReference(id, meta.name, out);
      return;
    }
    (writer.written ??= new Set()).add(object);
    putBytes(out, head);
    putId(id ?? undefined, writer);
    putBytes(out, kind);
    if (meta.kind === 'edge') putEnds(object as Edge, writer);
    const stored = putFields === undefined || writer.withPrivate ? undefined : graph.storedFields(object);
    if (stored === undefined) {
      open.push(object);
      putFields?.(object, writer);
      open.pop();
    } else if (stored !== '') {
      putByte(out, 0x2c);
      putText(out, stored);
    }
    putByte(out, 0x7d);
  };
}

function putEnds(edge: Edge, writer: Writer): void {
  putAscii(writer.out, ',"_svc_source":');
  putId(edge.source === null ? undefined : writer.graph.idOf(edge.source), writer);
  putAscii(writer.out, ',"_svc_target":');
  putId(edge.target === null ? undefined : writer.graph.idOf(edge.target), writer);
}

function putId(id: string | undefined, { out }: Writer): void {
  if (id === undefined) putAscii(out, 'null');
  else putQuoted(out, id);
}

/** `,"title":…,"done":…` for an instance; undefined when the class has nothing to show. */
function makePutFields(meta: ClassMeta): Put | undefined {
  const shown = meta.fields.filter(
    (field) =>
      !field.name.startsWith('_') &&
      !(meta.kind === 'walker' && field.name === 'reports') &&
      // Uploaded files are taken and never given (docs/server/requests.md#types).
      !isUpload(field.type),
  );
  if (shown.length === 0) return undefined;
  const open = shown.filter((field) => field.isPublic);
  const brief = generate(open);
  if (open.length === shown.length) return brief;
  const complete = generate(shown);
  return (object, writer) => (writer.withPrivate ? complete(object, writer) : brief(object, writer));
}

function generate(fields: readonly Field[]): Put {
  const names = fields.map((field) => Buffer.from(`,${JSON.stringify(field.name)}:`));
  const lines = fields.map((field, i) => {
    const read = `object[${JSON.stringify(field.property)}]`;
    return `putBytes(out, n[${i}]); v = ${read}; if (typeof v === 'string') putQuoted(out, v); else putValue(v, writer);`;
  });
  const source = `return (object, writer) => { const out = writer.out; let v; ${lines.join('\n')} };`;
  return compileText<Put>({ n: names, putBytes, putQuoted, putValue }, source) ?? putPlainly(fields, names);
}

/** The same in a loop, where no text may be compiled. */
function putPlainly(fields: readonly Field[], names: readonly Buffer[]): Put {
  return (object: Record<string, unknown>, writer) => {
    for (let i = 0; i < fields.length; i++) {
      putBytes(writer.out, names[i]!);
      const value = object[fields[i]!.property];
      if (typeof value === 'string') putQuoted(writer.out, value);
      else putValue(value, writer);
    }
  };
}

/** Instances of a plain class: its name and the attributes that are not private by their name. */
function makePutPlainClass(meta: ClassMeta): Put {
  const head = Buffer.from(`{"__type__":${JSON.stringify(meta.name)}`);
  return (object: Record<string, unknown>, writer) => {
    const { out, open } = writer;
    if (isClosedTo(object, writer)) {
      putReference(null, meta.name, out);
      return;
    }
    open.push(object);
    putBytes(out, head);
    for (const name of Object.keys(object)) {
      const value = object[name];
      if (name.startsWith('_') || name.startsWith('$') || typeof value === 'function') continue;
      putByte(out, 0x2c);
      putQuoted(out, name);
      putByte(out, 0x3a);
      putValue(value, writer);
    }
    putByte(out, 0x7d);
    open.pop();
  };
}
