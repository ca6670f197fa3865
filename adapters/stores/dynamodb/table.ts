/** One table as the store uses it: strongly consistent reads in batches, conditional writes, transactions. */
import type { DynamoDB, TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { maxItems } from '../../../core/platforms/aws-limits.ts';
import { type Change, expressions, type Test } from './expression.ts';
import { fromWire, type Item, type ItemKey, itemToWire, nameOf } from './item.ts';
import { isConditionFailed, isThrottling, nameOfError, pause, tooLarge, unavailable } from './trouble.ts';

/** One write of a transaction. */
export interface Write {
  readonly key: ItemKey;
  /** Replaces the item; `change` changes it; neither: `isDelete`, or only the tests count. */
  readonly put?: Item;
  readonly change?: Change;
  readonly isDelete?: boolean;
  readonly when: readonly Test[];
}

/** Places in the list of writes whose tests did not hold: nothing was written. */
export type Refused = readonly number[];

export interface Range {
  readonly pk: string;
  /** Text that the sort keys must begin with. */
  readonly prefix?: string;
  /** With a prefix: only sort keys above this one. */
  readonly above?: string;
  /** Items per page. */
  readonly pageSize?: number;
}

export interface Table {
  get(key: ItemKey): Promise<Item | undefined>;
  /** Reads items in the order asked. */
  getMany(keys: readonly ItemKey[], attributes?: readonly string[]): Promise<(Item | undefined)[]>;
  /** Page by page, in order of the sort key. */
  pages(range: Range): AsyncGenerator<readonly Item[]>;
  /** The whole range. */
  query(range: Range): Promise<Item[]>;
  /** Every item that fits, read from the whole table. */
  scan(filter: string, names: Readonly<Record<string, string>>, values: Item): AsyncGenerator<readonly Item[]>;
  /** False when a test did not hold. */
  write(write: Write): Promise<boolean>;
  /** The item after the change; undefined when a test did not hold. */
  update(write: Write): Promise<Item | undefined>;
  /** All or nothing; repeated with the same token it is done once. Undefined: done. */
  transact(writes: readonly Write[], token: string): Promise<Refused | undefined>;
}

/** Items of a batch that is read, and of a transaction. */
export const mostItems = maxItems;
/** Bytes of one transaction, with room for the expressions around the data. */
export const mostBytes = 3_500_000;

const mostAttempts = 12;

export function openTable(client: DynamoDB, TableName: string): Table {
  const guard = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      throw unavailable(error);
    }
  };
  const read = async (keys: readonly ItemKey[], attributes: readonly string[] | undefined, into: Map<string, Item>) => {
    const projection =
      attributes === undefined
        ? {}
        : {
            ProjectionExpression: attributes.map((_, i) => `#p${i}`).join(','),
            ExpressionAttributeNames: Object.fromEntries(attributes.map((name, i) => [`#p${i}`, name])),
          };
    let Keys = keys.map((key) => itemToWire({ ...key }));
    for (let attempt = 0; ; attempt++) {
      const { Responses, UnprocessedKeys } = await client.batchGetItem({
        RequestItems: { [TableName]: { Keys, ConsistentRead: true, ...projection } },
      });
      for (const wire of Responses?.[TableName] ?? []) {
        const item = fromWire(wire);
        into.set(nameOf(item as unknown as ItemKey), item);
      }
      Keys = UnprocessedKeys?.[TableName]?.Keys ?? [];
      if (Keys.length === 0) return;
      if (attempt >= mostAttempts) throw unavailable({ name: 'ProvisionedThroughputExceededException' });
      await pause(attempt);
    }
  };
  const single = (write: Write): Promise<unknown> => {
    const Key = itemToWire({ ...write.key });
    if (write.put !== undefined)
      return client.putItem({
        TableName,
        Item: itemToWire({ ...write.put, ...write.key }),
        ...expressions(write.when),
      });
    if (write.isDelete === true) return client.deleteItem({ TableName, Key, ...expressions(write.when) });
    return client.updateItem({ TableName, Key, ...expressions(write.when, write.change) });
  };
  async function* pages({ pk, prefix, above, pageSize }: Range): AsyncGenerator<readonly Item[]> {
    let from: Record<string, any> | undefined;
    do {
      const page = await guard(() =>
        client.query({
          TableName,
          ConsistentRead: true,
          KeyConditionExpression: conditionOf(prefix, above),
          // U+FFFF comes after every character that keys are made of.
          ExpressionAttributeValues: itemToWire(
            above === undefined
              ? { ':p': pk, ':s': prefix }
              : { ':p': pk, ':a': `${above}\0`, ':z': `${prefix}\uffff` },
          ),
          ...(pageSize === undefined ? {} : { Limit: pageSize }),
          ...(from === undefined ? {} : { ExclusiveStartKey: from }),
        }),
      );
      from = page.LastEvaluatedKey;
      yield (page.Items ?? []).map(fromWire);
    } while (from !== undefined);
  }
  return {
    get: (key) =>
      guard(async () => {
        const { Item } = await client.getItem({ TableName, Key: itemToWire({ ...key }), ConsistentRead: true });
        return Item === undefined ? undefined : fromWire(Item);
      }),
    getMany: (keys, attributes) =>
      guard(async () => {
        const found = new Map<string, Item>();
        const wanted = [...new Map(keys.map((key) => [nameOf(key), key])).values()];
        const batches: Promise<void>[] = [];
        for (let i = 0; i < wanted.length; i += mostItems)
          batches.push(read(wanted.slice(i, i + mostItems), attributes, found));
        await Promise.all(batches);
        return keys.map((key) => found.get(nameOf(key)));
      }),
    pages,
    async query(range) {
      const items: Item[] = [];
      for await (const page of pages(range)) items.push(...page);
      return items;
    },
    async *scan(filter, names, values) {
      let from: Record<string, any> | undefined;
      do {
        const page = await guard(() =>
          client.scan({
            TableName,
            ConsistentRead: true,
            FilterExpression: filter,
            ...(Object.keys(names).length === 0 ? {} : { ExpressionAttributeNames: { ...names } }),
            ExpressionAttributeValues: itemToWire(values),
            ...(from === undefined ? {} : { ExclusiveStartKey: from }),
          }),
        );
        from = page.LastEvaluatedKey;
        yield (page.Items ?? []).map(fromWire);
      } while (from !== undefined);
    },
    async write(write) {
      try {
        await single(write);
        return true;
      } catch (error) {
        if (isConditionFailed(error)) return false;
        throw unavailable(error);
      }
    },
    async update(write) {
      try {
        const { Attributes } = await client.updateItem({
          TableName,
          Key: itemToWire({ ...write.key }),
          ReturnValues: 'ALL_NEW',
          ...expressions(write.when, write.change),
        });
        return fromWire(Attributes ?? {});
      } catch (error) {
        if (isConditionFailed(error)) return undefined;
        throw unavailable(error);
      }
    },
    transact: (writes, token) => transact(client, TableName, writes, token),
  };
}

