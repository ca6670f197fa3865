declare const __SVC_VERSION__: string | undefined;
declare const __SVC_BUILD__: string | undefined;

/** Version of the package; the build puts it in. */
export const version: string = typeof __SVC_VERSION__ === 'string' ? __SVC_VERSION__ : '0.0.0-source';

/**
 * Names exactly this build of the compiler and the runtime: what it compiled may be used again. Undefined when run from source,
 * where nothing may be remembered.
 */
export const buildId: string | undefined = typeof __SVC_BUILD__ === 'string' ? __SVC_BUILD__ : undefined;
