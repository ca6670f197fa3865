/** Generated writers for the classes of a program: member names are text in the function, not looked up per instance. */
import type { Edge, GraphObject } from '../../../core/archetypes/classes.ts';
import type { ClassMeta, Field } from '../../../core/archetypes/meta.ts';
import { isAscii, quote } from './quote.ts';
import { isClosedTo, referenceText, type TextOf, textOf } from './value-text.ts';
import type { Writer } from './writer.ts';

/** The writer for instances of one class. */
export function makeClassText(meta: ClassMeta): TextOf {
  const write = makeText(meta);
  if (isAscii([meta.name, ...meta.fields.map((field) => field.name)].join())) return write;
  return (object, writer) => {
    writer.isAscii = false;
    return write(object, writer);
  };
}

function makeText(meta: ClassMeta): TextOf {
  if (meta.kind === 'class') return makePlainClassText(meta);
  if (meta.kind === 'node' || meta.kind === 'edge') return makeGraphText(meta);
  const kind = meta.kind === 'walker' ? 'walker' : 'archetype';
  const head = `{"_svc_type":${JSON.stringify(meta.name)},"_svc_id":null,"_svc_archetype":"${kind}"`;
  const fields = makeFieldsText(meta);
  if (fields === undefined) return () => `${head}}`;
  return (object: object, writer) => {
    if (isClosedTo(object, writer)) return referenceText(null, meta.name, writer);
    writer.open.push(object);
    const text = `${head}${fields(object, writer)}}`;
    writer.open.pop();
    return text;
  };
}

function makeGraphText(meta: ClassMeta): TextOf {
  const fields = makeFieldsText(meta);
  const head = `{"_svc_type":${JSON.stringify(meta.name)},"_svc_id":`;
  const kind = `,"_svc_archetype":"${meta.kind}"`;
  return (object: GraphObject, writer) => {
    const id = writer.graph.idOf(object) ?? null;
    if (writer.written?.has(object) === true || isClosedTo(object, writer) || !writer.graph.isReadable(object)) {
      return referenceText(id, meta.name, writer);
    }
    (writer.written ??= new Set()).add(object);
    const ends = meta.kind === 'edge' ? endsText(object as Edge, writer) : '';
    const start = `${head}${id === null ? 'null' : `"${id}"`}${kind}${ends}`;
    if (fields === undefined) return `${start}}`;
    const stored = writer.withPrivate ? undefined : writer.graph.storedFields(object);
    if (stored !== undefined) {
      if (writer.isAscii && !isAscii(stored)) writer.isAscii = false;
      return stored === '' ? `${start}}` : `${start},${stored}}`;
    }
    writer.open.push(object);
    const text = `${start}${fields(object, writer)}}`;
    writer.open.pop();
    return text;
  };
}

function endsText(edge: Edge, writer: Writer): string {
  const idText = (end: GraphObject | null) => {
    const id = end === null ? undefined : writer.graph.idOf(end);
    return id === undefined ? 'null' : `"${id}"`;
  };
  return `,"_svc_source":${idText(edge.source)},"_svc_target":${idText(edge.target)}`;
}

/** `,"title":…,"done":…` for an instance; undefined when the class has nothing to show. */
function makeFieldsText(meta: ClassMeta): TextOf | undefined {
  const shown = meta.fields.filter(
    (field) => !field.name.startsWith('_') && !(meta.kind === 'walker' && field.name === 'reports'),
  );
  if (shown.length === 0) return undefined;
  const open = shown.filter((field) => field.isPublic);
  const brief = generate(open);
  if (open.length === shown.length) return brief;
  const complete = generate(shown);
  return (object, writer) => (writer.withPrivate ? complete(object, writer) : brief(object, writer));
}

function generate(fields: readonly Field[]): TextOf {
  const parts = fields.map((field) => {
    const name = JSON.stringify(`,${JSON.stringify(field.name)}:`);
    return `${name} + textOf(object[${JSON.stringify(field.property)}], writer)`;
  });
  const body = parts.length === 0 ? "''" : parts.join(' + ');
  return new Function('textOf', `return (object, writer) => ${body};`)(textOf) as TextOf;
}

/** Instances of a plain class: its name and the attributes that are not private by their name. */
function makePlainClassText(meta: ClassMeta): TextOf {
  const head = `{"__type__":${JSON.stringify(meta.name)}`;
  return (object: Record<string, unknown>, writer) => {
    if (isClosedTo(object, writer)) return referenceText(null, meta.name, writer);
    writer.open.push(object);
    let text = head;
    for (const name of Object.keys(object)) {
      const value = object[name];
      if (name.startsWith('_') || name.startsWith('$') || typeof value === 'function') continue;
      text += `,${quote(name, writer)}:${textOf(value, writer)}`;
    }
    writer.open.pop();
    return `${text}}`;
  };
}
