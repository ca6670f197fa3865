/** Variables of functions (docs/server/cloud.md#environment). */
import type { Config } from '../../core/config/config.ts';
import { interpolate } from '../../core/config/interpolate.ts';
import type { FunctionName, Needs } from './needs.ts';
import { readsStatic, staticFolder } from './roles.ts';
import { tablePrefix } from './tables.ts';

/** A variable as `serverless.yml` writes it, and the value it will have as far as that is known while building. */
export interface Variable {
  readonly text: unknown;
  readonly value: string;
}

export type Variables = Readonly<Record<string, Variable>>;

/** Variables of who builds and deploys. */
export type LookUp = (name: string) => string | undefined;

/** Gives the variables that all functions have. `[plugins.scale.cloud.env]` comes last: it decides. */
export function commonVariables(config: Config, { hasGraphTable }: Needs, lookUp: LookUp): Variables {
  const { scale, profile } = config;
  const { store, databaseUrl } = scale.database;
  const elsewhere = store === 'postgres' || (store === '' && databaseUrl !== '') ? 'postgres' : 'docdb';
  const ofShell = (name: string, usual: string): Variable => ({
    text: `\${env:${name}, '${usual}'}`,
    value: lookUp(name) ?? usual,
  });
  const given = Object.entries(scale.cloud.env).map(([name, text]) => [name, deferred(text, lookUp)] as const);
  return {
    SVC_ENV: ofShell('SVC_ENV', 'production'),
    SVC_ADAPTER: { text: 'cloud', value: 'cloud' },
    SVC_DATABASE_STORE: ofShell('SVC_DATABASE_STORE', hasGraphTable ? 'dynamodb' : elsewhere),
    SVC_DATABASE_DYNAMODB_ENDPOINT: ofShell('SVC_DATABASE_DYNAMODB_ENDPOINT', ''),
    SVC_DATABASE_DYNAMODB_TABLE_PREFIX: { text: '${self:custom.tables}', value: tablePrefix(config) },
    ...(profile === undefined ? {} : { SVC_PROFILE: { text: profile, value: profile } }),
    ...Object.fromEntries(given),
  };
}

/** Letters of the longest name of a bucket. */
const longestBucket = 63;

/** Gives the further variables of one function. */
export function ownVariables(name: FunctionName, { scale }: Config, needs: Needs): Variables {
  const { stackName, region, stage, artifactBucket } = scale.cloud;
  const { hasSockets } = needs;
  const variables: Record<string, Variable> = {};
  if (name !== 'sweeper') {
    // Below it the Systems Manager keeps JWT_SECRET, WEBHOOK_SECRET and the secrets of the application.
    variables['SVC_SECRETS_PATH'] = {
      text: "${env:SVC_SECRETS_PATH, '/${self:custom.stack}'}",
      value: `/${stackName}`,
    };
  }
  if (readsStatic(name, needs)) {
    variables['SVC_STATIC_FILES'] = {
      text: { 'Fn::Sub': `s3://\${self:custom.bucket}/\${self:custom.stack}/${staticFolder}` },
      value: `s3://${artifactBucket || 'b'.repeat(longestBucket)}/${stackName}/${staticFolder}`,
    };
  }
  // Under osls offline: http://127.0.0.1:3001. On AWS the address follows from the events.
  if (name === 'websocket') {
    variables['SVC_MANAGEMENT_ENDPOINT'] = { text: "${env:SVC_MANAGEMENT_ENDPOINT, ''}", value: '' };
  }
  // These have no events that tell them the endpoint.
  if ((name === 'sweeper' || name === 'live') && hasSockets) {
    variables['SVC_MANAGEMENT_ENDPOINT'] = {
      text: {
        'Fn::Sub': 'https://${WebsocketsApi}.execute-api.${AWS::Region}.${AWS::URLSuffix}/${self:provider.stage}',
      },
      value: `https://0123456789.execute-api.${region}.amazonaws.com/${stage}`,
    };
  }
  return variables;
}

export function bytesOf(variables: Variables): number {
  return Object.entries(variables).reduce(
    (sum, [name, { value }]) => sum + Buffer.byteLength(name) + Buffer.byteLength(value),
    0,
  );
}

/**
 * A value that is filled in when deploying (docs/server/configuration.md#references), in the language of osls. Where
 * nothing fills it in, osls says so.
 */
function deferred(text: string, lookUp: LookUp): Variable {
  const filled = interpolate(text, lookUp);
  const known = 'text' in filled ? filled : interpolate(text, (name) => lookUp(name) ?? '');
  return { text: text.replace(reference, translate), value: 'text' in known ? known.text : text };
}

/** Pattern of a reference with the backslashes before it, which would escape the translation. */
const reference = /(\\*)(?:\$\$(\{)?|\$\{([A-Za-z_]\w*)(?::([-?])([^}]*))?\})/g;

function translate(
  _match: string,
  slashes: string,
  brace?: string,
  name?: string,
  operator?: string,
  rest = '',
): string {
  if (name === undefined) return brace === undefined ? `${slashes}$` : `${slashes}${slashes}\\\${`;
  return `${slashes}${slashes}\${env:${name}${operator === '-' ? `, ${JSON.stringify(rest)}` : ''}}`;
}