function conditionOf(prefix: string | undefined, above: string | undefined): string {
  if (above !== undefined) return 'pk = :p AND sk BETWEEN :a AND :z';
  return prefix === undefined ? 'pk = :p' : 'pk = :p AND begins_with(sk, :s)';
}

async function transact(
  client: DynamoDB,
  TableName: string,
  writes: readonly Write[],
  ClientRequestToken: string,
): Promise<Refused | undefined> {
  const TransactItems = writes.map((write) => transactItem(TableName, write));
  for (let attempt = 0; ; attempt++) {
    try {
      await client.transactWriteItems({ TransactItems, ClientRequestToken });
      return undefined;
    } catch (error) {
      const codes = reasonsOf(error);
      const refused = codes.flatMap((code, i) => (code === 'ConditionalCheckFailed' ? [i] : []));
      if (refused.length > 0) return refused;
      if (codes.some((code) => code === 'ValidationError' || code === 'ItemCollectionSizeLimitExceeded'))
        throw tooLarge(error);
      const passes =
        isThrottling(nameOfError(error)) || codes.some((code) => code === 'TransactionConflict' || isThrottling(code));
      if (!passes || attempt >= mostAttempts) throw unavailable(error);
      await pause(attempt);
    }
  }
}

/** Lists the reasons for which a transaction was cancelled, one code per write. */
function reasonsOf(error: unknown): readonly string[] {
  if (nameOfError(error) !== 'TransactionCanceledException') return [];
  const { CancellationReasons: reasons } = error as { CancellationReasons?: readonly { Code?: string }[] };
  return (reasons ?? []).map(({ Code }) => Code ?? '');
}

function transactItem(TableName: string, write: Write): TransactWriteItem {
  const Key = itemToWire({ ...write.key });
  if (write.put !== undefined)
    return { Put: { TableName, Item: itemToWire({ ...write.put, ...write.key }), ...expressions(write.when) } };
  if (write.isDelete === true) return { Delete: { TableName, Key, ...expressions(write.when) } };
  if (write.change !== undefined)
    return { Update: { TableName, Key, ...(expressions(write.when, write.change) as { UpdateExpression: string }) } };
  return {
    ConditionCheck: { TableName, Key, ...(expressions(write.when) as { ConditionExpression: string }) },
  };
}
