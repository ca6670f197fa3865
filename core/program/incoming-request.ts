/** `request()`: the message that a call came with, as the program sees it (decisions/0420). */
import { nativeClass } from '../../library/builtins/native-class.ts';
import { Dict } from '../../library/values/containers/dict.ts';
import { RuntimeError } from '../../library/values/objects/exceptions.ts';
import { Bytes } from '../../library/values/text/bytes.ts';
import { currentContext } from '../memory/context.ts';
import type { IncomingRequest } from './request-message.ts';

class Request {
  readonly method: string;
  readonly path: string;
  readonly query: string;
  private readonly incoming: IncomingRequest;
  private names: Dict | undefined = undefined;
  private bytes: Bytes | undefined = undefined;

  constructor(incoming: IncomingRequest) {
    const { method, path, query } = incoming;
    this.method = method;
    this.path = path;
    this.query = query;
    this.incoming = incoming;
  }

  get headers(): Dict {
    this.names ??= Dict.from(this.incoming.headers());
    return this.names;
  }

  get body(): Bytes {
    this.bytes ??= new Bytes(this.incoming.body ?? new Uint8Array());
    return this.bytes;
  }
}
nativeClass(Request, { name: 'Request', module: 'svclang' });

/** @throws RuntimeError outside of calls: in entry blocks, `svc run`, tests that make no request */
export function incomingRequest(): IncomingRequest {
  const incoming = currentContext().call?.incoming;
  if (incoming === undefined) throw new RuntimeError('request() is there in calls from the network only');
  return incoming;
}

export function request(): Request {
  return new Request(incomingRequest());
}
