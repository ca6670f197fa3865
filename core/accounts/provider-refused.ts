import type { Failure } from '../errors.ts';
import { audit, type Origin } from './audit.ts';
import type { AccountDesk } from './desk.ts';

/** Leaves a record of a sign-in that failed, and a warning when the provider or its configuration is to blame. */
export function providerRefused(desk: AccountDesk, failure: Failure, platform: string, origin: Origin): void {
  audit(desk, 'sso', `refused_${failure.code.toLowerCase()}`, {}, origin);
  const { cause } = failure;
  if (!(cause instanceof Error)) return;
  desk.log.warn(`sign-in with ${platform} failed: ${cause.message}`, { request_id: origin.requestId });
}
