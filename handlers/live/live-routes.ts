import { Failure } from '../../core/errors.ts';
import { answer, type FixedRoute } from '../routes.ts';
import type { LiveHub } from './live-hub.ts';

/** Routes of `/live` for requests that are no upgrades (docs/server/live.md#events). */
export function liveRoutes(hub: Pick<LiveHub, 'events'>): readonly FixedRoute[] {
  const socket: FixedRoute = {
    method: 'GET',
    template: '/live',
    auth: 'none',
    tag: 'Live',
    operationId: '',
    run() {
      throw new Failure('UPGRADE_REQUIRED', 'This is a WebSocket endpoint.', { headers: { Upgrade: 'websocket' } });
    },
  };
  const events: FixedRoute = {
    method: 'GET',
    template: '/live/{walker}',
    auth: 'none',
    tag: 'Live',
    operationId: '',
    async run({ call, params }) {
      const body = await hub.events(call, params['walker']!);
      return answer({
        raw: { contentType: 'text/event-stream; charset=utf-8', body },
        isEndless: true,
        headers: ['Cache-Control', 'no-cache', 'X-Accel-Buffering', 'no'],
      });
    },
  };
  return [socket, events];
}
