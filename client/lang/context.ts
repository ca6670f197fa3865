/** Context managers: `with`. */

export function enter(manager: any): any {
  return typeof manager.__enter__ === 'function' ? manager.__enter__() : manager;
}

/** Leaves a manager. Is the error, if there is one, dealt with? */
export function exit(manager: any, error: unknown): boolean {
  if (typeof manager.__exit__ !== 'function') return false;
  return Boolean(manager.__exit__(error === undefined ? null : (error as object).constructor, error ?? null, null));
}

export async function asyncEnter(manager: any): Promise<any> {
  return typeof manager.__aenter__ === 'function' ? await manager.__aenter__() : enter(manager);
}

export async function asyncExit(manager: any, error: unknown): Promise<boolean> {
  if (typeof manager.__aexit__ !== 'function') return exit(manager, error);
  return Boolean(
    await manager.__aexit__(error === undefined ? null : (error as object).constructor, error ?? null, null),
  );
}
