/**
 * Question whether whoever deploys may do all that a policy allows, asked of IAM before anything changes
 * (https://docs.aws.amazon.com/IAM/latest/APIReference/API_SimulatePrincipalPolicy.html).
 */
import type { EvaluationResult } from '@aws-sdk/client-iam';
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import { AwsError, policyHint } from './failures.ts';
import { type CloudApp, policyOf } from './find-changes.ts';
import type { Place } from './place.ts';
import { askAction, type Statement } from './rights.ts';
import { liveTemplate, readStack } from './stack.ts';

/**
 * Rights for what is wanted first: without them nobody may look at what there is, which may need further ones to be deleted.
 *
 * @throws DeployFailure that names every action that is missing, or the right to ask
 */
export async function requireRights(place: Place, app: CloudApp, note: (text: string) => void): Promise<void> {
  if (!place.checksRights) return;
  const caller = await principalOf(place);
  if (caller === undefined)
    return note(`rights of ${place.caller} cannot be asked for; the first refusal will be told`);
  if (caller === everything) return;
  const wanted = policyOf(place, app, undefined);
  await requireAll(place, caller, wanted.Statement);
  const stack = await readStack(place);
  const before = stack === undefined ? undefined : await liveTemplate(place, stack);
  const asked = new Set(wanted.Statement.map((one) => JSON.stringify(one)));
  const { Statement } = policyOf(place, app, before);
  await requireAll(
    place,
    caller,
    Statement.filter((one) => !asked.has(JSON.stringify(one))),
  );
}

async function requireAll(place: Place, caller: string, statements: readonly Statement[]): Promise<void> {
  const missing = await Promise.all(statements.map((one) => missingIn(place, caller, one)));
  const names = [...new Set(missing.flat())];
  if (names.length > 0)
    throw new DeployFailure('prerequisite', `not allowed: ${names.join(', ')}`, { hints: [policyHint] });
}

/** The user of the root of an account may do everything and cannot be asked about. */
const everything = 'root';

/** Gives the ARN of the user or role whose policies count. Undefined for a caller that has none by itself. */
async function principalOf(place: Place): Promise<string | undefined> {
  const { caller, account, partition } = place;
  const [, , service, , , name = ''] = caller.split(':');
  if (service === 'iam') return name === 'root' ? everything : caller;
  const [kind, role = ''] = name.split('/');
  if (kind !== 'assumed-role') return undefined;
  const plain = `arn:${partition}:iam::${account}:role/${role}`;
  try {
    await simulate(place, plain, [askAction], [plain]);
    return plain;
  } catch (error) {
    if (!(error instanceof AwsError) || !/^NoSuchEntity/.test(error.code)) throw withWay(error);
  }
  // A role may be in a folder, as those of the Identity Center are, which the name of a session does not tell.
  try {
    return (await place.clients.iam.getRole({ RoleName: role })).Role?.Arn;
  } catch (error) {
    if (error instanceof AwsError && error.isAnswer) return undefined;
    throw error;
  }
}

async function missingIn(place: Place, caller: string, { Action, Resource }: Statement): Promise<string[]> {
  const results = await simulate(place, caller, Action, Resource.map(oneOf)).catch((error) => {
    throw withWay(error);
  });
  return Action.filter((action) => {
    const own = results.filter((one) => one.EvalActionName?.toLowerCase() === action.toLowerCase());
    return !own.some(mayBe);
  });
}

async function simulate(
  { clients }: Place,
  PolicySourceArn: string,
  actions: readonly string[],
  resources: readonly string[],
): Promise<EvaluationResult[]> {
  const asked = { PolicySourceArn, ActionNames: [...actions], ResourceArns: [...resources] };
  const results: EvaluationResult[] = [];
  let Marker: string | undefined;
  for (let page = 0; page < 20; page++) {
    const found = await clients.iam.simulatePrincipalPolicy({ ...asked, MaxItems: 1000, Marker });
    results.push(...(found.EvaluationResults ?? []));
    Marker = found.IsTruncated ? found.Marker : undefined;
    if (Marker === undefined) break;
  }
  return results;
}

/** True for what is allowed on one of the resources, and for what depends on facts of a request that nobody knows yet. */
function mayBe({ EvalDecision, MissingContextValues = [], ResourceSpecificResults = [] }: EvaluationResult): boolean {
  const decides = (decision: string | undefined, missing: readonly string[] = []) =>
    decision === 'allowed' || missing.length > 0;
  return (
    decides(EvalDecision, MissingContextValues) ||
    ResourceSpecificResults.some((one) => decides(one.EvalResourceDecision, one.MissingContextValues))
  );
}

/** Gives one resource of those that a pattern stands for: `…:function:demo-prod-http` of `…:function:demo-prod-*`. */
function oneOf(pattern: string): string {
  return pattern === '*' ? pattern : pattern.replaceAll('*', 'http');
}

function withWay(error: unknown): unknown {
  if (!(error instanceof AwsError) || error.message !== `not allowed: ${askAction}`) return error;
  return new DeployFailure('prerequisite', error.message, {
    hints: [
      policyHint,
      'check_rights = false under [plugins.scale.cloud] deploys without asking; the first refusal ends it then',
    ],
  });
}
