/** JSON Schema of types that are described alike wherever they are: to models, and in the description of the API. */
export const plainSchemas = {
  none: { type: 'null' },
  str: { type: 'string' },
  bool: { type: 'boolean' },
  datetime: { type: 'string', format: 'date-time' },
  date: { type: 'string', format: 'date' },
  time: { type: 'string', format: 'time' },
  uuid: { type: 'string', format: 'uuid' },
} as const;
