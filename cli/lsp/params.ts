/** Parameters of requests: one without what its answer is made from is refused in the words of the protocol. */
import {
  type Disposable,
  ErrorCodes,
  type GenericRequestHandler,
  type ProtocolConnection,
  ResponseError,
} from 'vscode-languageserver';

/** Type of a value, the same of each element, or the shapes of the members that it must have. */
type Shape = 'string' | 'number' | readonly [Shape] | { readonly [member: string]: Shape };

const document = { textDocument: { uri: 'string' } } as const;
const position = { line: 'number', character: 'number' } as const;
const range = { start: position, end: position } as const;
const at = { ...document, position } as const;
const within = { ...document, range } as const;
const call = { item: { uri: 'string', selectionRange: range } } as const;

const shapes: ReadonlyMap<string, Shape> = new Map<string, Shape>([
  ['initialize', { capabilities: {} }],
  ['callHierarchy/incomingCalls', call],
  ['callHierarchy/outgoingCalls', call],
  ['textDocument/codeAction', { ...within, context: { diagnostics: [{ range }] } }],
  ['textDocument/inlayHint', within],
  ['textDocument/rangeFormatting', within],
  ['textDocument/references', { ...at, context: {} }],
  ['textDocument/rename', { ...at, newName: 'string' }],
  ['textDocument/selectionRange', { ...document, positions: [position] }],
  ['textDocument/semanticTokens/range', within],
  ['workspace/diagnostic', { previousResultIds: [{ uri: 'string', value: 'string' }] }],
  ['workspace/symbol', { query: 'string' }],
]);

/** Requests about a whole document; all others about documents have a place in it. */
const aboutDocument =
  /^textDocument\/(?:codeLens|diagnostic|documentLink|documentSymbol|foldingRange|formatting|semanticTokens\/full)$/;

function shapeOf(method: string): Shape {
  return shapes.get(method) ?? (aboutDocument.test(method) ? document : method.startsWith('textDocument/') ? at : {});
}

/** The connection with handlers that get only what has the shape of their request. */
export function checkingParams(connection: ProtocolConnection): ProtocolConnection {
  type Handle = (
    type: string | { readonly method: string },
    handler: GenericRequestHandler<unknown, unknown>,
  ) => Disposable;
  const onRequest = connection.onRequest as Handle;
  const checked: Handle = (type, handler) => {
    const method = typeof type === 'string' ? type : type.method;
    return onRequest(type, (params: unknown, ...more: [never]) => {
      const fault = faultIn(params, shapeOf(method), 'params');
      return fault === undefined ? handler(params, ...more) : new ResponseError(ErrorCodes.InvalidParams, fault);
    });
  };
  return { ...connection, onRequest: checked as ProtocolConnection['onRequest'] };
}

function faultIn(value: unknown, shape: Shape, path: string): string | undefined {
  if (typeof shape === 'string') return typeof value === shape ? undefined : `\`${path}\` is no ${shape}.`;
  if (isList(shape)) {
    if (!Array.isArray(value)) return `\`${path}\` is no array.`;
    return value.map((one, i) => faultIn(one, shape[0], `${path}[${i}]`)).find((fault) => fault !== undefined);
  }
  if (typeof value !== 'object' || value === null) return `\`${path}\` is no object.`;
  for (const [member, inner] of Object.entries(shape)) {
    const fault = faultIn((value as Readonly<Record<string, unknown>>)[member], inner, `${path}.${member}`);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function isList(shape: object): shape is readonly [Shape] {
  return Array.isArray(shape);
}
