/** Values of an answer: repeated objects are one again, objects of types the program names are instances of their classes. */

type Received = { readonly prototype: object };

const classes = new Map<string, Received>();

/** Makes objects of a type that come over the wire from now on objects of its class. */
export function received(type: string, made: Received): void {
  classes.set(type, made);
}

/** Reads what came over the wire; changes it in place. `{"$ref": id}` becomes the object with that id in the same answer. */
export function revive<T>(answer: T): T {
  const known = new Map<string, object>();
  const refs: { readonly holder: any; readonly at: string | number; readonly id: string }[] = [];
  const waiting: unknown[] = [answer];
  for (let value = waiting.pop(); value !== undefined; value = waiting.pop()) {
    if (typeof value !== 'object' || value === null) continue;
    note(value, known);
    for (const [name, one] of Object.entries(value)) {
      if (typeof one !== 'object' || one === null) continue;
      const ref = (one as Record<string, unknown>)['$ref'];
      if (typeof ref === 'string') refs.push({ holder: value, at: name, id: ref });
      else waiting.push(one);
    }
  }
  for (const { holder, at, id } of refs) {
    const found = known.get(id);
    if (found !== undefined) holder[at] = found;
  }
  return answer;
}

function note(value: object, known: Map<string, object>): void {
  const { _svc_id: id, _svc_type: type } = value as { _svc_id?: unknown; _svc_type?: unknown };
  if (typeof type !== 'string') return;
  const found = classes.get(type);
  if (found !== undefined) Object.setPrototypeOf(value, found.prototype);
  if (typeof id !== 'string') return;
  known.set(id, value);
  // Clients of an earlier era read `reports[0][0]` of a walker that reports what it connected.
  Object.defineProperty(value, 0, { get: () => value, enumerable: false, configurable: true });
}
