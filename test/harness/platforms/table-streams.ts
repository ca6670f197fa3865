/**
 * Streams of tables as the service reads them for a function: shard by shard, a batch at a time, filtered, again when the function failed.
 * https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html
 */
import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';

export interface StreamedTable {
  readonly table: CreateTableCommandInput;
  readonly view: 'NEW_AND_OLD_IMAGES' | 'NEW_IMAGE';
  /** Pattern of an event that the function is called for. */
  readonly pattern: unknown;
}

export interface TableStreams extends AsyncDisposable {
  /** Batches that the function failed to take. */
  readonly failed: number;
}

/** Makes the tables and begins to read. */
export async function openStreams(
  endpoint: string,
  tables: readonly StreamedTable[],
  invoke: (event: unknown) => Promise<unknown>,
): Promise<TableStreams> {
  let failed = 0;
  let isOpen = true;
  const call = async (target: string, body: object): Promise<any> => {
    const answer = await fetch(endpoint, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': target,
        'x-amz-date': '20200101T000000Z',
        authorization: `AWS4-HMAC-SHA256 Credential=local/20200101/us-east-1/dynamodb/aws4_request, SignedHeaders=host, Signature=0`,
      },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${target}: ${text}`);
    return JSON.parse(text);
  };
  const ofStreams = (name: string, body: object) => call(`DynamoDBStreams_20120810.${name}`, body);

  async function make({ table, view, pattern }: StreamedTable): Promise<() => Promise<void>> {
    const StreamSpecification = { StreamEnabled: true, StreamViewType: view };
    const { TableDescription } = await call('DynamoDB_20120810.CreateTable', { ...table, StreamSpecification });
    const StreamArn = TableDescription.LatestStreamArn;
    return () => follow(StreamArn, pattern);
  }

  async function follow(StreamArn: string, pattern: unknown): Promise<void> {
    const seen = new Set<string>();
    const loops: Promise<void>[] = [];
    while (isOpen) {
      const { StreamDescription } = await ofStreams('DescribeStream', { StreamArn });
      for (const { ShardId } of StreamDescription.Shards)
        if (!seen.has(ShardId)) {
          seen.add(ShardId);
          loops.push(readShard(StreamArn, ShardId, pattern));
        }
      await pause(500);
    }
    await Promise.all(loops);
  }

  async function readShard(StreamArn: string, ShardId: string, pattern: unknown): Promise<void> {
    const start = { StreamArn, ShardId, ShardIteratorType: 'TRIM_HORIZON' };
    let { ShardIterator } = await ofStreams('GetShardIterator', start);
    while (isOpen && ShardIterator != null) {
      const { Records, NextShardIterator } = await ofStreams('GetRecords', { ShardIterator, Limit: 100 });
      const wanted = Records.filter((record: unknown) => fits(record, pattern));
      while (isOpen && wanted.length > 0) {
        try {
          await invoke({ Records: wanted.map((record: object) => ({ ...record, eventSourceARN: StreamArn })) });
          break;
        } catch {
          failed++;
          await pause(100);
        }
      }
      ShardIterator = NextShardIterator;
      if (Records.length === 0) await pause(20);
    }
  }

  const made = await Promise.all(tables.map(make));
  const following = made.map((read) => read().catch((error) => isOpen && console.error(error)));
  return {
    get failed() {
      return failed;
    },
    async [Symbol.asyncDispose]() {
      isOpen = false;
      await Promise.all(following);
    },
  };
}

/** https://docs.aws.amazon.com/lambda/latest/dg/invocation-eventfiltering.html: the part that our patterns use. */
function fits(value: any, pattern: any): boolean {
  if (Array.isArray(pattern))
    return pattern.some((one) => (typeof one === 'string' ? value === one : String(value).startsWith(one.prefix)));
  return Object.entries(pattern).every(([name, inner]) => value?.[name] !== undefined && fits(value[name], inner));
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
