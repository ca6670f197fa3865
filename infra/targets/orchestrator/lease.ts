/** The turn to deploy: a Lease `A-deploy` that is renewed while work goes on, so that two never deploy at once. */
import { randomUUID } from 'node:crypto';
import { KubeError } from '../../cluster/client.ts';
import { type LiveObject, pathOf } from '../../cluster/kinds.ts';
import { DeployFailure } from '../../orchestrator/deploy-failure.ts';
import { labelsOf } from '../../orchestrator/objects/metadata.ts';
import { forObject } from './failures.ts';
import { type Place, requireOwn } from './place.ts';

/** Time after which a lease that nobody renews is free. */
const leaseSeconds = 60;
const renewMs = 20_000;

/** Does work while nobody else deploys; its signal ends when the lease is lost. @throws DeployFailure when somebody else has it */
export async function withLease<T>(place: Place, who: string, work: (own: Place) => Promise<T>): Promise<T> {
  const holder = `${who}#${randomUUID().slice(0, 8)}`;
  let lease = await forObject(place, `Lease ${nameOf(place)}`, () => acquire(place, holder));
  const lost = new AbortController();
  const signal = AbortSignal.any([place.signal, lost.signal]);
  let renewing = Promise.resolve();
  const timer = setInterval(() => {
    renewing = renewing.then(async () => {
      try {
        lease = await put(place, lease, holder);
      } catch (error) {
        if (error instanceof KubeError && [404, 409].includes(error.status)) lost.abort(lostLease());
      }
    });
  }, renewMs);
  try {
    return await work({ ...place, signal });
  } catch (error) {
    throw lost.signal.aborted ? lost.signal.reason : error;
  } finally {
    clearInterval(timer);
    await renewing;
    await release(place, lease).catch(() => {});
  }
}

function lostLease(): DeployFailure {
  return new DeployFailure('failed', 'somebody else began to deploy while this deployment was out of reach', {
    hints: ['run the command again when that is done'],
  });
}

function nameOf({ app }: Place): string {
  return `${app}-deploy`;
}

async function acquire(place: Place, holder: string): Promise<LiveObject> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const there = await place.client.get('Lease', place.namespace, nameOf(place));
    requireOwn(there, `Lease ${nameOf(place)}`, place.app);
    if (there !== undefined && isHeld(place, there, holder)) throw busy(there);
    try {
      return there === undefined ? await create(place, holder) : await put(place, there, holder, true);
    } catch (error) {
      // Somebody was quicker, or an answer was lost: what is there now says which.
      if (!(error instanceof KubeError) || error.status !== 409) throw error;
    }
  }
  throw new DeployFailure('failed', 'others keep taking the turn to deploy; run the command again');
}

function isHeld({ client }: Place, { spec }: LiveObject, holder: string): boolean {
  if (!spec.holderIdentity || spec.holderIdentity === holder) return false;
  return Date.parse(spec.renewTime) + spec.leaseDurationSeconds * 1000 > client.nowMs();
}

function busy({ spec }: LiveObject): DeployFailure {
  const who = String(spec.holderIdentity).replace(/#.*$/, '');
  const since = new Date(spec.acquireTime).toTimeString().slice(0, 8);
  return new DeployFailure('failed', `${who} is deploying since ${since}`, {
    hints: [`a deployment that was cut off gives its turn away after ${leaseSeconds} s`],
  });
}

async function create(place: Place, holder: string): Promise<LiveObject> {
  return await place.client.request({
    method: 'POST',
    path: pathOf('Lease', place.namespace),
    body: {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name: nameOf(place), labels: labelsOf(place.app) },
      spec: {
        holderIdentity: holder,
        leaseDurationSeconds: leaseSeconds,
        acquireTime: now(place),
        renewTime: now(place),
      },
    },
  });
}

async function put(place: Place, lease: LiveObject, holder: string, isNew = false): Promise<LiveObject> {
  const acquired = isNew ? { acquireTime: now(place) } : {};
  return await place.client.request({
    method: 'PUT',
    path: pathOf('Lease', place.namespace, nameOf(place)),
    body: { ...lease, spec: { ...lease.spec, ...acquired, holderIdentity: holder, renewTime: now(place) } },
  });
}

async function release(place: Place, { metadata: { uid, resourceVersion } }: LiveObject): Promise<void> {
  await place.client.remove('Lease', place.namespace, nameOf(place), { preconditions: { uid, resourceVersion } });
}

/** The time of the cluster: of two people the clocks may differ by more than a lease lasts. Times of leases have microseconds. */
function now({ client }: Place): string {
  return new Date(client.nowMs()).toISOString().replace('Z', '000Z');
}
