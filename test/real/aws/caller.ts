/**
 * Identity that deploys and what it may do: IAM as far as deployments ask it, which moto has not. A request is allowed when a statement of the
 * policy names its action and its resource; CloudFormation asks for the rights of whoever executes a change.
 */
import type { IncomingMessage } from 'node:http';
import type { Policy } from '../../../infra/targets/cloud/rights.ts';

export interface Caller {
  /** ARN that the service of identities tells. */
  readonly arn: string;
  /** ARN of the user or role whose policies count. */
  readonly principal: string;
  /** Undefined: everything is allowed. */
  readonly policy: Policy | undefined;
}

export const administrator: Caller = {
  arn: 'arn:aws:iam::123456789012:user/ada',
  principal: 'arn:aws:iam::123456789012:user/ada',
  policy: undefined,
};

export function allows({ policy }: Caller, action: string, resource: string): boolean {
  if (policy === undefined) return true;
  return policy.Statement.some(
    ({ Action, Resource }) => Action.includes(action) && Resource.some((one) => patternOf(one).test(resource)),
  );
}

/** Sentence of the service by which an action is refused. */
export function denial({ arn }: Caller, action: string, resource: string): string {
  return `User: ${arn} is not authorized to perform: ${action} on resource: ${resource} because no identity-based policy allows the ${action} action`;
}

/** Gives the answer to a question about identities. Undefined: it is none. `text` is the body. */
export function answerAbout(caller: Caller, action: string, query: URLSearchParams): string | undefined {
  const answer = (name: string, inner: string) =>
    `<${name}Response><${name}Result>${inner}</${name}Result></${name}Response>`;
  if (action === 'sts:GetCallerIdentity')
    return answer('GetCallerIdentity', `<Arn>${caller.arn}</Arn><UserId>AIDA</UserId><Account>123456789012</Account>`);
  if (action !== 'iam:SimulatePrincipalPolicy') return undefined;
  const listOf = (name: string) =>
    [...query].filter(([key]) => key.startsWith(`${name}.member.`)).map(([, one]) => one);
  const results = listOf('ActionNames').map((name) => evaluated(caller, name, listOf('ResourceArns')));
  return answer(
    'SimulatePrincipalPolicy',
    `<IsTruncated>false</IsTruncated><EvaluationResults>${results.join('')}</EvaluationResults>`,
  );
}

function evaluated(caller: Caller, action: string, resources: readonly string[]): string {
  // Who asks tells no facts of a request, so that a statement with conditions allows nothing yet.
  const facts = missingFacts(caller, action);
  const missing = `<MissingContextValues>${facts.map((one) => `<member>${one}</member>`).join('')}</MissingContextValues>`;
  const isAllowed = (one: string) => facts.length === 0 && allows(caller, action, one);
  const decisions = resources.map((one) => (isAllowed(one) ? 'allowed' : 'implicitDeny'));
  const specific = resources.map(
    (one, at) =>
      `<member><EvalResourceName>${one}</EvalResourceName><EvalResourceDecision>${decisions[at]}</EvalResourceDecision>${missing}</member>`,
  );
  const decision = decisions.every((one) => one === 'allowed') ? 'allowed' : 'implicitDeny';
  return `<member><EvalActionName>${action}</EvalActionName><EvalDecision>${decision}</EvalDecision>${missing}<ResourceSpecificResults>${specific.join('')}</ResourceSpecificResults></member>`;
}

function missingFacts({ policy }: Caller, action: string): string[] {
  const conditions = policy?.Statement.flatMap(({ Action, Condition }) => (Action.includes(action) ? [Condition] : []));
  return (conditions ?? []).flatMap((one) => Object.values(one ?? {}).flatMap((tests) => Object.keys(tests)));
}

/** Gives the ARN of what a request is about, `*` where the service has no finer one. */
export function resourceOf(service: string, { url, headers }: IncomingMessage, body: Buffer): string {
  const of = (name: string, where = 'eu-west-1') => `arn:aws:${service}:${where}:123456789012:${name}`;
  if (service === 's3') {
    const path = decodeURIComponent(new URL(url!, 'http://x').pathname).slice(1);
    // Objects that are deleted are named in the body; their keys are those of the list before.
    const isBatch = url!.includes('?delete');
    const key = isBatch ? `/${/<Key>([^<]+)/.exec(body.toString())?.[1]}` : '';
    return `arn:aws:s3:::${path.replace(/\/$/, '')}${key}`;
  }
  if (headers['x-amz-target'] === undefined) {
    const query = new URLSearchParams(body.toString());
    const stack = query.get('StackName');
    if (service === 'cloudformation')
      return stack === null ? '*' : stack.startsWith('arn:') ? stack : of(`stack/${stack}/x`);
    return query.get('PolicySourceArn') ?? of(`role/${query.get('RoleName')}`, '');
  }
  const asked = JSON.parse(body.toString() || '{}');
  if (service === 'ssm') return of(`parameter${asked.Name ?? asked.Path ?? asked.Names?.[0] ?? asked.ResourceId}`);
  if (service === 'dynamodb') return asked.ResourceArn ?? of(`table/${asked.TableName}`);
  if (service === 'ecr') {
    const name = asked.repositoryName ?? asked.repositoryNames?.[0];
    return asked.resourceArn ?? (name === undefined ? '*' : of(`repository/${name}`));
  }
  return of(`log-group:${asked.logGroupName}`);
}

function patternOf(resource: string): RegExp {
  const parts = resource.split('*').map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`);
}
