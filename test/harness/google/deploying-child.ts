/** A process that deploys a version of an application to the stand-in, `deploy 3`, or ends it, `destroy`: for tests that interrupt it. */
import { deployThere, numberedApp } from './deploy-there.ts';
import type { GoogleStandIn } from './google-stand-in.ts';

const [work, number] = process.argv.slice(2) as ['deploy' | 'destroy', string?];
const there = deployThere({ env: process.env } as unknown as GoogleStandIn);
const ended = new AbortController();
process.once('SIGINT', () => ended.abort(new Error('interrupted')));
const target = await there.open(ended.signal);
if (work === 'destroy')
  await target.destroy(await target.planDestroy({ component: 'all', purgeData: false }), there.progress);
else {
  const app = numberedApp(there, Number(number));
  const image = {
    digest: app.image!.digest,
    /** The registry is where the test looks. */
    async push(reference: string) {
      await fetch(process.env['SVC_TEST_REGISTRY']!, { method: 'POST' });
      return `${reference.replace(/:source-.*/, '')}@${app.image!.digest}`;
    },
  };
  await there.deploy({ ...app, image }, target);
}
