import { emulateCloudRun } from '../../adapters/hosts/emulated/emulate-cloud-run.ts';
import type { Config } from '../../core/config/config.ts';
import { options } from '../../core/config/options.ts';
import { cloudRunLimits } from '../../core/platforms/cloud-run-limits.ts';
import type { Front } from './open-serving.ts';

/** An instance of Cloud Run in this process (docs/server/google-cloud.md#emulation). */
export function openCloudRun(front: Front, { scale: { gcp } }: Config): Front {
  const usual = options['scale.gcp.timeoutSeconds'].default;
  // A service with sockets is deployed with the longest time unless another one is set.
  const socketSeconds = gcp.timeoutSeconds === usual ? cloudRunLimits.socketSeconds.value : gcp.timeoutSeconds;
  const { app, sockets } = emulateCloudRun(front.app, front.sockets, {
    callMs: gcp.timeoutSeconds * 1000,
    socketMs: socketSeconds * 1000,
    capacity: Math.min(gcp.concurrency, cloudRunLimits.concurrency.value) * gcp.maxInstances,
  });
  return { app, sockets, programChanged: (version) => front.programChanged(version) };
}
