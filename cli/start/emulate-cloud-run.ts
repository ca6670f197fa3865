import { emulateCloudRun } from '../../adapters/hosts/emulated/emulate-cloud-run.ts';
import type { Config } from '../../core/config/config.ts';
import { options } from '../../core/config/options.ts';
import type { Log } from '../../core/log/log.ts';
import { cloudRunLimits } from '../../core/platforms/cloud-run-limits.ts';
import { beginStandstill } from '../../library/limits/standstill.ts';
import type { Front } from './front.ts';

/** An instance of Cloud Run in this process (docs/server/google-cloud.md#emulation). */
export function openCloudRun(front: Front, { scale: { gcp } }: Config, log: Log): Front {
  const usual = options['scale.gcp.timeoutSeconds'].default;
  // A service with sockets is deployed with the longest time unless another one is set.
  const socketSeconds = gcp.timeoutSeconds === usual ? cloudRunLimits.socketSeconds.value : gcp.timeoutSeconds;
  const cpu = gcp.cpuAlways ? undefined : beginStandstill(tellOnce(log));
  const { app, sockets } = emulateCloudRun(front.app, front.sockets, {
    callMs: gcp.timeoutSeconds * 1000,
    socketMs: socketSeconds * 1000,
    capacity: Math.min(gcp.concurrency, cloudRunLimits.concurrency.value) * gcp.maxInstances,
    onBusy: cpu?.busy,
  });
  const close: typeof sockets.close = (code, reason) => {
    cpu?.end();
    sockets.close(code, reason);
  };
  return { app, sockets: { ...sockets, close }, programChanged: (version) => front.programChanged(version) };
}

function tellOnce(log: Log): () => void {
  let isTold = false;
  return () => {
    if (isTold) return;
    isTold = true;
    log.warn('work after the answer stands still until another call comes; gcp.cpu_always = true lets it go on');
  };
}
