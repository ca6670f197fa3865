// K3 and K4 of both clouds in the same rounds. K3: each kind of request of a deployment refused once, over a version that serves: what answers then, and whether a
// second run succeeds. K4: an end beside things of others. AWS is moto with Debian's docker-registry (`node test/real/aws/build.mjs`), Google Cloud the tests' stand-in.
// `node bench/failed-deployments.mjs [K3] [K4]`
import { loadSource } from './lib/bundle.mjs';
import { median } from './lib/rounds.mjs';

const { openAws, openGoogle } = await loadSource('bench/lib/failed-deployments.ts');
const wanted = process.argv.slice(2);
const wants = (row) => wanted.length === 0 || wanted.includes(row);
const clouds = [await openAws(false), await openAws(true), await openGoogle()];
const timed = async (work) => {
  const before = performance.now();
  const error = await work().then(
    () => undefined,
    (one) => one,
  );
  return { ms: performance.now() - before, error };
};

async function failures() {
  const subjects = [];
  for (const cloud of clouds) {
    await cloud.begin();
    await cloud.deploy(1);
    cloud.asked();
    const { ms } = await timed(() => cloud.deploy(2));
    subjects.push({
      cloud,
      requests: [...new Set(cloud.asked())],
      clean: [ms],
      failed: [],
      second: [],
      served: [],
      odd: [],
    });
  }
  // Rounds go over all clouds, so that none of them has the quiet time of the machine to itself.
  for (let at = 0; at < Math.max(...subjects.map(({ requests }) => requests.length)); at++)
    for (const subject of subjects) {
      const { cloud, requests } = subject;
      const name = requests[at];
      if (name === undefined) continue;
      await cloud.begin();
      // Numbers that were never used: a registry keeps contents of images that nothing names any more.
      const first = 10 * (at + 1);
      await cloud.deploy(first);
      cloud.refuse(name);
      const failed = await timed(() => cloud.deploy(first + 1));
      cloud.refuse(undefined);
      const serving = cloud.serving() === undefined ? undefined : cloud.serving() - first + 1;
      subject.served.push({ name, serving, hasFailed: failed.error !== undefined });
      const second = await timed(() => cloud.deploy(first + 1));
      if (second.error !== undefined || cloud.serving() !== first + 1)
        subject.odd.push(`${name}: ${second.error?.message}`);
      if (failed.error !== undefined) {
        subject.failed.push(failed.ms);
        subject.second.push(second.ms);
      }
    }

  console.log('\nK3: each kind of request refused once\n');
  console.log(
    '| target | kinds of requests | ended the deployment | version 1 served on | version 2 served already | nothing served | second run failed | whole (ms) | ended (ms) | second run (ms) |\n|---|---|---|---|---|---|---|---|---|---|',
  );
  for (const { cloud, requests, served, odd, clean, failed, second } of subjects) {
    const ended = served.filter(({ hasFailed }) => hasFailed);
    const count = (version) => ended.filter(({ serving }) => serving === version).length;
    const times = [clean, failed, second].map((list) => median(list).toFixed(0)).join(' | ');
    console.log(
      `| ${cloud.name} | ${requests.length} | ${ended.length} | ${count(1)} | ${count(2)} | ${count(undefined)} | ${odd.length} | ${times} |`,
    );
  }
  for (const { cloud, served, odd } of subjects) {
    const late = served.filter(({ serving, hasFailed }) => hasFailed && serving === 2).map(({ name }) => name);
    const passed = served.filter(({ hasFailed }) => !hasFailed).map(({ name }) => name);
    console.log(`\n${cloud.name}: ${served.map(({ name }) => name).join(', ')}`);
    console.log(`  after the change: ${late.join(', ') || 'none'}; done without: ${passed.join(', ') || 'none'}`);
    for (const line of odd) console.log(`  SECOND RUN FAILED: ${line}`);
  }
}

async function ends() {
  console.log('\nK4: an end beside things of others\n');
  console.log(
    '| target | things of others | own things | own left | others touched | end (ms) |\n|---|---|---|---|---|---|',
  );
  for (const cloud of clouds) {
    await cloud.begin();
    await cloud.seed();
    const before = await cloud.contents();
    await cloud.deploy(1);
    const own = [...(await cloud.contents()).keys()].filter((name) => !before.has(name));
    const { ms, error } = await timed(() => cloud.destroy());
    if (error !== undefined) throw error;
    const after = await cloud.contents();
    const left = own.filter((name) => after.has(name));
    const touched = [...before].filter(([name, digest]) => after.get(name) !== digest);
    console.log(
      `| ${cloud.name} | ${before.size} | ${own.length} | ${left.length} | ${touched.length} | ${ms.toFixed(0)} |`,
    );
    for (const name of [...left, ...touched.map(([one]) => one)]) console.log(`  ${name}`);
  }
}

if (wants('K3')) await failures();
if (wants('K4')) await ends();
for (const cloud of clouds) await cloud[Symbol.asyncDispose]();
process.exit();
