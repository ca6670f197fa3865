/**
 * Output of `svc build`, which is deployed without anything else, and holds the parts that the program needs and
 * nothing more (docs/server/cloud.md#resources, docs/server/cloud.md#environment).
 */
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { packageWithOsls } from '../harness/cloud-template.ts';
import { runSvc } from '../harness/server.ts';
import { folderWith } from '../harness/svc-process.ts';

const toml = `[project]
name = "small"
[plugins.scale.cloud]
stack_name = "little"
reserved_concurrency = 5
[plugins.scale.cloud.env]
PLAIN = "some text"
FILLED = "\${SMALL_HOST}/x"
USUAL = "\${SMALL_NONE:-it's usual}"
DOLLARS = '$$5 $\${x} \\$\${y}'
`;

test('a program without webhooks and sockets, from the folder of the build alone', async () => {
  using folder = folderWith({
    'main.svc': 'walker:pub Hello { can go with Root entry { report 1; } }\n',
    'svc.toml': toml,
  });
  const { code, stderr } = await runSvc(['build', 'main.svc'], { cwd: folder.path });
  expect([code, stderr]).toEqual([0, '']);
  const out = join(folder.path, '.svc/build/cloud');
  const { text, resources, ofType } = packageWithOsls(out, { SMALL_HOST: 'host' });
  const wanted = /ApiGatewayV2::Api$|DynamoDB|Role$|Function$|Events|Url$/;
  const types = Object.values(resources).map(({ Type }) => Type);
  expect(types.filter((type) => wanted.test(type)).sort()).toEqual([
    'AWS::ApiGatewayV2::Api',
    'AWS::DynamoDB::Table',
    'AWS::Events::Rule',
    ...Array(2).fill('AWS::IAM::Role'),
    ...Array(2).fill('AWS::Lambda::Function'),
  ]);
  expect(text).not.toMatch(/ManageConnections|WEBSOCKET|connections/);
  const functions = ofType('AWS::Lambda::Function').map(({ Properties }) => Properties);
  expect(functions.map((p) => [p.FunctionName, p.Handler, p.ReservedConcurrentExecutions])).toEqual([
    ['little-http', 'handlers/http.handler', 5],
    ['little-sweeper', 'handlers/sweeper.handler', undefined],
  ]);
  for (const { Environment } of functions) {
    expect(Environment.Variables).toMatchObject({
      PLAIN: 'some text',
      FILLED: 'host/x',
      USUAL: "it's usual",
      DOLLARS: '$5 ${x} \\${y}',
      SVC_DATABASE_DYNAMODB_TABLE_PREFIX: 'little-',
    });
  }
});
