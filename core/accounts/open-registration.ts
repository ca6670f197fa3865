import type { AccountDesk } from './desk.ts';
import { forbidden } from './refusals.ts';

/** @throws Failure `FORBIDDEN` when registration is closed. Comes before the body is judged. */
export function requireOpenRegistration(desk: AccountDesk): void {
  if (!desk.config.auth.allowRegistration) throw forbidden('registration_closed', 'Registration is closed.');
}
