/** A process that deploys a version of the small application, `deploy 3`, or ends it, `destroy`: for tests that interrupt it. */
import type { Account } from './account.ts';
import { listen, numberedApp, open } from './small-app.ts';

const [work, number] = process.argv.slice(2) as ['deploy' | 'destroy', string?];
await using opened = await open({ env: {} } as Account);
process.once('SIGINT', () => opened.ended.abort(new Error('interrupted')));
if (work === 'deploy') await opened.deploy(numberedApp(Number(number)));
else {
  const plan = await opened.target.planDestroy({ component: 'all', purgeData: true });
  await opened.target.destroy(plan, listen());
}
