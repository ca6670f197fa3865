import { after } from '../../base/after.ts';
import type { SocketHub, Ticket } from '../socket/hub.ts';
import type { LiveHub, LiveTicket } from './live-hub.ts';

type AnyTicket =
  | Ticket
  | { readonly admission: Pick<LiveTicket['admission'], 'subprotocol' | 'caller'>; readonly live: LiveTicket };

/** Sockets of a host: those of the program, and `/live`. */
export function withLive(sockets: SocketHub, live: LiveHub) {
  return {
    maxMessageBytes: sockets.maxMessageBytes,
    admit: (call: Parameters<SocketHub['admit']>[0]) =>
      call.path === '/live'
        ? after(live.admit(call), (ticket) => ({ admission: ticket.admission, live: ticket }))
        : sockets.admit(call),
    open: (ticket: AnyTicket, ...[call, peer]: [Parameters<SocketHub['open']>[1], Parameters<SocketHub['open']>[2]]) =>
      'live' in ticket ? live.open(ticket.live, peer) : sockets.open(ticket, call, peer),
    close(...how: Parameters<SocketHub['close']>) {
      sockets.close(...how);
      live.close(...how);
    },
  };
}
