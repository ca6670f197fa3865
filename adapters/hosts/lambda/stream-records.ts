/** Records of DynamoDB Streams as changes of the application's tables (docs/server/cloud.md#live). */
import type { DynamoDBStreamEvent, ScheduledEvent } from 'aws-lambda';
import type { LiveTable, TableChanges } from '../../../handlers/table/live-table.ts';
import {
  anythingName,
  edgeOf,
  endOf,
  linksOf,
  recordOf,
  rootsName,
  typeOf,
} from '../../../handlers/table/read-keys.ts';
import type { Row } from '../../../handlers/table/rows.ts';
import { newsOf, type TopicNews } from '../../../handlers/table/table-topics.ts';
import { fromWire, type Item } from '../../stores/dynamodb/item.ts';

/** The function that streams and a clock call. What it could not do is told again by the stream. */
export function createChangesHandler(live: LiveTable) {
  return async (event: DynamoDBStreamEvent | ScheduledEvent): Promise<void> => {
    if ('Records' in event) await live.changed(readChanges(event));
    else await live.look();
  };
}

export function readChanges({ Records }: DynamoDBStreamEvent): TableChanges {
  const keys = new Set<string>();
  const users = new Set<string>();
  const tokens = new Set<string>();
  const news: TopicNews[] = [];
  for (const { eventName, dynamodb = {} } of Records) {
    const read = (image: typeof dynamodb.NewImage) => (image === undefined ? undefined : fromWire(image as never));
    const [before, after] = [read(dynamodb.OldImage), read(dynamodb.NewImage)];
    const item = after ?? before;
    if (item === undefined) continue;
    const pk = String(item['pk']);
    const id = pk.slice(2);
    const isWhole = item['sk'] === 'A';
    if (pk === 'R') keys.add(rootsName);
    else if (pk.startsWith('N#') && isWhole) addNode(keys, id, before, after);
    else if (pk.startsWith('E#') && isWhole) addEdge(keys, id, before, after);
    else if (pk.startsWith('U#')) users.add(id);
    else if (pk.startsWith('J#')) tokens.add(id);
    else if (eventName === 'INSERT') {
      const one = newsOf(item as Row);
      if (one !== undefined) news.push(one);
    }
  }
  return { keys, news, users, tokens };
}

function addNode(keys: Set<string>, id: string, before: Item | undefined, after: Item | undefined): void {
  const isOther = (name: string) => before?.[name] !== after?.[name];
  if (isOther('rev')) keys.add(recordOf(id));
  if (isOther('topo')) keys.add(linksOf(id));
  if (after === undefined) keys.add(endOf(id)).add(linksOf(id));
  if (isOther('rev') || isOther('topo')) addTypes(keys, before, after);
}

function addEdge(keys: Set<string>, id: string, before: Item | undefined, after: Item | undefined): void {
  if (before?.['rev'] === after?.['rev']) return;
  keys.add(edgeOf(id));
  addTypes(keys, before, after);
}

function addTypes(keys: Set<string>, ...images: readonly (Item | undefined)[]): void {
  for (const image of images) {
    if (typeof image?.['type'] === 'string')
      keys.add(typeOf({ module: String(image['module'] ?? ''), name: image['type'] }));
  }
  keys.add(anythingName);
}
