/** Members of roles: a policy is read, changed and written with its `etag`, so that nobody's change is lost. */
import { setTimeout as sleep } from 'node:timers/promises';
import { GoogleError } from './client.ts';
import type { Service } from './endpoints.ts';
import type { Place } from './place.ts';

export interface Binding {
  readonly service: Service;
  /** Path of the thing whose policy it is: `v1/projects/demo/secrets/demo-TOKEN`. */
  readonly path: string;
  readonly role: string;
  readonly member: string;
}

const tries = 6;

export async function isBound(place: Place, binding: Binding): Promise<boolean> {
  return has(await readPolicy(place, binding), binding);
}

/** Adds the member to the role, or takes it away; what is so already is not written. */
export async function setBinding(place: Place, binding: Binding, wanted: boolean): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const policy = await readPolicy(place, binding);
    if (has(policy, binding) === wanted) return;
    try {
      await place.client.request({
        service: binding.service,
        method: 'POST',
        path: `${binding.path}:setIamPolicy`,
        body: { policy: { ...policy, bindings: changed(policy, binding, wanted) } },
      });
      return;
    } catch (error) {
      if (attempt === tries || !(error instanceof GoogleError) || !mayPass(error)) throw error;
      await sleep(250 * 2 ** attempt, undefined, { signal: place.signal });
    }
  }
}

/** Somebody else wrote it meanwhile; or an account is so new that it is not known everywhere. */
function mayPass({ status, message }: GoogleError): boolean {
  return status === 409 || (status === 400 && /does not exist/.test(message));
}

async function readPolicy({ client }: Place, { service, path }: Binding): Promise<any> {
  const whole = { service, path: `${path}:getIamPolicy` } as const;
  // Conditions of others have to come back as they are: https://cloud.google.com/iam/docs/policies#versions
  if (service === 'cloudresourcemanager')
    return await client.request({ ...whole, method: 'POST', body: { options: { requestedPolicyVersion: 3 } } });
  return await client.request({ ...whole, method: 'GET', query: { 'options.requestedPolicyVersion': '3' } });
}

function rowOf(policy: any, { role }: Binding): any {
  return policy.bindings?.find((row: any) => row.role === role && row.condition === undefined);
}

function has(policy: any, binding: Binding): boolean {
  return rowOf(policy, binding)?.members?.includes(binding.member) === true;
}

function changed(policy: any, binding: Binding, wanted: boolean): object[] {
  const { role, member } = binding;
  const row = rowOf(policy, binding);
  const others = (policy.bindings ?? []).filter((one: any) => one !== row);
  const members = (row?.members ?? []).filter((one: string) => one !== member);
  if (wanted) members.push(member);
  return members.length === 0 ? others : [...others, { role, members }];
}
