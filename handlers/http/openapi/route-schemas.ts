/**
 * JSON Schemas of what endpoints of the server take and give, by the id of the operation. Here and not with the routes: only the API
 * description reads them, and functions start without it (decisions/0180).
 */
export type RouteSchemas = Readonly<Record<string, Schemas | ((bounds: Readonly<Record<string, number>>) => Schemas)>>;

interface Schemas {
  readonly request?: unknown;
  readonly response: unknown;
}
