/** A JSON Schema. */
export type Schema = Readonly<Record<string, unknown>>;

/** Adds null to what a schema allows: into its list of types where it has one, beside it where it is a reference. */
export function nullable(schema: Schema): Schema {
  const { type } = schema;
  if (Array.isArray(schema['anyOf'])) return { ...schema, anyOf: [...schema['anyOf'], { type: 'null' }] };
  if (typeof type !== 'string')
    return Array.isArray(schema['enum']) ? withNull(schema) : { anyOf: [schema, { type: 'null' }] };
  return { ...withNull(schema), type: [type, 'null'] };
}

function withNull(schema: Schema): Schema {
  const values = schema['enum'];
  return Array.isArray(values) && !values.includes(null) ? { ...schema, enum: [...values, null] } : schema;
}

/** Exactly these values, with their type when they have one in common. */
export function enumSchema(values: readonly unknown[]): Schema {
  const types = new Set(values.map((value) => (value === null ? 'null' : typeof value)));
  const [type] = types;
  const isUniform = types.size === 1 && (type === 'string' || type === 'number' || type === 'boolean');
  const name = type === 'number' && values.every(Number.isInteger) ? 'integer' : type;
  return { ...(isUniform && { type: name }), enum: [...values] };
}

/** `true` rather than `{}` for values of any kind, as the specification writes it. */
export function valueSchema(schema: Schema): Schema | true {
  return Object.keys(schema).length === 0 ? true : schema;
}

/** A schema with documentation text, when there is some. */
export function described(schema: Schema, doc: string | undefined): Schema {
  const text = doc?.trim() ?? '';
  return text === '' ? schema : { ...schema, description: text };
}
