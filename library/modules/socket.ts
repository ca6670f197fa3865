/** Module `socket`: constants, errors and the name of this host. Connections are made with `requests` and the server's own protocols. */
import { hostname } from 'node:os';
import { functions, type Members } from '../builtins/module.ts';
import { nameException, OSError, TimeoutError } from '../values/objects/exceptions.ts';

class AddressError extends OSError {}
class HostError extends OSError {}
nameException(AddressError, 'gaierror', 'socket');
nameException(HostError, 'herror', 'socket');

export function makeSocket(): Members {
  return {
    AF_INET: 2,
    AF_INET6: 10,
    AF_UNIX: 1,
    AF_UNSPEC: 0,
    AI_PASSIVE: 1,
    INADDR_ANY: 0,
    INADDR_BROADCAST: 0xffffffff,
    INADDR_LOOPBACK: 0x7f000001,
    IPPROTO_ICMP: 1,
    IPPROTO_IP: 0,
    IPPROTO_IPV6: 41,
    IPPROTO_TCP: 6,
    IPPROTO_UDP: 17,
    MSG_DONTWAIT: 64,
    MSG_PEEK: 2,
    SHUT_RD: 0,
    SHUT_RDWR: 2,
    SHUT_WR: 1,
    SOCK_DGRAM: 2,
    SOCK_RAW: 3,
    SOCK_STREAM: 1,
    SOL_SOCKET: 1,
    SOMAXCONN: 4096,
    SO_BROADCAST: 6,
    SO_KEEPALIVE: 9,
    SO_RCVBUF: 8,
    SO_REUSEADDR: 2,
    SO_REUSEPORT: 15,
    SO_SNDBUF: 7,
    TCP_NODELAY: 1,
    error: OSError,
    gaierror: AddressError,
    has_ipv6: true,
    herror: HostError,
    timeout: TimeoutError,
    ...functions('socket', {
      getfqdn: ['name=""', (name?: string) => (name === undefined || name === '' ? hostname() : name)],
      gethostname: ['', () => hostname()],
      htonl: ['x, /', (x: number) => swap(x, 4)],
      htons: ['x, /', (x: number) => swap(x, 2)],
      ntohl: ['x, /', (x: number) => swap(x, 4)],
      ntohs: ['x, /', (x: number) => swap(x, 2)],
    }),
  };
}

function swap(x: number, size: 2 | 4): number {
  const buffer = Buffer.alloc(size);
  buffer.writeUIntBE(x, 0, size);
  return buffer.readUIntLE(0, size);
}
