import { Failure } from '../../../core/errors.ts';

/**
 * Gives the answer to a request that breaks the rules of the connection: `code` is that of the parser's error or a
 * failure code. `packet` is what was being parsed; it tells a long request line from large headers.
 */
export function connectionFailure(code: string, packet?: Buffer, maxUrlBytes = 0): Failure {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return connectionFailure(
        packet !== undefined && isLongLine(packet, maxUrlBytes) ? 'URI_TOO_LONG' : 'HEADERS_TOO_LARGE',
      );
    case 'URI_TOO_LONG':
      return new Failure('URI_TOO_LONG', 'The request line is too long.');
    case 'HEADERS_TOO_LARGE':
      return new Failure('HEADERS_TOO_LARGE', 'The request headers are too large or too many.');
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new Failure('REQUEST_TIMEOUT', 'The request did not arrive in time.');
    case 'HPE_CHUNK_EXTENSIONS_OVERFLOW':
      return new Failure('PAYLOAD_TOO_LARGE', 'The chunk extensions are too large.');
    default:
      return new Failure('BAD_REQUEST', 'The request could not be parsed.');
  }
}

// Tells whether a packet holds a request line above the limit. Of a request in several packets only the last is known:
// it does not tell, and counts as headers.
function isLongLine(packet: Buffer, maxUrlBytes: number): boolean {
  return /^[A-Z]+ /.test(packet.subarray(0, 20).toString('latin1')) && !packet.subarray(0, maxUrlBytes).includes(0x0a);
}
