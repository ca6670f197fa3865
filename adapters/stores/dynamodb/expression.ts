/** Condition and update expressions of the service, from plain descriptions. */
import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { type Item, toWire, type Value } from './item.ts';

/** Condition of a write. Attributes may be paths (`intent.unit`). All tests of a list must hold. */
export type Test =
  | readonly ['absent' | 'present', string]
  | readonly ['=' | '<' | '<=' | '>', string, Value]
  | readonly ['any', readonly Test[]];

export interface Change {
  readonly set?: Item;
  readonly add?: Readonly<Record<string, number>>;
  readonly remove?: readonly string[];
}

export interface Expressions {
  readonly ConditionExpression?: string;
  readonly UpdateExpression?: string;
  readonly ExpressionAttributeNames?: Record<string, string>;
  readonly ExpressionAttributeValues?: Record<string, AttributeValue>;
}

export function expressions(tests: readonly Test[], change?: Change): Expressions {
  const names: Record<string, string> = {};
  const values: Record<string, AttributeValue> = {};
  const known = new Map<string, string>();
  const one = (part: string) => {
    let name = known.get(part);
    if (name === undefined) {
      name = `#n${known.size}`;
      known.set(part, name);
      names[name] = part;
    }
    return name;
  };
  const name = (path: string) => path.split('.').map(one).join('.');
  let count = 0;
  const value = (given: Value) => {
    const id = `:v${count++}`;
    values[id] = toWire(given);
    return id;
  };
  const condition = tests.map((test) => conditionText(test, name, value)).join(' AND ');
  const update = change === undefined ? '' : updateText(change, name, value);
  return {
    ...(condition === '' ? {} : { ConditionExpression: condition }),
    ...(update === '' ? {} : { UpdateExpression: update }),
    ...(known.size === 0 ? {} : { ExpressionAttributeNames: names }),
    ...(count === 0 ? {} : { ExpressionAttributeValues: values }),
  };
}

function conditionText(test: Test, name: (path: string) => string, value: (given: Value) => string): string {
  if (test[0] === 'absent') return `attribute_not_exists(${name(test[1])})`;
  if (test[0] === 'present') return `attribute_exists(${name(test[1])})`;
  if (test[0] === 'any') return `(${test[1].map((one) => conditionText(one, name, value)).join(' OR ')})`;
  return `${name(test[1])} ${test[0]} ${value(test[2])}`;
}

function updateText(change: Change, name: (path: string) => string, value: (given: Value) => string): string {
  const parts: string[] = [];
  const sets = Object.entries(change.set ?? {}).map(([path, given]) => `${name(path)} = ${value(given)}`);
  if (sets.length > 0) parts.push(`SET ${sets.join(', ')}`);
  const adds = Object.entries(change.add ?? {}).map(([path, given]) => `${name(path)} ${value(given)}`);
  if (adds.length > 0) parts.push(`ADD ${adds.join(', ')}`);
  if (change.remove !== undefined && change.remove.length > 0)
    parts.push(`REMOVE ${change.remove.map(name).join(', ')}`);
  return parts.join(' ');
}
